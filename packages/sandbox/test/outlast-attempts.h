/* What a program does that wants to use up the machine, or to outlast its end. Part of escape-attempts.c. */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Starts processes that wait, until it cannot. */
static void bomb(void) {
  int started = 0;
  for (; started < 5000; started++) {
    pid_t child = fork();
    if (child < 0) break;
    if (child == 0)
      for (;;) pause();
  }
  printf("%d processes\n", started);
}

static void fill(const char *directory) {
  static char block[1 << 20];
  char file[PATH_MAX];
  snprintf(file, sizeof file, "%s/full", directory);
  int fd = open(file, O_CREAT | O_WRONLY, 0600), blocks = 0;
  while (blocks < 1024 && write(fd, block, sizeof block) == sizeof block) blocks++;
  close(fd);
  unlink(file);
  int files = 0;
  for (; files < 100000; files++) {
    snprintf(file, sizeof file, "%s/%d", directory, files);
    int made = open(file, O_CREAT | O_WRONLY, 0600);
    if (made < 0) break;
    close(made);
  }
  printf("%d MiB\n%d files\n", blocks, files);
}

/* Leaves its group and session, asks not to end with its parent, and never ends. */
static void stay(void) {
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  for (int left = 0; left < 3; left++) {
    prctl(PR_SET_PDEATHSIG, 0);
    setsid();
    if (fork() < 0) break;
  }
  printf("here\n");
  fflush(stdout);
  for (;;) pause();
}
