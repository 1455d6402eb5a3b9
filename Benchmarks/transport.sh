#!/bin/sh
# Compares the transport with a floor: the least that a C program can do on epoll to send a fixed 600-byte answer.
#
#   Benchmarks/transport.sh URL PID [ROUNDS]
#
# URL is a resource of a running server (release build), PID its process. Both servers are asked in turn, ROUNDS times
# (3) for 3 seconds each, with wrk over 32 connections; prints requests per second and CPU microseconds per request.
# Needs cc, wrk and bc. The floor listens on 127.0.0.1:7899.
set -eu
[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
url=$1 pid=$2 rounds=${3:-3}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
cc -O2 -o "$work/floor" "$here/floor/floor.c" -lpthread
"$work/floor" 7899 2 &
floor=$!
trap 'kill $floor; rm -r "$work"' EXIT
sleep 1

cpu() { awk -v hertz="$(getconf CLK_TCK)" '{ print ($14 + $15) * 1000000 / hertz }' "/proc/$1/stat"; }

measure() {
  before=$(cpu "$3")
  wrk -t1 -c32 -d3 "$2" > "$work/out"
  after=$(cpu "$3")
  requests=$(awk '/requests in/ { print $1 }' "$work/out")
  rate=$(awk '/Requests\/sec/ { print $2 }' "$work/out")
  echo "$1 $rate requests/s, $(echo "scale=2; ($after - $before) / $requests" | bc) us of CPU each"
}

for round in $(seq "$rounds"); do
  measure floor http://127.0.0.1:7899/ "$floor"
  measure server "$url" "$pid"
done
