/*
 * A program with every right of a native one, put in the place of Deno: what is left when the engine has fallen.
 * Makes every attempt to get out, and prints the name of each that works on a line of its own, and "done".
 *
 * TERCES is the secret from its end, so that its own arguments do not hold it.
 *
 * Arguments: --version | reach or all, FILE DIRECTORY PORT SOCKET ABSTRACT PID CWD TERCES | bomb | fill DIRECTORY | stay | hold pipes, sockets or DIRECTORY
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void won(int worked, const char *name) {
  if (worked) printf("%s\n", name);
}

static int can_read(const char *file) {
  char byte;
  int fd = open(file, O_RDONLY | O_NONBLOCK);
  if (fd < 0) return 0;
  int got = read(fd, &byte, 1) == 1;
  close(fd);
  return got;
}

static int can_write(const char *file) {
  int fd = open(file, O_WRONLY | O_NONBLOCK);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static int can_connect(int family, const struct sockaddr *address, socklen_t length, int type) {
  int fd = socket(family, type, 0);
  if (fd < 0) return 0;
  int worked = connect(fd, address, length) == 0 && send(fd, "x", 1, MSG_NOSIGNAL) == 1;
  /* Where nobody takes the first packet, the second fails. */
  usleep(10000);
  worked = worked && send(fd, "x", 1, MSG_NOSIGNAL) == 1;
  close(fd);
  return worked;
}

static int can_open_socket(int family, int type) {
  int fd = socket(family, type, 0);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

/* Runs an attempt in a process of its own, where it can have one, so that it changes nothing for the others. */
static int apart(int (*attempt)(const char *), const char *argument) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) _exit(attempt(argument) ? 1 : 0);
  if (child < 0) return attempt(argument);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

static int by_chroot(const char *file) {
  if (mkdir("escape", 0700) != 0 && errno != EEXIST && mkdir("/escape", 0700) != 0 && errno != EEXIST) return 0;
  int root = open("/", O_RDONLY);
  if (chroot("escape") != 0 && chroot("/escape") != 0) return 0;
  if (fchdir(root) != 0) return 0;
  for (int up = 0; up < 64; up++)
    if (chdir("..") != 0) return 0;
  return chroot(".") == 0 && can_read(file);
}

static int by_user_namespace(const char *unused) { return unshare(CLONE_NEWUSER) == 0; }
static int by_clone(const char *unused) {
  pid_t child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return child > 0;
}
static int by_clone3(const char *unused) {
  unsigned long long arguments[8] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD, 0, 0, 0};
  pid_t child = syscall(SYS_clone3, arguments, sizeof arguments);
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return child > 0;
}
static int by_mount_namespace(const char *unused) { return unshare(CLONE_NEWNS) == 0; }
static int by_joining(const char *space) {
  int fd = open(space, O_RDONLY);
  return fd >= 0 && setns(fd, 0) == 0;
}
static int by_mount(const char *unused) { return mount("none", "/tmp", "tmpfs", 0, NULL) == 0 || mount("none", "/", "tmpfs", 0, NULL) == 0; }
static int by_remount(const char *unused) { return mount("none", "/", NULL, MS_REMOUNT | MS_BIND, NULL) == 0; }
static int by_umount(const char *place) { return umount2(place, MNT_DETACH) == 0; }
static int by_proc_mount(const char *unused) { return mount("proc", "/proc", "proc", 0, NULL) == 0; }
static int by_setuid(const char *unused) { return setresuid(4242, 4242, 4242) == 0; }
static int by_setgroups(const char *unused) {
  gid_t groups[] = {4242};
  return setgroups(1, groups) == 0;
}
static int by_hostname(const char *unused) { return sethostname("escaped", 7) == 0; }
static int by_time(const char *unused) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return clock_settime(CLOCK_REALTIME, &now) == 0;
}
static int by_capability(const char *unused) { return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0) == 0; }
static int by_privileges(const char *unused) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1; }
static int by_nice(const char *unused) { return nice(-5) != -1; }
static int by_real_time(const char *unused) {
  struct sched_param first = {.sched_priority = 1};
  return sched_setscheduler(0, SCHED_FIFO, &first) == 0;
}
static int by_raised_limit(const char *unused) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_max += 1;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}
static int by_kernel_mount(const char *type) {
  return (mkdir("/tmp", 0700) == 0 || errno == EEXIST) && mount(type, "/tmp", type, 0, NULL) == 0;
}
static int by_terminal(const char *unused) {
  char key = 'x';
  return ioctl(0, TIOCSTI, &key) == 0 || ioctl(1, TIOCSTI, &key) == 0 || ioctl(2, TIOCLINUX, &key) == 0;
}
static int by_oom(const char *unused) {
  int fd = open("/proc/self/oom_score_adj", O_WRONLY);
  return fd >= 0 && write(fd, "-1000", 5) == 5;
}

