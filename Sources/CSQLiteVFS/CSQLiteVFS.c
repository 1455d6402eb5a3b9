#include "CSQLiteVFS.h"
#include <sqlite3.h>
#include <string.h>
#include <sys/statvfs.h>

const char *csqlitevfs_name(void) { return "roster"; }

// What the library maps at most, whatever it is asked for.
#define MOST_MAPPED 0x7fff0000

typedef struct {
  sqlite3_file base;
  const char *name;
  int is_log;
  // Of a database: how much of it may be mapped, and the size that it had when it was mapped; 0 where it is not.
  sqlite3_int64 limit, mapped;
  // Of a log: the length up to which no look at the free space is needed.
  sqlite3_int64 allowed;
} layer;

#define REAL(file) ((sqlite3_file *)((layer *)(file) + 1))
#define CALL(file, method, ...) REAL(file)->pMethods->method(REAL(file), ##__VA_ARGS__)

static sqlite3_int64 size_of(sqlite3_file *file) {
  sqlite3_int64 size;
  return CALL(file, xFileSize, &size) == SQLITE_OK ? size : -1;
}

// ---- The mapping of the database

static int fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **page) {
  layer *own = (layer *)file;
  if (own->mapped) return CALL(file, xFetch, offset, count, page);
  // The library maps the file as it is now. Another process may change its size meanwhile: the larger size is kept, so
  // that a file which is shorter than what is mapped never looks long enough.
  sqlite3_int64 before = size_of(file);
  int status = CALL(file, xFetch, offset, count, page);
  if (status == SQLITE_OK && *page) {
    sqlite3_int64 after = size_of(file);
    own->mapped = after > before ? after : before;
  }
  return status;
}

static int unfetch(sqlite3_file *file, sqlite3_int64 offset, void *page) {
  layer *own = (layer *)file;
  // Without a page the library gives up the whole mapping: another connection has committed, and the file may have
  // another size. Where it has not become shorter, all that is mapped is good, since it is the file itself.
  if (!page && own->mapped > 0) {
    sqlite3_int64 size = size_of(file);
    sqlite3_int64 missing = (size < own->limit ? size : own->limit) - own->mapped;
    if (size >= own->mapped && missing < own->mapped / 16 + (256 << 10)) return SQLITE_OK;
    own->mapped = 0;
  }
  return CALL(file, xUnfetch, offset, page);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  layer *own = (layer *)file;
  if (operation == SQLITE_FCNTL_MMAP_SIZE) {
    sqlite3_int64 limit = *(sqlite3_int64 *)argument;
    if (limit >= 0) own->limit = limit < MOST_MAPPED ? limit : MOST_MAPPED;
    int status = CALL(file, xFileControl, operation, argument);
    // It may have been mapped anew.
    if (own->mapped) own->mapped = size_of(file);
    return status;
  }
  return CALL(file, xFileControl, operation, argument);
}

// ---- The length of the log

// A log that took the last free byte could not be copied to the database, which has to grow for that: it would stay, and
// with it the full disk. So it grows only while there is as much free as it is long, and a little for the shared memory.
static int may_grow(layer *own, sqlite3_int64 end) {
  sqlite3_int64 size = size_of((sqlite3_file *)own);
  if (end <= size) {
    own->allowed = size;
    return 1;
  }
  struct statvfs disk;
  if (statvfs(own->name, &disk) != 0) return 1;
  sqlite3_int64 room = (sqlite3_int64)disk.f_bavail * (sqlite3_int64)disk.f_frsize;
  sqlite3_int64 left = room - (end - size) - end - (64 << 10);
  if (left < 0) return 0;
  own->allowed = end + (left / 4 < (1 << 20) ? left / 4 : 1 << 20);
  return 1;
}

static int write_to(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  layer *own = (layer *)file;
  if (own->is_log && offset + count > own->allowed && !may_grow(own, offset + count)) return SQLITE_FULL;
  return CALL(file, xWrite, bytes, count, offset);
}

static int truncate_to(sqlite3_file *file, sqlite3_int64 size) {
  ((layer *)file)->allowed = 0;
  return CALL(file, xTruncate, size);
}

// ---- What is passed on as it is

