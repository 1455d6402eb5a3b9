#!/bin/bash
# Measures a release build of Roster against a floor, the least that a C program can do on epoll, and against nginx.
#
#   Benchmarks/run.sh [--users N | --copy DB] [--seconds N] [--rounds N] [--port N] [--strict] [PART...]
#
# PART is one or more of: fixed read write start (all of them if none is named). --users says how many there are in the
# database (100000); --copy begins with a copy of a database that `roster seed --generate` made. --seconds says how long
# each turn of wrk takes (2), --rounds how many turns there are (3), --port the first of the six ports that are used
# (18400). All that are compared are asked in turn in the same run, with 32 connections, and the medians of the rounds
# are printed. --strict makes a missed target the script's failure. Some two minutes, half of them for the users.
#
# Needs cc, wrk, curl, nginx and some 600 MB in TMPDIR, which are gone afterwards; the write part tells something of a
# disk only where TMPDIR is on one.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

users=100000 port=18400 strict=0 parts= copy=
while [ $# -gt 0 ]; do
  case $1 in
    --users) users=$2; shift ;;
    --copy) copy=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --rounds) rounds=$2; shift ;;
    --port) port=$2; shift ;;
    --strict) strict=1 ;;
    fixed | read | write | start) parts="$parts $1" ;;
    *) sed -n '2,16s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift
done
wants() { [ -z "$parts" ] || case " $parts " in *" $1 "*) true ;; *) false ;; esac; }

prepare
nginx=$(command -v nginx || ls /usr/sbin/nginx 2>/dev/null) || die "needs nginx (apt-get install nginx-light)"
seed

base=http://127.0.0.1:$port
serve roster "$port"
server=$started
get() { curl -sf --max-time 10 -H "$authorization" "$base$1"; }

# The floor answers 600 bytes, and once more as many as the answer that it is compared with.
floor() { background "floor-$2" "$work/floor" "$1" 2 "$2"; ready "http://127.0.0.1:$1/"; }
floor $((port + 1)) 600
floor600=$started

if wants fixed; then
  path=/scim/v2/ServiceProviderConfig
  size=$(curl -s "$base$path" | wc -c)
  floor $((port + 2)) "$size"
  equal=$started
  for _ in $(seq "$rounds"); do
    measure fixed "floor, 600 bytes" "$floor600" "http://127.0.0.1:$((port + 1))/"
    measure fixed "floor, $size bytes" "$equal" "http://127.0.0.1:$((port + 2))/"
    measure fixed "roster, $size bytes" "$server" "$base$path"
  done
  stop "$equal"
  say; say "A fixed document: GET $path without a key"
  table fixed
  target "of the floor" "$(ratio fixed "roster, $size bytes" "floor, 600 bytes")" '>=' 0.85
  say "         of a floor that sends as much: $(ratio fixed "roster, $size bytes" "floor, $size bytes")"
fi

if wants read; then
  # A user of the usual size, and the paths of 10,000 users in no order.
  for page in $(seq 10); do
    get "/scim/v2/Users?attributes=id&count=1000&startIndex=$((1 + (page - 1) * (users / 10)))"
  done | grep -o '"id":"[^"]*"' | cut -d'"' -f4 | sed 's|^|/scim/v2/Users/|' | shuf --random-source=<(yes) >"$work/paths"
  hot=$(head -1 "$work/paths")
  mkdir -p "$work/www"
  get "$hot" >"$work/www/user.json"
  size=$(wc -c <"$work/www/user.json")
  cat >"$work/nginx.conf" <<END
daemon off; worker_processes 2; pid $work/nginx.pid; error_log $work/nginx.log;
events { worker_connections 512; multi_accept on; }
http {
  access_log off; sendfile on; tcp_nodelay on; keepalive_requests 100000000; open_file_cache max=10;
  types { application/json json; }
  client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3; uwsgi_temp_path $work/t4;
  scgi_temp_path $work/t5;
  server { listen 127.0.0.1:$((port + 3)) reuseport; root $work/www; }
}
END
  # The workers of an nginx that root starts are another user, who must be able to read the file.
  chmod 755 "$work" "$work/www"
  background nginx "$nginx" -c "$work/nginx.conf" -p "$work"
  web=$started
  ready "http://127.0.0.1:$((port + 3))/user.json"
  for round in $(seq "$rounds"); do
    measure read floor "$floor600" "http://127.0.0.1:$((port + 1))$hot" -H "$authorization"
    measure read "nginx, a file of $size bytes" "$web" "http://127.0.0.1:$((port + 3))/user.json" -H "$authorization"
    measure read "roster, the same user" "$server" "$base$hot" -H "$authorization"
    measure read "floor, client with paths" "$floor600" "http://127.0.0.1:$((port + 1))" -H "$authorization" \
      -s "$here/walk.lua" -- "$work/paths"
    measure read "roster, users in no order" "$server" "$base" -H "$authorization" -s "$here/walk.lua" -- "$work/paths" \
      $((round * 1234))
  done
  stop "$web"
  say; say "One user by id among $users, key checked"
  table read
  target "of the floor, the same user" "$(ratio read "roster, the same user" floor)" '>=' 0.60
  target "of nginx, the same user" "$(ratio read "roster, the same user" "nginx, a file of $size bytes")" '>=' 0.80
  target "of the floor, users in no order" "$(ratio read "roster, users in no order" "floor, client with paths")" '>=' 0.60
fi

if wants write; then
  serve single $((port + 4)) --writes-per-commit 1
  single=$started
  for round in $(seq "$rounds"); do
    measure write "a commit for each" "$single" "http://127.0.0.1:$((port + 4))/scim/v2/Users" -H "$authorization" \
      -H 'Content-Type: application/scim+json' -s "$here/create.lua" -- "single$round"
    measure write "commits together" "$server" "$base/scim/v2/Users" -H "$authorization" \
      -H 'Content-Type: application/scim+json' -s "$here/create.lua" -- "group$round"
  done
  stop "$single"
  say; say "POST of a user, on disk before the answer (synchronous=FULL)"
  table write
  target "times a commit for each" "$(ratio write "commits together" "a commit for each")" '>=' 2
fi

say; say "After these runs"
target "private memory of the server in MB" "$(private_memory "$server")" '<=' 64
stop "$server"

if wants start; then
  # From the start of the process to the end of the first answer, asked again and again.
  for _ in 1 2 3 4 5; do
    from=$(date +%s%N)
    background start "$roster" serve --db "$work/bench.db" --port $((port + 5))
    until curl -so /dev/null "http://127.0.0.1:$((port + 5))/scim/v2/ServiceProviderConfig"; do :; done
    echo $((($(date +%s%N) - from) / 1000000))
    stop "$started"
  done >"$work/starts"
  target "ms from start to the first answer" "$(sort -n "$work/starts" | sed -n 3p)" '<=' 200
fi
[ "$strict" = 0 ] || [ "$failed" = 0 ]