static int by_handle(const char *file) {
  struct {
    struct file_handle head;
    unsigned char bytes[128];
  } handle = {.head = {.handle_bytes = 128}};
  int mount_id;
  return name_to_handle_at(AT_FDCWD, "/", &handle.head, &mount_id, 0) == 0 && open_by_handle_at(open("/", O_RDONLY), &handle.head, O_RDONLY) >= 0;
}

static int in_proc(const char *reversed) {
  char secret[256] = {0};
  for (size_t at = 0, length = strlen(reversed); at < length && at < 255; at++) secret[at] = reversed[length - 1 - at];
  DIR *proc = opendir("/proc");
  for (struct dirent *entry; proc && (entry = readdir(proc));) {
    for (int part = 0; part < 3; part++) {
      char file[PATH_MAX], text[65536];
      snprintf(file, sizeof file, "/proc/%s/%s", entry->d_name, part == 0 ? "cmdline" : part == 1 ? "environ" : "mountinfo");
      int fd = open(file, O_RDONLY);
      if (fd < 0) continue;
      ssize_t length = read(fd, text, sizeof text);
      close(fd);
      if (length > 0 && memmem(text, length, secret, strlen(secret))) return 1;
    }
  }
  return 0;
}

static int by_descriptor(const char *unused) {
  for (int fd = 3; fd < 1024; fd++) {
    struct stat about;
    if (fstat(fd, &about) != 0) continue;
    /* The null device stands for each that the host was given. */
    int is_null = S_ISCHR(about.st_mode) && about.st_rdev == 0x103;
    if (!is_null) return 1;
  }
  return 0;
}

static int by_set_id(const char *cwd) {
  char file[PATH_MAX];
  snprintf(file, sizeof file, "%s/set-id", cwd);
  close(open(file, O_CREAT | O_WRONLY, 0755));
  struct stat about;
  int worked = chmod(file, 04755) == 0 || syscall(SYS_fchmodat, AT_FDCWD, file, 04755) == 0 || syscall(452, AT_FDCWD, file, 04755, 0) == 0;
  close(open(file, O_CREAT | O_WRONLY | O_TRUNC, 0755));
  if (unlink(file) == 0) close(open(file, O_CREAT | O_WRONLY, 04755));
  return worked || (stat(file, &about) == 0 && (about.st_mode & 06000));
}

/* A link in the working directory keeps later programs from running there. */
static int by_link(const char *cwd) {
  char file[PATH_MAX];
  snprintf(file, sizeof file, "%s/link", cwd);
  int worked = symlink("/etc", file) == 0 || symlinkat("/etc", AT_FDCWD, file) == 0;
  unlink(file);
  return worked;
}

