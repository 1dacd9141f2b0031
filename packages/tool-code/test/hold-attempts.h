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
