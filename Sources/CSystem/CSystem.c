#define _GNU_SOURCE
#include "CSystem.h"
#include <malloc.h>
#include <signal.h>
#include <pthread.h>
#include <sys/resource.h>
#include <time.h>

enum { BATCH = 256 };

int csystem_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int epoll, int operation, int fd, uint32_t interest, uint64_t token) {
  struct epoll_event event = {.events = interest, .data.u64 = token};
  return epoll_ctl(epoll, operation, fd, &event);
}

int csystem_epoll_add(int epoll, int fd, uint32_t interest, uint64_t token) {
  return control(epoll, EPOLL_CTL_ADD, fd, interest, token);
}

int csystem_epoll_modify(int epoll, int fd, uint32_t interest, uint64_t token) {
  return control(epoll, EPOLL_CTL_MOD, fd, interest, token);
}

int csystem_epoll_remove(int epoll, int fd) { return control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

int csystem_epoll_wait(int epoll, csystem_event *events, int count, int milliseconds) {
  struct epoll_event ready[BATCH];
  int n = epoll_wait(epoll, ready, count < BATCH ? count : BATCH, milliseconds);
  for (int i = 0; i < n; i++) {
    events[i].ready = ready[i].events;
    events[i].token = ready[i].data.u64;
  }
  return n;
}

int csystem_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int csystem_socket(int family) { return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

int csystem_accept(int listener, struct sockaddr_storage *peer) {
  socklen_t length = sizeof *peer;
  return accept4(listener, (struct sockaddr *)peer, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

long csystem_send(int fd, const void *bytes, unsigned long count) { return send(fd, bytes, count, MSG_NOSIGNAL); }

long csystem_send_two(int fd, const void *first, unsigned long first_count, const void *second,
                      unsigned long second_count) {
  struct iovec pieces[2] = {{(void *)first, first_count}, {(void *)second, second_count}};
  struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};
  return sendmsg(fd, &message, MSG_NOSIGNAL);
}

int64_t csystem_milliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t csystem_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME_COARSE, &t);
  return t.tv_sec;
}

void csystem_raise_file_limit(uint64_t wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > wanted ? wanted : limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void csystem_block_signals(void) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, 0);
}

void csystem_ignore_write_signals(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

void csystem_tune_memory(void) {
  // Fixed: by default the threshold rises to the longest block that was ever freed, up to 32 MiB, and blocks below it
  // stay with the process.
  mallopt(M_MMAP_THRESHOLD, 512 << 10);
  mallopt(M_TRIM_THRESHOLD, 2 << 20);
}

void csystem_trim_memory(void) { malloc_trim(0); }

uint64_t csystem_address_space_limit(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : UINT64_MAX;
}