/* What does no harm where it works. */
static void reach(char **argument) {
  const char *file = argument[0], *directory = argument[1];
  const int port = atoi(argument[2]), pid = atoi(argument[5]);
  char path[PATH_MAX];

  won(can_read(file), "read the file");
  for (int other = 0; other < 4; other++) {
    const char *links[] = {"/proc/self/root", "/proc/1/root", "/proc/self/cwd/..", "/proc/thread-self/root/.."};
    snprintf(path, sizeof path, "%s%s", links[other], file);
    won(can_read(path), links[other]);
  }
  for (int ups = 1; ups < 30; ups++) {
    snprintf(path, sizeof path, "/%.*s%s", ups * 3, "../../../../../../../../../../../../../../../../../../../../../../../../../../../../../../", file);
    if (can_read(path)) won(1, "read the file by ..");
  }
  snprintf(path, sizeof path, "/proc/%d/root%s", pid, file);
  won(can_read(path), "read the file by the root of another process");
  snprintf(path, sizeof path, "/old%s", file);
  won(can_read(path), "read the file in the old root");
  won(can_read("/etc/shadow"), "read /etc/shadow");
  won(can_read("/etc/passwd"), "read /etc/passwd");
  won(can_read("/proc/kcore") || can_read("/proc/kallsyms") || can_read("/proc/keys"), "read the kernel's own");
  won(opendir(directory) != NULL, "list the directory");
  won(opendir("/home") != NULL || opendir("/root") != NULL || opendir("/sys") != NULL, "list directories of the system");
  won(can_write(file), "write the file");
  snprintf(path, sizeof path, "%s/new", directory);
  won(open(path, O_CREAT | O_WRONLY, 0600) >= 0, "make a file");
  won(open("/new", O_CREAT | O_WRONLY, 0600) >= 0 && unlink("/new") == 0, "make a file at the root");
  won(can_write("/proc/sys/kernel/core_pattern"), "write to the kernel's settings");
  won(can_write("/proc/sysrq-trigger"), "write to sysrq");
  won(can_write("/bin/program") || can_write("/lib64/ld-linux-x86-64.so.2"), "write to a program");
  won(chmod("/dev/null", 0666) == 0, "change a device");
  won(apart(by_descriptor, NULL), "an inherited descriptor");

  snprintf(path, sizeof path, "/proc/%d/environ", pid);
  won(can_read(path), "read the environment of a process");
  won(apart(in_proc, argument[7]), "find the secret in /proc");
  won(kill(pid, 0) == 0, "see a process");
  won(kill(pid, SIGWINCH) == 0, "signal a process");
  int pidfd = syscall(SYS_pidfd_open, pid, 0);
  won(pidfd >= 0 && syscall(SYS_pidfd_send_signal, pidfd, SIGWINCH, NULL, 0) == 0, "signal a process by descriptor");
  won(ptrace(PTRACE_SEIZE, pid, 0, 0) == 0, "trace a process");
  char byte;
  struct iovec local = {&byte, 1}, remote = {(void *)0x400000, 1};
  won(process_vm_readv(pid, &local, 1, &remote, 1, 0) >= 0 || (errno != ESRCH && errno != EPERM && errno != ENOSYS), "read the memory of a process");
  won(setpriority(0, pid, 5) == 0, "change the priority of a process");

  struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  won(can_connect(AF_INET, (void *)&four, sizeof four, SOCK_STREAM), "connect by IPv4");
  won(can_connect(AF_INET, (void *)&four, sizeof four, SOCK_DGRAM), "send a packet");
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  won(can_connect(AF_INET6, (void *)&six, sizeof six, SOCK_STREAM), "connect by IPv6");
  four.sin_addr.s_addr = inet_addr("1.1.1.1");
  four.sin_port = htons(53);
  won(can_connect(AF_INET, (void *)&four, sizeof four, SOCK_DGRAM), "send a packet to the internet");
  struct sockaddr_un un = {.sun_family = AF_UNIX};
  strncpy(un.sun_path, argument[3], sizeof un.sun_path - 1);
  won(can_connect(AF_UNIX, (void *)&un, sizeof un, SOCK_STREAM), "connect to a socket file");
  struct sockaddr_un abstract = {.sun_family = AF_UNIX};
  strncpy(abstract.sun_path + 1, argument[4], sizeof abstract.sun_path - 2);
  won(can_connect(AF_UNIX, (void *)&abstract, offsetof(struct sockaddr_un, sun_path) + 1 + strlen(argument[4]), SOCK_STREAM), "connect to an abstract socket");
}

#include "outlast-attempts.h"
#include "hold-attempts.h"

