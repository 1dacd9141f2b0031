/** Numbers of the system calls that Perl has no function for, on x64 and arm64. */
const CALLS = {
  capset: [126, 91],
  mount: [165, 40],
  mount_setattr: [442, 442],
  pivot_root: [155, 41],
  prctl: [157, 167],
  prlimit: [302, 261],
  setgroups: [116, 159],
  setresgid: [119, 149],
  setresuid: [117, 147],
  umount: [166, 39],
  unshare: [272, 97],
} as const satisfies Readonly<Record<string, readonly [x64: number, arm64: number]>>;
/** Begins each failure of a step, as far as the launcher itself runs. */
export const REFUSAL = "the kernel refuses";
const column = process.arch === "arm64" ? 1 : 0;

/**
 * The program of Perl that makes the wall and becomes the process inside: no other program is started for it. The first
 * process has namespaces made, stays outside and ends as the second, which is the first of the new namespaces, mounts the
 * files, gives up every privilege and executes the program. The kernel ends the first with the thread of the host that
 * started it, and the second with the first. A step that fails is the last line of standard error.
 *
 * Its arguments: settings, each a name and a value, and `--`; what to show in the wall, each a kind, a place and a source,
 * and `--`; the program and its arguments. It uses no module of Perl: they are not installed everywhere, and take time.
 */
export const LAUNCHER = `${Object.entries(CALLS)
  .map(([name, numbers]) => `sub ${name} { call(${numbers[column]}, @_) }`)
  .join("\n")}
sub call { my ($call, $what, @with) = @_; syscall($call, @with) != -1 or refused($what) }
sub refused { print STDERR "${REFUSAL} $_[0]: $!\\n"; exit 125 }
sub put { my ($file, $text, $to) = @_; open($to, ">", $file) and defined syswrite($to, $text) }
sub both { pack "QQ", $_[0], $_[0] }
sub directory { my $at = "jail"; mkdir $at .= "/$_" for grep length, split m{/}, $_[0] }
sub file { my ($place, $text) = @_; directory($place =~ m{(.*)/}s); put("jail$place", $text) or refused("to make a file") }
sub show { my ($place, $source) = @_; file($place, ""); mount("to show a file", $source, "jail$place", "", 0x1000, "") }
sub link_to { my ($place, $to) = @_; directory($place =~ m{(.*)/}s); symlink $to, "jail$place" or refused("to make a link") }
# MOUNT_ATTR_*: 1 read-only, 2 no set-id, 4 no devices; for everything below.
sub restrict { mount_setattr("to restrict what is shown", -100, $_[0], 0x8000, pack("Q4", $_[1], 0, 0, 0), 32) }

my %set;
while ((my $name = shift) ne "--") { $set{$name} = shift }
my ($uid, $gid, $directory, $cwd) = ($set{uid} + 0, $set{gid} + 0, $set{directory}, $set{cwd});
my ($user, $group) = ($>, $) + 0);

prlimit("to limit core files", 0, 4, both(0), 0);
unshare("to make namespaces", $set{namespaces} + 0);
if ($set{namespaces} & 0x10000000) {
  put("/proc/self/setgroups", "deny");
  put("/proc/self/uid_map", "0 $user 1") && put("/proc/self/gid_map", "0 $group 1") or refused("to map the user");
}
# PR_SET_PDEATHSIG. A host that ended before is no parent any more.
prctl("to be ended with the host", 1, 9, 0, 0, 0);
if (getppid != $set{host}) { print STDERR "the parent is not the host\\n"; exit 125 }
pipe my $outside, my $kept or refused("to make a pipe");
defined(my $inside = fork) or refused("to start a process");
if ($inside) {
  waitpid $inside, 0;
  kill $? & 127, $$ if $? & 127;
  exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
}
close $kept;

my $mask = umask 022;
mount("to keep mounts apart", "none", "/", "", 0x44000, "");
mount("to mount a file system", "tmpfs", $directory, "tmpfs", 6, "mode=755,size=1m,nr_inodes=4096");
chdir $directory or refused("to enter a file system");
mkdir $_ for "jail", "proc";
while ((my $kind = shift) ne "--") { &$kind(splice @ARGV, 0, 2) }
directory($_) for "/proc", $directory, $cwd;
restrict(".", 3);
if ($set{maxId}) {
  mount("to mount /proc", "proc", "proc", "proc", 14, "");
  put("proc/sys/kernel/pid_max", $set{maxId});
}
mount("to mount /proc", "proc", "jail/proc", "proc", 15, "subset=pid");
mount("to mount temporary files", "tmpfs", "jail$directory", "tmpfs", 14, $set{scratch});
if ($cwd ne "") {
  mount("to show the working directory", $cwd, "jail$cwd", "", 0x5000, "");
  restrict("jail$cwd", $set{access});
}
pivot_root("to change the root", ".", ".");
umount("to leave the host's files", ".", 2);
chdir "/jail" and chroot "." and chdir "/" or refused("to change the root");
umask $mask;

# A lower limit of the host's stays.
syscall(${CALLS.prlimit[column]}, 0, 7, both($set{maxFiles}), 0);
syscall(${CALLS.prlimit[column]}, 0, 6, both($set{maxProcesses}), 0) if $set{maxProcesses};
# PR_CAPBSET_DROP, up to the last that this kernel has (EINVAL); SECBIT_NOROOT and its lock.
for (0 .. 63) { syscall(${CALLS.prctl[column]}, 24, $_, 0, 0, 0) == 0 or $! == 22 ? last : refused("to drop capabilities") }
prctl("to deny root its capabilities", 28, 3, 0, 0, 0);
if ($uid) {
  setgroups("to leave the groups", 0, 0);
  setresgid("to change the group", $gid, $gid, $gid);
  setresuid("to change the user", $uid, $uid, $uid);
}
capset("to give up capabilities", pack("LL", 0x20080522, 0), pack("L6", (0) x 6));
prctl("to refuse new privileges", 38, 1, 0, 0, 0);
# A change of the user had undone this. Where the outer process has ended meanwhile, the pipe has too.
prctl("to be ended with the wall", 1, 9, 0, 0, 0);
vec(my $ended, fileno $outside, 1) = 1;
exit 1 if select $ended, undef, undef, 0;
my $filter = pack "H*", $set{filter};
prctl("to filter system calls", 22, 2, pack("Sx6P", length($filter) / 8, $filter), 0, 0);
exec { $ARGV[0] } @ARGV or refused("to execute the program")`;
