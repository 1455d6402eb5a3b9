#!/usr/bin/env bash
# What organisations with types of their own cost: memory for each, start-up, and whether a request in one of many costs
# more than in one of two.
#
#   Benchmarks/organizations.sh [ORGANISATIONS] [TYPES]
#
# Makes two databases, with 2 and with ORGANISATIONS (1000) organisations that define TYPES (5) resource types each, of six
# attributes. Serves both, one thread each; asks every organisation of the large one for its types and one resource of
# each, then measures one organisation in both by turns with wrk. Needs a release build (make build; or ROSTER=PROGRAM),
# wrk, curl and awk. Exit code 1 where memory is 100 KB an organisation or more, start-up 1 s, or the ratio 1.2.
set -euo pipefail
many=${1:-1000} types=${2:-5}
here=$(cd "$(dirname "$0")" && pwd)
roster=${ROSTER:-$here/../.build/release/roster}
[ -x "$roster" ] || { echo "needs a release build: make build" >&2; exit 2; }
for tool in wrk curl awk; do command -v "$tool" >/dev/null || { echo "needs $tool" >&2; exit 2; }; done
work=$(mktemp -d "${TMPDIR:-/tmp}/roster-organizations.XXXXXX")
servers=()
cleanup() {
  for pid in "${servers[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait || true
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# The seed of that many organisations: org0 with the key bench-key-0, and so on.
document() {
  awk -v count="$1" -v types="$types" 'BEGIN {
    print "{\"format\": \"roster-seed/1\", \"organizations\": ["
    for (o = 0; o < count; o++) {
      printf "%s{\"name\": \"org%d.example\", \"keys\": [{\"secret\": \"bench-key-%d\", \"role\": \"reader\"}], \"types\": [", (o ? "," : ""), o, o
      for (t = 0; t < types; t++) {
        printf "%s{\"name\": \"Type%d\", \"endpoint\": \"/Type%ds\", \"description\": \"Something of organisation %d.\", ", (t ? "," : ""), t, t, o
        printf "\"extension\": {\"schema\": \"urn:org%d:scim:schemas:extension:app:1.0:Type%d\", \"attributes\": [", o, t
        for (a = 0; a < 6; a++)
          printf "%s{\"name\": \"attribute%d\", \"type\": \"string\", \"description\": \"Attribute %d of type %d.\"}", (a ? "," : ""), a, a, t
        printf "]}}"
      }
      printf "], \"resources\": {"
      for (t = 0; t < types; t++)
        printf "%s\"Type%d\": [{\"id\": \"entry\", \"displayName\": \"Entry\", \"urn:org%d:scim:schemas:extension:app:1.0:Type%d\": {\"attribute1\": \"x\"}}]", (t ? "," : ""), t, o, t
      print "}}"
    }
    print "]}"
  }'
}

for count in 2 "$many"; do
  document "$count" >"$work/$count.json"
  "$roster" seed "$work/$count.json" --db "$work/$count.db" >/dev/null
done

now() { date +%s%N; }
memory() { awk '/VmRSS/ { print $2 }' "/proc/$1/status"; }
cpu() { awk -v hertz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) * 1000000 / hertz }' "/proc/$1/stat"; }

# serve COUNT: sets `pid`, `url` and `startup` (ms until the first answer).
serve() {
  local began
  began=$(now)
  "$roster" serve --db "$work/$1.db" --port 0 --threads 1 >"$work/$1.out" 2>"$work/$1.err" &
  pid=$!
  servers+=("$pid")
  url=
  while [ -z "$url" ]; do
    url=$(sed -n 's/^SCIM base URL: //p' "$work/$1.out")
    kill -0 "$pid" || { cat "$work/$1.err" >&2; exit 1; }
    [ -n "$url" ] || sleep 0.005
  done
  curl -sf -o /dev/null -H 'Authorization: Bearer bench-key-0' "$url/Type0s/entry"
  startup=$((($(now) - began) / 1000000))
}

serve 2; few=$pid few_url=$url
serve "$many"; large=$pid large_url=$url

cat >"$work/walk.lua" <<LUA
local step = 0
request = function()
  local organization, path = math.floor(step / ($types + 1)) % $many, step % ($types + 1)
  step = step + 1
  local target = path == $types and "/scim/v2/ResourceTypes" or "/scim/v2/Type" .. path .. "s/entry"
  return wrk.format("GET", target, {["Authorization"] = "Bearer bench-key-" .. organization})
end
done = function(summary)
  io.write(string.format("%d %d\n", summary.requests, summary.errors.status))
end
LUA
# The database's pages come into memory with a walk over one organisation's data as well; they are no growth of the program.
before=$(memory "$large")
asked=0
while [ "$asked" -lt $((many * (types + 1))) ]; do
  read -r requests errors < <(wrk -t1 -c4 -d3 -s "$work/walk.lua" "$large_url" | tail -1)
  [ "$errors" -eq 0 ] || { echo "$errors errors" >&2; exit 1; }
  asked=$requests
  [ "$asked" -ge $((many * (types + 1))) ] || echo "$asked requests were not enough; once more" >&2
done
after=$(memory "$large")
each=$(((after - before) / many))

# turn PID URL: microseconds of CPU for each request.
turn() {
  local began requests
  began=$(cpu "$1")
  requests=$(wrk -t1 -c16 -d3 -H 'Authorization: Bearer bench-key-1' "$2/Type0s/entry" | awk '/requests in/ { print $1 }')
  awk -v began="$began" -v ended="$(cpu "$1")" -v requests="$requests" 'BEGIN { printf "%.2f\n", (ended - began) / requests }'
}
for _ in 1 2 3 4 5; do
  turn "$few" "$few_url" >>"$work/few"
  turn "$large" "$large_url" >>"$work/large"
done
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
few_cost=$(median "$work/few") large_cost=$(median "$work/large")
ratio=$(awk -v a="$large_cost" -v b="$few_cost" 'BEGIN { printf "%.2f", a / b }')

echo "organisations: $many with $types types each"
echo "start-up to the first answer: $startup ms"
echo "memory: $before KB before, $after KB after each was asked; $each KB an organisation"
echo "CPU of a request: $few_cost us with 2 organisations, $large_cost us with $many; ratio $ratio"
awk -v each="$each" -v startup="$startup" -v ratio="$ratio" 'BEGIN { exit !(each < 100 && startup < 1000 && ratio < 1.2) }'
