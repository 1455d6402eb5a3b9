#!/bin/bash
# Measures searches, far pages and large groups in a tenant of 200,000 users, against a floor.
#
#   Benchmarks/large.sh [--users N | --copy DB] [--seconds N] [--rounds N] [--port N] [--strict]
#
# As run.sh: --users says how many users are made up (200000), --copy begins with a copy of a database that
# `roster seed --generate` made. The look-ups are for other users each time. Some four minutes, most of them for making
# the users.
#
# Needs cc, wrk, curl and some 1.2 GB in TMPDIR, which are gone afterwards.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

users=200000 port=18500 strict=0 copy=
while [ $# -gt 0 ]; do
  case $1 in
    --users) users=$2; shift ;;
    --copy) copy=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --rounds) rounds=$2; shift ;;
    --port) port=$2; shift ;;
    --strict) strict=1 ;;
    *) sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift
done

prepare
seed
base=http://127.0.0.1:$port
serve roster "$port"
server=$started
background floor "$work/floor" $((port + 1)) 2
floor=$started
ready "http://127.0.0.1:$((port + 1))/"

# get PATH: with blanks, quotes and brackets as they are.
get() { curl -sfg --max-time 30 -H "$authorization" "$base${1// /%20}"; }
encode() { sed -e 's/%/%25/g' -e 's/ /%20/g' -e 's/"/%22/g' -e 's/\[/%5B/g' -e 's/]/%5D/g' -e 's/@/%40/g'; }

# Times a request as a client sees it, in ms: the median of so many.
timed() {
  local count=$1; shift
  for _ in $(seq "$count"); do
    curl -sfg -o /dev/null --max-time 60 -H "$authorization" -w '%{time_total}\n' "$@"
  done | sort -n | awk '{ value[NR] = $1 } END { printf "%.1f", value[int((NR + 1) / 2)] * 1000 }'
}

# The addresses and numbers of some thousand users from all over the tenant.
for page in $(seq 5); do
  get "/scim/v2/Users?attributes=userName,externalId&count=1000&startIndex=$((1 + (page - 1) * (users / 5)))"
done >"$work/sample"
grep -o '"userName":"[^"]*"' "$work/sample" | cut -d'"' -f4 | shuf --random-source=<(yes) >"$work/names"
grep -o '"externalId":"[^"]*"' "$work/sample" | cut -d'"' -f4 | shuf --random-source=<(yes) >"$work/numbers"
users_path='/scim/v2/Users?filter='
sed 's/.*/userName eq "&"/' "$work/names" | encode | sed "s|^|$users_path|" >"$work/by-name"
sed 's/.*/externalId eq "&"/' "$work/numbers" | encode | sed "s|^|$users_path|" >"$work/by-number"
sed 's/.*/emails[type eq "work" and value eq "&"]/' "$work/names" | encode | sed "s|^|$users_path|" >"$work/by-mail"

for round in $(seq "$rounds"); do
  measure search floor "$floor" "http://127.0.0.1:$((port + 1))" -H "$authorization" -s "$here/walk.lua" -- "$work/by-name"
  for what in by-name by-number by-mail; do
    measure search "$what" "$server" "$base" -H "$authorization" -s "$here/walk.lua" -- "$work/$what" $((round * 1234))
  done
done
say; say "One user among $users by a filter, other ones each time"
table search
target "userName eq, of the floor" "$(ratio search by-name floor)" '>=' 0.40
target "externalId eq, of the floor" "$(ratio search by-number floor)" '>=' 0.40
target "emails[type eq \"work\" and value eq …], of the floor" "$(ratio search by-mail floor)" '>=' 0.40

say; say "What one client waits for"
for text in henry. zhang. somnus; do
  target "ms, userName co \"$text\" (six letters)" \
    "$(timed 9 "$base$users_path$(echo "userName co \"$text\"" | encode)")" '<=' 20
done
# A client that pages on: each page behind the one before it.
first=$(timed 9 "$base/scim/v2/Users?startIndex=1&count=100")
before=$((users - users / 20))
far=$(for step in 1 2 3 4 5; do
  get "/scim/v2/Users?startIndex=$((before + 1))&count=100" >/dev/null
  timed 1 "$base/scim/v2/Users?startIndex=$((before + 101))&count=100"; echo
  before=$((before + 200))
done | sort -n | sed -n 3p)
say "         first page of 100: $first ms, page at $((users - users / 20 + 101)) after the one before it: $far ms"
target "times the first page" "$(awk -v far="$far" -v first="$first" 'BEGIN { printf "%.2f", far / first }')" '<=' 3

# Two groups, one of a quarter of the users and one of ten; members are added one at a time, in turn.
ids() { # ids FROM COUNT
  local at=$1 left=$2
  while [ "$left" -gt 0 ]; do
    get "/scim/v2/Users?attributes=id&count=$((left < 1000 ? left : 1000))&startIndex=$at" |
      grep -o '"id":"[^"]*"' | cut -d'"' -f4
    at=$((at + 1000)) left=$((left - 1000))
  done
}
group() { # group NAME IDS: makes a group, gives its id
  curl -sf --max-time 60 -H "$authorization" -H 'Content-Type: application/scim+json' "$base/scim/v2/Groups?attributes=id" \
    -d "{\"schemas\":[\"urn:ietf:params:scim:schemas:core:2.0:Group\"],\"displayName\":\"$1\"}" |
    grep -o '"id":"[^"]*"' | head -1 | cut -d'"' -f4 >"$work/group"
  split -l 5000 "$2" "$work/part."
  for part in "$work"/part.*; do
    sed 's/.*/{"value":"&"}/' "$part" | paste -sd, | sed 's/.*/{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[{"op":"add","path":"members","value":[&]}]}/' >"$work/body"
    curl -sf -o /dev/null --max-time 60 -X PATCH -H "$authorization" -H 'Content-Type: application/scim+json' \
      "$base/scim/v2/Groups/$(cat "$work/group")" --data-binary "@$work/body"
  done
  rm "$work"/part.*
  cat "$work/group"
}
ids 1 $((users / 4)) >"$work/many"
head -10 "$work/many" >"$work/few"
large=$(group "Large" "$work/many")
small=$(group "Small" "$work/few")
ids $((users / 2)) 200 >"$work/added"
while read -r id; do
  for which in large small; do
    printf '%s ' $which
    curl -sf -o /dev/null --max-time 60 -w '%{time_total}\n' -X PATCH -H "$authorization" \
      -H 'Content-Type: application/scim+json' -H 'Prefer: return=minimal' "$base/scim/v2/Groups/${!which}" \
      -d "{\"schemas\":[\"urn:ietf:params:scim:api:messages:2.0:PatchOp\"],\"Operations\":[{\"op\":\"add\",\"path\":\"members\",\"value\":[{\"value\":\"$id\"}]}]}"
  done
done <"$work/added" >"$work/additions"
middle() { awk -v which="$1" '$1 == which { print $2 }' "$work/additions" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] * 1000 }'; }
say "         one member more: $(middle large) ms in a group of $((users / 4)), $(middle small) ms in a group of 10"
target "times a group of 10" "$(awk -v a="$(middle large)" -v b="$(middle small)" 'BEGIN { printf "%.2f", a / b }')" '<=' 1.5

say; say "After these runs"
target "private memory of the server in MB" "$(private_memory "$server")" '<=' 96
[ "$strict" = 0 ] || [ "$failed" = 0 ]
