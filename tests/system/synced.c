/* Preloaded into a store: notes how much of a file was written when a sync of it that succeeded began.
 * What came after that is what a power cut may take. One line `LENGTH PATH` a sync, in the file that SYNCED names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int noted(const char *name, int file) {
  struct stat before;
  char link[64], path[4096];
  int (*sync_it)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int has_length = fstat(file, &before) == 0;
  int status = sync_it(file);
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  int notes = open(getenv("SYNCED"), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (status == 0 && has_length && length > 0 && notes >= 0)
    dprintf(notes, "%lld %.*s\n", (long long)before.st_size, (int)length, path);
  if (notes >= 0) close(notes);
  return status;
}

int fsync(int file) { return noted("fsync", file); }
int fdatasync(int file) { return noted("fdatasync", file); }