/* What would change the machine where it works. Only for the inside of a wall. */
static void change(const char *file, const char *cwd) {
  char path[PATH_MAX];
  won(apart(by_chroot, file), "leave by chroot");
  won(apart(by_handle, file), "open by handle");
  won(can_open_socket(AF_NETLINK, SOCK_RAW), "filtered: a netlink socket");
  won(can_open_socket(AF_PACKET, SOCK_RAW), "a packet socket");
  won(can_open_socket(AF_INET, SOCK_RAW), "a raw socket");
  won(can_open_socket(40, SOCK_STREAM), "filtered: a vsock socket");
  won(can_open_socket(38, SOCK_SEQPACKET), "filtered: a socket of the kernel's ciphers");

  snprintf(path, sizeof path, "%s/device", cwd);
  won(mknod(path, S_IFBLK | 0600, makedev(254, 0)) == 0 && can_read(path), "make a device");
  unlink(path);
  won(can_read("/dev/mem") || can_read("/dev/vda") || can_read("/dev/sda") || can_read("/dev/kmsg"), "read a device");
  won(can_write("/dev/tty") || can_write("/dev/ptmx"), "open a terminal");

  won(apart(by_user_namespace, NULL), "make a user namespace");
  won(apart(by_clone, NULL), "make a user namespace by clone");
  won(apart(by_clone3, NULL), "make a user namespace by clone3");
  won(apart(by_mount_namespace, NULL), "make a mount namespace");
  won(apart(by_joining, "/proc/1/ns/mnt"), "join a mount namespace");
  won(apart(by_mount, NULL), "mount");
  won(apart(by_remount, NULL), "mount again");
  won(apart(by_proc_mount, NULL), "mount /proc");
  won(apart(by_umount, "/proc"), "unmount");
  won(apart(by_setuid, NULL), "become another user");
  won(apart(by_setgroups, NULL), "join a group");
  won(apart(by_hostname, NULL), "change the name of the machine");
  won(apart(by_time, NULL), "change the time");
  won(apart(by_capability, NULL), "keep a capability");
  won(apart(by_privileges, NULL), "gain privileges");
  won(apart(by_nice, NULL), "raise its priority");
  won(apart(by_oom, NULL), "hide from the memory killer");
  won(apart(by_real_time, NULL), "run before all others");
  won(apart(by_raised_limit, NULL), "raise a limit");
  won(apart(by_terminal, NULL), "type into a terminal");
  won(apart(by_kernel_mount, "sysfs") || apart(by_kernel_mount, "cgroup2") || apart(by_kernel_mount, "debugfs") || apart(by_kernel_mount, "mqueue"), "mount a file system of the kernel");
  won(can_read("/sys/kernel/uevent_seqnum") || can_read("/sys/fs/cgroup/cgroup.controllers"), "read /sys");
  won(syscall(SYS_kcmp, 1, getpid(), 0, 0, 0) >= 0, "filtered: compare processes");
  won(syscall(438, 0, 0, 0) >= 0, "filtered: take a descriptor");
  won(kill(getppid(), 0) == 0 && getppid() != 0, "signal what made the wall");
  if (strcmp(cwd, "-") != 0) won(apart(by_link, cwd), "filtered: make a link");
  if (strcmp(cwd, "-") != 0) won(apart(by_set_id, cwd), "filtered: make a file set-id");

  won(syscall(SYS_add_key, "user", "escape", "x", 1, -3) > 0, "filtered: add a key to the session");
  won(syscall(SYS_keyctl, 0, -3, 0) > 0, "filtered: find the session's keys");
  won(syscall(SYS_keyctl, 0, -4, 1) > 0, "filtered: find the user's keys");
  char ring[120] = {0};
  won(syscall(425, 4, ring) >= 0, "filtered: set up io_uring");
  unsigned long context = 0;
  won(syscall(SYS_io_setup, 60000, &context) == 0, "filtered: take the machine's contexts of asynchronous input and output");
  won(syscall(467, AT_FDCWD, "/", 0, NULL, 0) >= 0, "filtered: open a tree with attributes");
  won(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED, "filtered: share memory without a file");
  int zero = open("/dev/zero", O_RDWR);
  won(zero >= 0 && mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, zero, 0) != MAP_FAILED, "share memory by a device");
  won(syscall(SYS_memfd_create, "escape", 0) >= 0, "filtered: make a file in memory");
  won(syscall(SYS_memfd_create, "escape", 4) >= 0, "filtered: make a file of huge pages");
  won(syscall(447, 0) >= 0, "filtered: make a secret file in memory");
  won(syscall(SYS_shmget, 0, 4096, 01600) >= 0, "filtered: make a segment of memory");
  won(syscall(SYS_msgget, 0, 01600) >= 0, "filtered: make a queue");
  won(syscall(SYS_semget, 0, 1, 01600) >= 0, "filtered: make a semaphore");
  won(syscall(SYS_mq_open, "escape", O_CREAT | O_RDWR, 0600, NULL) >= 0, "filtered: make a named queue");
  won(syscall(SYS_bpf, 0, ring, sizeof ring) >= 0, "load a BPF map");
  won(syscall(SYS_perf_event_open, ring, 0, -1, -1, 0) >= 0, "filtered: watch performance");
  won(syscall(SYS_userfaultfd, 0) >= 0, "filtered: handle page faults");
  won(syscall(SYS_personality, 0x0040000) != -1 && syscall(SYS_personality, 0xffffffff) == 0x0040000, "filtered: change its personality");
  won(syscall(SYS_syslog, 3, ring, sizeof ring) >= 0, "read the kernel's log");
  won(syscall(428, AT_FDCWD, "/", 1) >= 0, "open a tree of mounts");
  won(syscall(430, "tmpfs", 0) >= 0, "open a file system");
  start_others();
  enlarge();
  hold_files();
  won(syscall(SYS_reboot, 0, 0, 0, 0) == 0, "reboot");
}


int main(int count, char **argument) {
  const int inside = count > 9 && strcmp(argument[1], "all") == 0;
  if (inside || (count > 9 && strcmp(argument[1], "reach") == 0)) reach(argument + 2);
  if (inside) change(argument[2], argument[8]);
  if (count > 1 && strcmp(argument[1], "bomb") == 0) bomb();
  if (count > 2 && strcmp(argument[1], "fill") == 0) fill(argument[2]);
  if (count > 1 && strcmp(argument[1], "stay") == 0) stay();
  if (count > 2 && strcmp(argument[1], "hold") == 0) hold(argument[2]);
  printf("done\n");
  return 0;
}
