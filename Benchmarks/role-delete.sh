#!/bin/sh
# Measures DELETE of a role that everybody has, and what readers notice of it.
#
#   Benchmarks/role-delete.sh [USERS]
#
# USERS (100000) users have every role. One role is deleted while nobody else asks: how long that took, and how much CPU
# the server used. Then wrk asks for one user over 8 connections for 10 seconds, and after 3 of them another role is
# deleted: how long that took, and the readers' latencies beside those of as long a time without a deletion. Uses the release build; ROSTER names another program, PORT another port, DB a database to keep or to
# use (each run takes two roles of it). Needs curl, wrk and about 1.5 GB of disk.
set -eu
users=${1:-100000} port=${PORT:-7897}
here=$(cd "$(dirname "$0")/.." && pwd)
roster=${ROSTER:-$here/.build/release/roster}
[ -x "$roster" ] || { echo "There is no $roster; see make build" >&2; exit 1; }
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -r "$work"' EXIT

database=${DB:-$work/roster.db}
[ -f "$database" ] || "$roster" seed --generate "$users" --roles-per-user 14 --db "$database"
key=$("$roster" key create generated.example --role admin --label role-delete --db "$database" | head -n 1)
"$roster" serve --db "$database" --port "$port" > "$work/serve" &
server=$!
until [ -s "$work/serve" ]; do sleep 0.1; done
base=http://127.0.0.1:$port/scim/v2

ask() { curl -sS -H "Authorization: Bearer $key" "$@"; }
first() { ask "$base/$1?count=1" | sed -E 's/.*"Resources":\[\{"schemas":\[[^]]*\],"id":"([^"]*)".*/\1/'; }
user=$(first Users)
role=$(first Roles)
held() { # role
  ask -G "$base/Users" --data-urlencode "filter=roles.value eq \"$1\"" --data-urlencode count=0 |
    sed -E 's/.*"totalResults":([0-9]+).*/\1/'
}
read_users() {
  wrk -t1 -c8 -d10 --latency -H "Authorization: Bearer $key" "$base/Users/$user" |
    awk -v name="$1" '/ 50%/ { p50 = $2 } / 99%/ { p99 = $2 } $1 == "Latency" && $2 != "Distribution" { max = $4 }
      /Requests\/sec/ { print name ": " $2 " requests/s, p50 " p50 ", p99 " p99 ", most " max }'
}

cpu() { awk -v hertz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hertz }' "/proc/$server/stat"; }
delete() { # role
  before=$(held "$1")
  used=$(cpu)
  ask -X DELETE -o /dev/null -w "DELETE, $before holders: %{http_code} in %{time_total} s" "$base/Roles/$1"
  echo "$used $(cpu) $2" | awk '{ print ($3 == "alone") ? ", " $2 - $1 " s of CPU" : "" }'
  echo "$(held "$1") users hold it now"
}

delete "$role" alone
role=$(first Roles)
read_users "without a deletion"
read_users "with the deletion" &
readers=$!
sleep 3
delete "$role" beside
wait "$readers"
