#!/bin/bash
# Fills a small disk under a server, frees it, and looks whether all that was acknowledged is there and is found.
#
#   Benchmarks/full-disk.sh [--seconds N] [--port N] [--size MB]
#
# --seconds says how long 16 clients write onto the full disk (60), --size how large the disk is (64). It is a file system
# in memory, for which the script must be run by root. Some two minutes; everything is gone afterwards.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

seconds=60 port=18480 size=64
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=$2; shift ;;
    --port) port=$2; shift ;;
    --size) size=$2; shift ;;
    *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift
done
[ "$(id -u)" = 0 ] || die "must be run by root: it mounts a file system"
prepare
disk=$work/disk
mkdir "$disk"
mount -t tmpfs -o size="${size}m" tmpfs "$disk"
trap 'cleanup_disk' EXIT
cleanup_disk() {
  for pid in $servers; do kill "$pid" 2>/dev/null || true; done
  for pid in $servers; do wait "$pid" 2>/dev/null || true; done
  servers=
  umount "$disk" 2>/dev/null || umount -l "$disk"
  rm -rf "$work"
}
base=http://127.0.0.1:$port/scim/v2
failures=0
expect() { # expect TEXT VALUE WANTED
  if [ "$2" = "$3" ]; then say "  ok     $1: $2"; else say "  WRONG  $1: $2 (wanted $3)"; failures=$((failures + 1)); fi
}
fill() { dd if=/dev/zero of="$disk/filler" bs=64k 2>/dev/null || true; dd if=/dev/zero of="$disk/filler2" bs=1k 2>/dev/null || true; }
free() { rm -f "$disk/filler" "$disk/filler2"; }
start() { background "$1" "$roster" serve --db "$disk/b.db" --port "$port"; ready "$base/ServiceProviderConfig"; }
post() { # post PATH BODY: prints the status
  curl -s -o "$work/answer" -w '%{http_code}' --max-time 20 -H "$authorization" -H 'Content-Type: application/scim+json' \
    "$base$1" -d "$2"
}
total() { # total PATH FILTER
  curl -s --max-time 20 -H "$authorization" -G "$base$1" --data-urlencode "filter=$2" --data-urlencode count=0 |
    sed -n 's/.*"totalResults":\([0-9]*\).*/\1/p'
}
user() { # user NAME ATTRIBUTE
  printf '{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"%s","%s":"%s"}' "$1" "$2" "$1"
}

# many CLIENTS TAG: as many users at once, each with attributes that nobody has yet; prints the statuses.
many() {
  for n in $(seq "$1"); do
    attribute=$(echo nickName title displayName preferredLanguage locale timezone | cut -d' ' -f$((n % 6 + 1)))
    value="$2$n"; case $attribute in preferredLanguage) value=de ;; locale) value=de-DE ;; timezone) value=Europe/Berlin ;; esac
    curl -s -o /dev/null -w '%{http_code}\n' --max-time 20 -H "$authorization" -H 'Content-Type: application/scim+json' \
      "$base/Users" -d "{\"schemas\":[\"urn:ietf:params:scim:schemas:core:2.0:User\"],\"userName\":\"$2$n\",\"$attribute\":\"$value\"}" &
    echo $! >>"$work/curls"
  done | sort | uniq -c
  wait $(cat "$work/curls") 2>/dev/null || true
  : >"$work/curls"
}

say "First rows of every kind on a full disk"
for clients in 1 24; do
  rm -f "$disk"/b.db*
  "$roster" org create bench.example --db "$disk/b.db" >/dev/null
  key=$("$roster" key create bench.example --role admin --label bench --db "$disk/b.db" --json |
    sed -n 's/.*"key" *: *"\([^"]*\)".*/\1/p')
  authorization="Authorization: Bearer $key"
  start "first$clients"
  server=$started
  fill
  many "$clients" full >"$work/statuses"
  say "         $clients at once on the full disk: $(tr -s ' \n' ' ' <"$work/statuses")"
  expect "answers other than 201 and 503" "$(awk '$2 != 201 && $2 != 503' "$work/statuses" | wc -l)" 0
  free
  expect "a group afterwards" "$(post /Groups '{"schemas":["urn:ietf:params:scim:schemas:core:2.0:Group"],"displayName":"g"}')" 201
  many "$clients" free >"$work/statuses"
  expect "users afterwards" "$(tr -s ' \n' ' ' <"$work/statuses")" " $clients 201 "
  expect "one more" "$(post /Users "$(user zeta nickName)")" 201
  expect "found by nickName" "$(total /Users 'nickName eq "zeta"')" 1
  expect "found by displayName" "$(total /Groups 'displayName eq "g"')" 1
  stop "$server"
  expect "check" "$("$roster" check --db "$disk/b.db" 2>&1)" "No problems found."
done

say "16 clients that write for $seconds s onto a disk of $size MB"
start load
server=$started
wrk -t1 -c16 -d"$seconds" "http://127.0.0.1:$port/scim/v2/Users" -H "$authorization" \
  -H 'Content-Type: application/scim+json' -s "$here/fill.lua" -- load "$work/acknowledged" >/dev/null
say "         answers: $(sort "$work/acknowledged.status" | tr '\n' ';'), log $(du -k "$disk/b.db-wal" | cut -f1) KB, free $(df -k --output=avail "$disk" | tail -1) KB"
expect "answers other than 201 and 503" "$(awk '$1 != 201 && $1 != 503' "$work/acknowledged.status" | wc -l)" 0
expect "a read on the full disk" "$(curl -s -o /dev/null -w '%{http_code}' -H "$authorization" "$base/Users?count=1")" 200
fill
# What the log has of the disk already is still written to.
for n in $(seq 2000); do [ "$(post /Users "$(user "last$n" nickName)")" = 201 ] || break; echo "last$n" >>"$work/last"; done
expect "a write on the full disk" "$(post /Users "$(user late nickName)")" 503
expect "its text" "$(grep -o 'The disk is full' "$work/answer")" "The disk is full"
kill -9 "$server"; wait "$server" 2>/dev/null || true
start again
server=$started
expect "after a restart on the full disk, a read" "$(total /Users "userName eq \"$(head -1 "$work/acknowledged")\"")" 1
expect "and a write" "$(post /Users "$(user late nickName)")" 503
free
# What was written may have filled the disk by itself.
mount -o remount,size="$((size * 2))m" "$disk"
expect "once there is room, a write" "$(post /Users "$(user late nickName)")" 201
count=$(wc -l <"$work/acknowledged")
found=$(total /Users 'title eq "of load"')
expect "at least as many as acknowledged, by title" "$([ "$found" -ge "$count" ] && echo yes || echo "$found of $count")" yes
lost=0
for name in $(shuf -n 1000 "$work/acknowledged") $(cat "$work/last" 2>/dev/null); do
  [ "$(total /Users "userName eq \"$name\" and nickName eq \"$name\"")" = 1 ] || lost=$((lost + 1))
done
expect "of 1,000 and the last acknowledged ones, not found" "$lost" 0
stop "$server"
expect "check" "$("$roster" check --db "$disk/b.db" 2>&1)" "No problems found."
[ "$failures" = 0 ]
