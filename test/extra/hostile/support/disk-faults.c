/* Disk faults on demand, by LD_PRELOAD. While the file named by DISK_FAULTS exists, it says which calls fail and with
 * which errno, a line each: `fsync 5`, `write 28`, `open 30`. Only files below DISK_FAULTS_UNDER are concerned. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int fault(const char *call) {
  const char *path = getenv("DISK_FAULTS");
  if (path == NULL) return 0;
  int fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[256];
  long length = syscall(SYS_read, fd, text, sizeof text - 1);
  syscall(SYS_close, fd);
  if (length <= 0) return 0;
  text[length] = 0;
  for (char *save, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    size_t size = strlen(call);
    if (strncmp(line, call, size) == 0 && line[size] == ' ') return atoi(line + size + 1);
  }
  return 0;
}

static int is_under(const char *path) {
  const char *root = getenv("DISK_FAULTS_UNDER");
  return root != NULL && strncmp(path, root, strlen(root)) == 0;
}

static int fails(const char *call, int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (!is_under(path)) return 0;
  int code = fault(call);
  if (code != 0) errno = code;
  return code;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fsync(int fd) { return fails("fsync", fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails("fsync", fd) ? -1 : REAL(fdatasync)(fd); }
ssize_t write(int fd, const void *b, size_t n) { return fails("write", fd) ? -1 : REAL(write)(fd, b, n); }
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) { return fails("write", fd) ? -1 : REAL(pwrite64)(fd, b, n, o); }
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { return fails("write", fd) ? -1 : REAL(pwrite)(fd, b, n, o); }
ssize_t writev(int fd, const struct iovec *v, int n) { return fails("write", fd) ? -1 : REAL(writev)(fd, v, n); }

static int refuses(const char *path, int flags) {
  if (!(flags & (O_WRONLY | O_RDWR | O_CREAT)) || !is_under(path)) return 0;
  int code = fault("open");
  if (code != 0) errno = code;
  return code;
}

#define OPEN(name)                                                        \
  int name(const char *path, int flags, ...) {                            \
    va_list list;                                                         \
    va_start(list, flags);                                                \
    int mode = va_arg(list, int);                                         \
    va_end(list);                                                         \
    return refuses(path, flags) ? -1 : REAL(name)(path, flags, mode);     \
  }
OPEN(open)
OPEN(open64)
