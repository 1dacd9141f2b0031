import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { findTool } from "./find-tool.ts";
import { layOutJail } from "./jail.ts";
import { isLinux } from "./kernel-version.ts";
import type { ProgramIdentity } from "./program-identity.ts";
import { seccompFilters } from "./seccomp-filter.ts";
import { sharedLibraries, type SharedLibraries } from "./shared-libraries.ts";
import { MAX_DESCRIPTORS, MAX_PROCESSES, type Wall } from "./wall.ts";

/** The program that loads a seccomp filter: `setpriv` since util-linux 2.41, Perl before that, or none. */
export type FilterLoader = "setpriv" | "perl" | "none";

/** How a wall of namespaces is made. */
export interface NamespaceWallOptions {
  /** Real path of the program that will run inside. */
  readonly program: string;
  /** Who it runs as. `undefined`: who the host runs as. */
  readonly identity: ProgramIdentity | undefined;
  /** Loads the seccomp filter. */
  readonly filterLoader: FilterLoader;
}

/** The kernel sets no lower limit to process ids. */
const MAX_PROCESS_ID = 301;
const FILTER = "/seccomp";
/** `PR_SET_SECCOMP`, `SECCOMP_MODE_FILTER`, and the number of `prctl`. */
const PRCTL: Readonly<Record<string, number>> = { x64: 157, arm64: 167 };
const LOAD_FILTER = `open F, "<", shift or die; binmode F; local $/; $f = <F>; close F; $n = shift;
syscall($n, 22, 2, pack("Sx6P", length($f) / 8, $f)) == 0 or die; exec { $ARGV[0] } @ARGV; die`;

/**
 * A wall of Linux namespaces, made with the tools of util-linux and coreutils, without root: user, mount, process,
 * IPC, host name and cgroup namespaces, and one for the network when no host is allowed. Inside there are the program, its
 * libraries, `cwd`, a temporary file system of limited size, four devices and the processes of the namespace. No
 * capabilities, no new privileges. The program's root is a directory below that of the namespace (`chroot`), and the
 * kernel lets no process with such a root make a user namespace.
 *
 * @throws {Error} When a tool is missing.
 */
export function namespaceWall({ program, identity, filterLoader }: NamespaceWallOptions): Wall {
  const [unshare, sh, mount, pivotRoot, umount, chroot, setpriv] = [
    "unshare",
    "sh",
    "mount",
    "pivot_root",
    "umount",
    "chroot",
    "setpriv",
  ].map(findTool) as [string, string, string, string, string, string, string];
  const filters = filterLoader === "none" ? undefined : seccompFilters();
  if (
    filterLoader === "setpriv" &&
    !spawnSync(setpriv, ["--help"], { encoding: "utf8" }).stdout.includes("--seccomp-filter")
  )
    throw new Error("Filtering system calls: setpriv cannot, it can since util-linux 2.41");
  const perl = filterLoader === "perl" ? findTool("perl") : undefined;
  const inside: Readonly<Record<string, string>> = {
    "/bin/program": program,
    "/bin/chroot": chroot,
    "/bin/setpriv": setpriv,
    ...(perl !== undefined && { "/bin/perl": perl }),
  };
  const shown = Object.values(inside);
  const [outer, ...needed] = sharedLibraries([umount, ...shown]) as [SharedLibraries, ...SharedLibraries[]];
  const loader = needed[shown.indexOf(program)]?.loader;
  if (loader === undefined) throw new Error("Building a wall: the program is linked statically, needed is glibc");
  const libraries = [...new Set(needed.flatMap(({ files: own }) => own))];
  const cache = "/etc/ld.so.cache";
  const files = {
    ...inside,
    ...Object.fromEntries([...libraries, ...(existsSync(cache) ? [cache] : [])].map((file) => [file, file])),
  };
  const directories = (of: readonly string[], below: string): string =>
    [...new Set(of.map((file) => below + path.dirname(file)))].join(":");
  const script = `set -e
${mount} --all --fstab "$2"
${limitProcesses(identity)}
ulimit -n ${MAX_DESCRIPTORS} 2>/dev/null || :
cd "$1"
${pivotRoot} . old
cd /
${quoted(`/old${realpathSync(loader)}`)} --library-path ${quoted(directories(outer.files, "/old"))} /old${realpathSync(umount)} -l /old
ulimit -c 0
shift 2
exec ${quoted(`/jail${loader}`)} --library-path ${quoted(directories(libraries, "/jail"))} /jail/bin/chroot /jail "$@"`;

  return {
    name: `Linux namespaces${filters === undefined ? "" : " and a seccomp filter"}`,
    isFiltered: filters !== undefined,
    hasOwnScratch: true,
    enclose(command, args, access) {
      if (command !== program) throw new Error("Enclosing a program: it is not the one that the wall was built for");
      const written = filters === undefined ? {} : { [FILTER]: filters[access.network ? 1 : 0] };
      const { root, table } = layOutJail({ files, written, identity }, access);
      return {
        command: setpriv,
        args: [
          // The others end with their first process, and that with `unshare`.
          "--pdeathsig=KILL",
          unshare,
          ...(identity === undefined ? ["--user", "--map-root-user"] : []),
          ..."--mount --pid --ipc --uts --cgroup --fork --kill-child".split(" "),
          ...(access.network ? [] : ["--net"]),
          sh,
          "-c",
          script,
          "sh",
          root,
          table,
          "/bin/setpriv",
          ..."--no-new-privs --bounding-set=-all --inh-caps=-all --pdeathsig=KILL".split(" "),
          "--securebits=+noroot,+noroot_locked",
          ...(identity === undefined ? [] : [`--reuid=${identity.uid}`, `--regid=${identity.gid}`, "--clear-groups"]),
          ...(filterLoader === "setpriv" ? [`--seccomp-filter=${FILTER}`] : []),
          ...(filterLoader === "perl" ? ["/bin/perl", "-e", LOAD_FILTER, FILTER, String(PRCTL[process.arch])] : []),
          "/bin/program",
          ...args,
        ],
      };
    },
  };
}

/**
 * Shell commands that bound the number of processes inside. Since Linux 6.14 every process namespace has a highest
 * process id of its own; before, writing it would set that of the whole machine. The limit of a user counts the processes
 * inside of a user namespace only since Linux 5.14.
 */
function limitProcesses(identity: ProgramIdentity | undefined): string {
  const byId = isLinux(6, 14) ? `{ echo ${MAX_PROCESS_ID} > /proc/sys/kernel/pid_max; } 2>/dev/null || :` : ":";
  const byUser =
    identity === undefined && isLinux(5, 14)
      ? `ulimit -u ${MAX_PROCESSES} 2>/dev/null || ulimit -p ${MAX_PROCESSES} 2>/dev/null || :`
      : ":";
  return `${byId}\n${byUser}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
