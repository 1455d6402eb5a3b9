#!/bin/bash
# Shows what clients that ask for long answers and never read them cost: the server's private memory while they are
# there and after they have gone, and how another organisation is answered meanwhile.
#
#   Benchmarks/unread.sh [--users N] [--clients N] [--seconds N] [--port N] [--strict]
#
# --users says how many there are in the organisation that is asked (12000; a list of 10,000 of them is some 9 MB),
# --clients how many connections ask for that list and read nothing (400), --seconds how long they stay (10), --port the
# port that is used (18460). --strict makes a missed target the script's failure. Some 90 seconds, most of them to wait
# for the memory to come back.
#
# Needs curl, awk and some 100 MB in TMPDIR, which are gone afterwards.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

users=12000 clients=400 seconds=10 port=18460 strict=0 copy=
while [ $# -gt 0 ]; do
  case $1 in
    --users) users=$2; shift ;;
    --clients) clients=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --port) port=$2; shift ;;
    --strict) strict=1 ;;
    *) sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift
done

prepare
seed
"$roster" org create other.example --db "$work/bench.db" >/dev/null
key=$("$roster" key create other.example --role admin --label bench --db "$work/bench.db" --json |
  sed -n 's/.*"key" *: *"\([^"]*\)".*/\1/p')
serve unread "$port" --max-page-size 10000 --threads 2
server=$started
other() { curl -s -o /dev/null --max-time 20 -w '%{http_code} %{time_total}\n' -H "Authorization: Bearer $key" "$@"; }
size=$(curl -s -H "$authorization" "http://127.0.0.1:$port/scim/v2/Users?count=10000" | wc -c)
before=$(private_memory "$server")
say "One list: $size bytes; private memory of the server in MB: $before"

# Connections of this shell, with nobody who reads: what the kernel takes of an answer is not the server's memory.
ulimit -n $((clients + 64))
request=$(printf 'GET /scim/v2/Users?count=10000 HTTP/1.1\r\nHost: h\r\n%s\r\n\r\n.' "$authorization")
descriptors=
for _ in $(seq "$clients"); do
  exec {descriptor}<>"/dev/tcp/127.0.0.1/$port"
  printf '%s' "${request%.}" >&"$descriptor"
  descriptors="$descriptors $descriptor"
done
most=0
: >"$work/other"
for _ in $(seq $((seconds * 5))); do
  now=$(private_memory "$server")
  most=$(awk -v a="$most" -v b="$now" 'BEGIN { print (a > b ? a : b) }')
  other "http://127.0.0.1:$port/scim/v2/Users?count=100" >>"$work/other"
  other "http://127.0.0.1:$port/scim/v2/Groups" >>"$work/other"
  sleep 0.2
done
failures=$(awk '$1 != 200' "$work/other" | wc -l)
slowest=$(awk '{ print $2 * 1000 }' "$work/other" | sort -n | tail -1)

for descriptor in $descriptors; do exec {descriptor}>&-; done
after=$most
for second in $(seq 30); do
  sleep 1
  after=$(private_memory "$server")
  if awk -v a="$after" 'BEGIN { exit !(a <= 96) }'; then break; fi
done

say; say "$clients clients that ask for the list and read nothing"
target "private memory in MB while they are there" "$most" '<=' 256
target "private memory in MB, $second s after they have gone" "$after" '<=' 96
target "refused or failed requests of another organisation" "$failures" '<=' 0
target "its slowest answer in ms" "$slowest" '<=' 1000
stop "$server"
[ "$strict" = 0 ] || [ "$failed" = 0 ]