static int close_file(sqlite3_file *file) {
  int status = CALL(file, xClose);
  file->pMethods = 0;
  return status;
}
static int read_from(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return CALL(file, xRead, bytes, count, offset);
}
static int sync_file(sqlite3_file *file, int flags) { return CALL(file, xSync, flags); }
static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return CALL(file, xFileSize, size); }
static int lock(sqlite3_file *file, int level) { return CALL(file, xLock, level); }
static int unlock(sqlite3_file *file, int level) { return CALL(file, xUnlock, level); }
static int check_lock(sqlite3_file *file, int *result) { return CALL(file, xCheckReservedLock, result); }
static int sector_size(sqlite3_file *file) { return CALL(file, xSectorSize); }
static int characteristics(sqlite3_file *file) { return CALL(file, xDeviceCharacteristics); }
static int shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  return CALL(file, xShmMap, page, size, extend, memory);
}
static int shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return CALL(file, xShmLock, offset, count, flags);
}
static void shm_barrier(sqlite3_file *file) { CALL(file, xShmBarrier); }
static int shm_unmap(sqlite3_file *file, int deletes) { return CALL(file, xShmUnmap, deletes); }

static const sqlite3_io_methods methods = {
  3, close_file, read_from, write_to, truncate_to, sync_file, file_size, lock, unlock, check_lock, file_control,
  sector_size, characteristics, shm_map, shm_lock, shm_barrier, shm_unmap, fetch, unfetch,
};

#define ROOT(vfs) ((sqlite3_vfs *)(vfs)->pAppData)

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *given) {
  layer *own = (layer *)file;
  memset(own, 0, sizeof *own);
  // The library keeps the name for as long as the file is open.
  own->name = name;
  own->is_log = name && (flags & SQLITE_OPEN_WAL);
  memset(REAL(file), 0, ROOT(vfs)->szOsFile);
  int status = ROOT(vfs)->xOpen(ROOT(vfs), name, REAL(file), flags, given);
  if (!REAL(file)->pMethods) return status;
  if (REAL(file)->pMethods->iVersion < 3) {
    CALL(file, xClose);
    return SQLITE_CANTOPEN;
  }
  file->pMethods = &methods;
  return status;
}
static int delete_file(sqlite3_vfs *vfs, const char *name, int sync) {
  return ROOT(vfs)->xDelete(ROOT(vfs), name, sync);
}
static int access_file(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  return ROOT(vfs)->xAccess(ROOT(vfs), name, flags, result);
}
static int full_name(sqlite3_vfs *vfs, const char *name, int count, char *full) {
  return ROOT(vfs)->xFullPathname(ROOT(vfs), name, count, full);
}
static void *load(sqlite3_vfs *vfs, const char *name) { return ROOT(vfs)->xDlOpen(ROOT(vfs), name); }
static void load_error(sqlite3_vfs *vfs, int count, char *text) { ROOT(vfs)->xDlError(ROOT(vfs), count, text); }
static void (*symbol(sqlite3_vfs *vfs, void *library, const char *name))(void) {
  return ROOT(vfs)->xDlSym(ROOT(vfs), library, name);
}
static void unload(sqlite3_vfs *vfs, void *library) { ROOT(vfs)->xDlClose(ROOT(vfs), library); }
static int randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  return ROOT(vfs)->xRandomness(ROOT(vfs), count, bytes);
}
static int sleep_for(sqlite3_vfs *vfs, int microseconds) { return ROOT(vfs)->xSleep(ROOT(vfs), microseconds); }
static int current_time(sqlite3_vfs *vfs, double *time) { return ROOT(vfs)->xCurrentTime(ROOT(vfs), time); }
static int last_error(sqlite3_vfs *vfs, int count, char *text) {
  return ROOT(vfs)->xGetLastError(ROOT(vfs), count, text);
}
static int current_time64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  return ROOT(vfs)->xCurrentTimeInt64(ROOT(vfs), time);
}

int csqlitevfs_register(void) {
  static sqlite3_vfs vfs;
  sqlite3_vfs *root = sqlite3_vfs_find(0);
  if (!root) return SQLITE_ERROR;
  if (root == &vfs) return SQLITE_OK;
  vfs = (sqlite3_vfs){
    .iVersion = 2, .szOsFile = (int)sizeof(layer) + root->szOsFile, .mxPathname = root->mxPathname,
    .zName = csqlitevfs_name(), .pAppData = root, .xOpen = open_file, .xDelete = delete_file, .xAccess = access_file,
    .xFullPathname = full_name, .xDlOpen = load, .xDlError = load_error, .xDlSym = symbol, .xDlClose = unload,
    .xRandomness = randomness, .xSleep = sleep_for, .xCurrentTime = current_time, .xGetLastError = last_error,
    .xCurrentTimeInt64 = current_time64,
  };
  return sqlite3_vfs_register(&vfs, 0);
}
