# What the benchmark scripts share: a folder of their own, servers that end with the script, and measurements in turn.
# Sourced by run.sh and large.sh; needs cc, wrk, curl and awk.

root=$(cd "$here/.." && pwd)
roster=${ROSTER:-$root/.build/release/roster}
seconds=2 rounds=3 connections=32
work= servers=

say() { printf '%s\n' "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

cleanup() {
  for pid in $servers; do kill "$pid" 2>/dev/null || true; done
  for pid in $servers; do wait "$pid" 2>/dev/null || true; done
  [ -z "$work" ] || rm -rf "$work"
}

prepare() {
  for tool in cc wrk curl awk; do command -v "$tool" >/dev/null || die "needs $tool (apt-get install gcc wrk curl)"; done
  [ -x "$roster" ] || die "needs a release build: make build"
  work=$(mktemp -d "${TMPDIR:-/tmp}/roster-bench.XXXXXX")
  trap cleanup EXIT
  trap 'exit 130' INT TERM
  cc -O2 -o "$work/floor" "$here/floor/floor.c" -lpthread
}

# seed: makes $work/bench.db with $users users, or copies $copy; sets `authorization` to a field with a key for it.
seed() {
  local organization=generated.example
  if [ -n "$copy" ]; then
    cp "$copy" "$work/bench.db"
  else
    say "Seeding $users users ..."
    "$roster" seed --generate "$users" --org $organization --db "$work/bench.db" >/dev/null
  fi
  local key
  key=$("$roster" key create $organization --role admin --label bench --db "$work/bench.db" --json |
    sed -n 's/.*"key" *: *"\([^"]*\)".*/\1/p')
  [ -n "$key" ] || die "no key was made"
  authorization="Authorization: Bearer $key"
}

# background NAME COMMAND...: starts a server, sets `started` to its process id.
background() {
  local name=$1; shift
  "$@" >"$work/$name.out" 2>"$work/$name.err" &
  started=$!
  servers="$servers $started"
}

# stop PID: ends one server and waits for it.
stop() {
  kill "$1" 2>/dev/null || true
  wait "$1" 2>/dev/null || true
  remaining=
  for pid in $servers; do [ "$pid" = "$1" ] || remaining="$remaining $pid"; done
  servers=$remaining
}

# ready URL: waits until the server that was started last answers at the address.
ready() {
  for _ in $(seq 200); do
    curl -so /dev/null --max-time 2 "$1" && return
    kill -0 "$started" 2>/dev/null || break
    sleep 0.05
  done
  cat "$work"/*.err >&2
  die "no answer from $1"
}

# Microseconds of CPU that a process and its children have used; nginx does the work in children.
cpu() {
  for pid in "$1" $(cat "/proc/$1/task/$1/children" 2>/dev/null); do cat "/proc/$pid/stat"; done |
    awk -v hertz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); sum += $12 + $13 } END { printf "%.0f", sum * 1000000 / hertz }'
}

# measure GROUP CANDIDATE PID URL [WRK ARGUMENTS]: one turn; notes requests a second, CPU of each, and latencies.
measure() {
  local group=$1 candidate=$2 pid=$3 url=$4; shift 4
  before=$(cpu "$pid")
  wrk -t1 -c"$connections" -d"$seconds" --latency "$url" "$@" >"$work/wrk.out" 2>&1 || { cat "$work/wrk.out" >&2; die "wrk failed"; }
  after=$(cpu "$pid")
  if grep -q 'Non-2xx' "$work/wrk.out"; then cat "$work/wrk.out" >&2; die "$candidate answered with errors"; fi
  awk -v group="$group" -v candidate="$candidate" -v used="$((after - before))" '
    function ms(text) { return text ~ /us$/ ? text / 1000 : text ~ /ms$/ ? text + 0 : text * 1000 }
    /requests in/ { requests = $1 }
    /Requests\/sec/ { rate = $2 }
    $1 == "50%" { half = ms($2) }
    $1 == "99%" { most = ms($2) }
    END { printf "%s\t%s\t%.0f\t%.2f\t%.2f\t%.2f\n", group, candidate, rate, used / (requests ? requests : 1), half, most }
  ' "$work/wrk.out" >>"$work/measured"
}

# median GROUP CANDIDATE COLUMN (3 rate, 4 CPU, 5 p50, 6 p99): over the rounds.
median() {
  awk -F'\t' -v group="$1" -v candidate="$2" -v column="$3" '$1 == group && $2 == candidate { print $column }' "$work/measured" |
    sort -n | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'
}

# table GROUP: its candidates by their medians, in the order of their first turn.
table() {
  printf '  %-34s %11s %9s %8s %8s\n' "$1" 'requests/s' 'CPU us' 'p50 ms' 'p99 ms'
  awk -F'\t' -v group="$1" '$1 == group && !seen[$2]++ { print $2 }' "$work/measured" | while read -r candidate; do
    printf '  %-34s %11s %9s %8s %8s\n' "$candidate" "$(median "$1" "$candidate" 3)" "$(median "$1" "$candidate" 4)" \
      "$(median "$1" "$candidate" 5)" "$(median "$1" "$candidate" 6)"
  done
}

failed=0
# target TEXT VALUE RELATION BOUND: prints a verdict; RELATION is >= or <=.
target() {
  verdict=$(awk -v value="$2" -v relation="$3" -v bound="$4" \
    'BEGIN { print (relation == ">=" ? value >= bound : value <= bound) ? "ok" : "MISSED" }')
  [ "$verdict" = ok ] || failed=1
  printf '  %-6s %s: %s (wanted %s %s)\n' "$verdict" "$1" "$2" "$3" "$4"
}

# ratio GROUP A B: the rate of A by that of B.
ratio() {
  awk -v left="$(median "$1" "$2" 3)" -v right="$(median "$1" "$3" 3)" 'BEGIN { printf "%.2f", left / right }'
}

# Private memory of a process in MB: anonymous pages. Those of the mapped database are the kernel's cache.
private_memory() { awk '/^RssAnon/ { printf "%.1f", $2 / 1024 }' "/proc/$1/status"; }

# serve NAME PORT [OPTIONS]: a server on $work/bench.db; sets `started`.
serve() {
  local name=$1 port=$2; shift 2
  background "$name" "$roster" serve --db "$work/bench.db" --port "$port" "$@"
  ready "http://127.0.0.1:$port/scim/v2/ServiceProviderConfig"
}
