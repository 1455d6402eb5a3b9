#pragma once
// What Swift cannot import from the C library: functions behind _GNU_SOURCE, macros, and members of packed unions.
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>

/// One event of an epoll set: the bits that are ready and the token that the descriptor was registered with.
typedef struct {
  uint32_t ready;
  uint64_t token;
} csystem_event;

static const uint32_t CSYSTEM_IN = EPOLLIN;
static const uint32_t CSYSTEM_OUT = EPOLLOUT;
static const uint32_t CSYSTEM_ERROR = EPOLLERR;
static const uint32_t CSYSTEM_HANGUP = EPOLLHUP;

int csystem_epoll_create(void);
int csystem_epoll_add(int epoll, int fd, uint32_t interest, uint64_t token);
int csystem_epoll_modify(int epoll, int fd, uint32_t interest, uint64_t token);
int csystem_epoll_remove(int epoll, int fd);
/// Waits up to `milliseconds` (-1: for ever) for at most 256 events.
int csystem_epoll_wait(int epoll, csystem_event *events, int count, int milliseconds);

/// A new event counter, not blocking; -1 where there is none to be had.
int csystem_eventfd(void);

/// A new stream socket, neither blocking nor inherited.
int csystem_socket(int family);
/// Accepts a connection, neither blocking nor inherited.
int csystem_accept(int listener, struct sockaddr_storage *peer);
/// Sends without raising SIGPIPE.
long csystem_send(int fd, const void *bytes, unsigned long count);

/// Milliseconds of the monotonic clock, exact to a few of them and cheap to read.
int64_t csystem_milliseconds(void);
/// Seconds since 1970, exact to a few milliseconds and cheap to read.
int64_t csystem_seconds(void);

/// Sets the soft limit of open files to `wanted`, as far as the hard limit goes.
void csystem_raise_file_limit(uint64_t wanted);
/// Blocks every signal for the calling thread.
void csystem_block_signals(void);
/// Ignores SIGPIPE in the whole process.
void csystem_ignore_sigpipe(void);
