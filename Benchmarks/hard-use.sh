#!/bin/bash
# Measures what one organisation's heavy requests cost another one.
#
#   Benchmarks/hard-use.sh [SECONDS]
#
# An organisation asks for the dearest things that there are, for SECONDS (10) each: searches of 190 conditions on users
# with very many e-mails over six connections; then on one connection, again and again, thousands of groups put into a
# group that thousands contain, roles of very many parts, users of very many e-mails and entitlements, Bulk requests that
# replace and delete such users, and the deletion of a role that everybody holds. Beside that another organisation reads
# one of its users and changes another, one request after the other on a connection each: their p50, p99 and most are
# printed, alone and beside each. Uses the release build; ROSTER names another program, PORT another port. Wanted: GET
# p99 of 20 ms, PATCH p99 of 100 ms. Needs python3 and some 200 MB in TMPDIR, which are gone afterwards.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
roster=${ROSTER:-$here/../.build/release/roster}
[ -x "$roster" ] || { echo "There is no $roster; see make build" >&2; exit 1; }
work=$(mktemp -d "${TMPDIR:-/tmp}/roster-hard.XXXXXX")
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

"$roster" seed --generate 5000 --org heavy.example --db "$work/roster.db" >/dev/null 2>&1
"$roster" seed --generate 2000 --org light.example --seed 2 --db "$work/roster.db" >/dev/null 2>&1
key() { "$roster" key create "$1" --role admin --label hard-use --db "$work/roster.db" | head -n 1; }
heavy=$(key heavy.example) light=$(key light.example)
"$roster" serve --db "$work/roster.db" --port "${PORT:-7899}" >"$work/serve" 2>"$work/errors" &
server=$!
until [ -s "$work/serve" ]; do kill -0 "$server" || { cat "$work/errors" >&2; exit 1; }; sleep 0.1; done
python3 "$here/hard_use.py" "${PORT:-7899}" "$heavy" "$light" "${1:-10}"
