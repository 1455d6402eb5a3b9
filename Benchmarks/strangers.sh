#!/bin/bash
# Shows what strangers cost the others: how a client with a key is answered while eight connections without one send
# compressed bodies (1 KB that would become 1 MiB), beside eight that send plain requests, which are 401 as well.
#
#   Benchmarks/strangers.sh [--seconds N] [--rounds N] [--port N] [--strict]
#
# --seconds says how long each turn takes (2), --rounds how many turns there are (5), --port the port that is used
# (18470). --strict makes a missed target the script's failure. Half a minute. Needs wrk, curl, gzip and awk.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

users=1000 port=18470 strict=0 copy= rounds=5
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=$2; shift ;;
    --rounds) rounds=$2; shift ;;
    --port) port=$2; shift ;;
    --strict) strict=1 ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift
done

prepare
seed
serve strangers "$port" --threads 2
server=$started
base=http://127.0.0.1:$port
path=/scim/v2/Users/$(curl -s -H "$authorization" "$base/scim/v2/Users?count=1" | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
head -c 1048576 /dev/zero | gzip -9 >"$work/body.gz"
connections=4
for _ in $(seq "$rounds"); do
  wrk -t1 -c8 -d$((seconds + 1)) "$base/scim/v2/Users" -H 'Authorization: Bearer nobody' >/dev/null &
  sleep 0.3
  measure others "beside plain requests" "$server" "$base$path" -H "$authorization"
  wait $!
  wrk -t1 -c8 -d$((seconds + 1)) -s "$here/strangers.lua" "$base/scim/v2/Users" -- "$work/body.gz" >"$work/strangers" &
  sleep 0.3
  measure others "beside compressed bodies" "$server" "$base$path" -H "$authorization"
  wait $!
done
say "GET of one user with a key, beside eight connections without one"
table others
target "p99 beside compressed bodies, of that beside plain requests" \
  "$(awk -v a="$(median others "beside compressed bodies" 6)" -v b="$(median others "beside plain requests" 6)" \
    'BEGIN { printf "%.2f", a / b }')" '<=' 2
stop "$server"
[ "$strict" = 0 ] || [ "$failed" = 0 ]
