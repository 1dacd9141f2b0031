/* What a program does that wants to hold memory which is not its own. Part of escape-attempts.c. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Other processes, and threads with descriptors of their own, would each hold as much again. */
static void start_others(void) {
  static char stack[2][65536];
  pid_t child = fork();
  if (child == 0) _exit(0);
  won(child > 0, "filtered: start a process");
  child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  won(child > 0, "filtered: start a process by clone");
  const int thread = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD;
  won(clone((int (*)(void *))pause, stack[0] + sizeof stack[0], thread, NULL) > 0, "filtered: start a thread with descriptors of its own");
  won(syscall(436, 900, 1000, 2) == 0, "filtered: take descriptors of its own");
}

/* Files that every program of the machine uses, though they are only for reading. */
static void hold_files(void) {
  const char *files[] = {"/bin/program", "/lib/x86_64-linux-gnu/libc.so.6", "/lib64/libc.so.6", "/lib/aarch64-linux-gnu/libc.so.6"};
  struct file_lock_of { short type, whence; long long start, length; int pid; } part = {F_RDLCK, SEEK_SET, 0, 0, 0};
  for (int at = 0; at < 4; at++) {
    int fd = open(files[at], O_RDONLY);
    if (fd < 0) continue;
    won(syscall(SYS_flock, fd, 2 | 4) == 0, "filtered: lock a file of the system");
    won(syscall(SYS_flock, fd, 1 | 4) == 0, "filtered: share a lock of a file of the system");
    won(fcntl(fd, 1024, 0) == 0, "filtered: take a lease of a file of the system");
    won(fcntl(fd, 37, &part) == 0, "filtered: lock a part of a file of the system for its descriptor");
    close(fd);
  }
  int root = open("/", O_RDONLY);
  won(root >= 0 && fcntl(root, 1026, 1) == 0, "filtered: watch a directory by signals");
  close(root);
  int watch = syscall(SYS_inotify_init1, 0);
  won(watch >= 0, "filtered: watch files");
  won(watch >= 0 && syscall(SYS_inotify_add_watch, watch, files[0], 0x20) >= 0, "filtered: watch each start of a program");
  won(syscall(SYS_fanotify_init, 0x200, 0) >= 0, "filtered: watch a file system");
}

/* What is in a pipe or a socket is no program's memory. */
static void enlarge(void) {
  int ends[2], size = 1 << 20;
  char byte = 'x';
  struct iovec page = {&byte, 1};
  if (pipe(ends) == 0) {
    won(fcntl(ends[1], 1031, size) > 65536, "filtered: make a pipe larger");
    won(vmsplice(ends[1], &page, 1, 0) == 1, "filtered: put its pages into a pipe");
    close(ends[0]);
    close(ends[1]);
  }
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) {
    won(setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0, "filtered: make a socket's buffer larger");
    struct msghdr message = {.msg_iov = &page, .msg_iovlen = 1};
    won(sendmsg(ends[0], &message, 0) == 1, "filtered: send a message with descriptors");
    close(ends[0]);
    close(ends[1]);
  }
}

/* Fills what `make` makes, as many as there can be. */
static long fill_all(int (*make)(int *), int into) {
  static char block[65536];
  long bytes = 0;
  int made[2];
  while (make(made) == 0)
    for (int end = 0; end < 2; end++) {
      fcntl(made[end], F_SETFL, O_NONBLOCK);
      for (ssize_t sent; (end == 1 || into == 2) && (sent = write(made[end], block, sizeof block)) > 0;) bytes += sent;
    }
  return bytes;
}

static int make_sockets(int *made) { return socketpair(AF_UNIX, SOCK_STREAM, 0, made); }

/* A file that has no name any more. */
static long fill_file(const char *directory) {
  static char block[65536];
  char file[PATH_MAX];
  snprintf(file, sizeof file, "%s/nameless", directory);
  int fd = open(file, O_CREAT | O_WRONLY, 0600);
  unlink(file);
  long bytes = 0;
  while (bytes < 20000000 && write(fd, block, sizeof block) == sizeof block) bytes += sizeof block;
  return bytes;
}

/* Prints how much it holds in pipes, in sockets, or in a file of a directory, and waits. */
static void hold(const char *kind) {
  long bytes = *kind == 'p' ? fill_all(pipe, 1) : *kind == 's' ? fill_all(make_sockets, 2) : fill_file(kind);
  printf("%ld bytes\n", bytes);
  fflush(stdout);
  pause();
}
