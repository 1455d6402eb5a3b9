#!/bin/bash
# Kills the server again and again while it writes, and looks whether all that was acknowledged is there and is found.
#
#   Benchmarks/crash.sh [--rounds N] [--seconds N] [--connections N] [--port N] [--random N]
#
# In each of --rounds rounds (100) --connections clients (16) create, replace, change and delete users and groups, one by
# one and in Bulk requests, until SIGKILL ends the server at some time around --seconds (1). It is started again on the
# same file (in every fifth round it is killed once more while it starts), and all is looked up over HTTP: what was
# acknowledged by id and by filter, what was not whether it is there as a whole or not at all, links from both sides,
# counts of assignments. At the end `roster check` must find nothing. Prints the rounds, the acknowledged writes, how many
# were lost and how many halves there were; the exit code is 1 if there were any, or answers other than success. --random
# begins the random numbers of the clients. Uses the release build; ROSTER names another program. Some 8 minutes; needs
# python3 and some 200 MB in TMPDIR, which are gone afterwards, or stay and are named if something was wrong.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

rounds=100 seconds=1 connections=16 port=18490 random=$RANDOM
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) rounds=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --connections) connections=$2; shift ;;
    --port) port=$2; shift ;;
    --random) random=$2; shift ;;
    *) sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift
done
command -v python3 >/dev/null || die "needs python3"
[ -x "$roster" ] || die "needs a release build: make build"
work=$(mktemp -d "${TMPDIR:-/tmp}/roster-crash.XXXXXX")
trap cleanup EXIT
trap 'exit 130' INT TERM

"$roster" org create crash.example --catalog closed --db "$work/bench.db" >/dev/null
key=$("$roster" key create crash.example --role admin --label crash --db "$work/bench.db" | head -n 1)
# The driver starts and kills the server, and ends its last one however it ends itself.
python3 "$here/crash.py" "$roster" "$work/bench.db" "$port" "$key" "$rounds" "$seconds" "$connections" "$random" &
servers=$!
wait "$servers" || failed=1
servers=
verdict=$("$roster" check --db "$work/bench.db" 2>&1) || failed=1
say "check: $verdict"
if [ "$failed" = 1 ]; then say "What is left is in $work (--random $random)"; work=; exit 1; fi
