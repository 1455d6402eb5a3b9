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

/// Sends two pieces, one behind the other, without raising SIGPIPE.
long csystem_send_two(int fd, const void *first, unsigned long first_count, const void *second,
                      unsigned long second_count);

/// Milliseconds of the monotonic clock, exact to a few of them and cheap to read.
int64_t csystem_milliseconds(void);
/// Seconds since 1970, exact to a few milliseconds and cheap to read.
int64_t csystem_seconds(void);

/// Sets the soft limit of open files to `wanted`, as far as the hard limit goes.
void csystem_raise_file_limit(uint64_t wanted);
/// Blocks every signal for the calling thread.
void csystem_block_signals(void);
/// Ignores SIGPIPE and SIGXFSZ in the whole process: both are told by the call that fails.
void csystem_ignore_write_signals(void);

/// Has the allocator give memory back: long blocks are mapped one by one and unmapped when they are freed. To be
/// called before threads are started.
void csystem_tune_memory(void);
/// Gives the system back what is free inside the arenas; takes some milliseconds, and other threads' allocations wait.
void csystem_trim_memory(void);
/// The limit of the process's address space in bytes; UINT64_MAX where there is none.
uint64_t csystem_address_space_limit(void);
