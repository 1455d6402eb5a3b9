#!/bin/sh
# Measures `roster report access` on a made-up tenant: rows, time, CPU time, and the most private
# memory (RssAnon) of the process.
#
#   Benchmarks/report.sh [USERS [ROLES]]
#
# USERS (100000) users with ROLES (10) roles each, so 1,000,000 assignments and some characteristics; then a tenth of the
# users, to show what memory depends on. Uses the release build; ROSTER names another program. DB keeps the database of
# the large tenant: it is made where there is none, and used as it is where there is one. Needs about 1 GB of disk.
set -eu
users=${1:-100000} roles=${2:-10}
here=$(cd "$(dirname "$0")/.." && pwd)
roster=${ROSTER:-$here/.build/release/roster}
[ -x "$roster" ] || { echo "There is no $roster; see make build" >&2; exit 1; }
hertz=$(getconf CLK_TCK)
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

measure() { # database, format
  start=$(date +%s%N)
  "$roster" report access --db "$1" --org generated.example --format "$2" --output "$work/report" &
  pid=$!
  peak=0 ticks=0
  while now=$(awk '/^RssAnon/ { print $2 }' "/proc/$pid/status" 2> /dev/null) && [ -n "$now" ]; do
    [ "$now" -le "$peak" ] || peak=$now
    used=$(awk '{ print $14 + $15 }' "/proc/$pid/stat" 2> /dev/null) && [ -n "$used" ] && ticks=$used
    sleep 0.05
  done
  wait "$pid"
  end=$(date +%s%N)
  if [ "$2" = csv ]; then rows=$(($(wc -l < "$work/report") - 1)); else rows=$(($(wc -l < "$work/report") - 2)); fi
  echo "$2: $rows rows, $(wc -c < "$work/report") bytes in $(((end - start) / 1000000)) ms, $(echo "$ticks $hertz" | awk '{ print $1 / $2 }') s of CPU, RssAnon at most $peak kB"
  rm "$work/report"
}

large=${DB:-$work/large.db}
[ -f "$large" ] || "$roster" seed --generate "$users" --roles-per-user "$roles" --db "$large"
"$roster" seed --generate $((users / 10)) --roles-per-user "$roles" --db "$work/small.db"
for database in "$work/small.db" "$large"; do
  for format in csv json; do measure "$database" "$format"; done
done
