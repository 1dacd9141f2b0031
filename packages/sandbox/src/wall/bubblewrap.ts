import { accessSync, chownSync, constants, existsSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findTool } from "./find-tool.ts";
import { seccompFilters } from "./seccomp-filter.ts";
import { sharedLibraries } from "./shared-libraries.ts";
import {
  DEVICES,
  NAME_FILES,
  PROGRAM,
  RESOLVER_FILE,
  SCRATCH_MB,
  type Wall,
  type WalledProgram,
  type WrapCommand,
} from "./wall.ts";

/** Nothing of the system but what is mounted; the process dies with its parent. */
const NAMESPACES = [
  "--unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try",
  "--die-with-parent --cap-drop ALL --chdir / --proc /proc",
].flatMap((line) => line.split(" "));
/** The parts of the system that Deno reads: its libraries, and files for looking up names and checking certificates. */
const SYSTEM = [
  "/lib",
  "/lib64",
  "/usr/lib",
  "/usr/lib64",
  "/etc/ld.so.cache",
  "/etc/resolv.conf",
  "/etc/hosts",
  "/etc/nsswitch.conf",
  "/etc/localtime",
];
const PLACES = ["/usr/bin", "/bin", "/usr/local/bin"];

/**
 * Puts `bwrap` (https://github.com/containers/bubblewrap) around each process, on Linux: it sees no file but its
 * program, the system's libraries and the directories it is granted, no other process, and without allowed hosts no
 * network at all, not even this machine. The kernel then enforces a second time the limits that Deno's permissions set.
 * A start takes a few milliseconds longer.
 *
 * @param bwrapPath Absolute path of `bwrap`. Default: found in `PATH`.
 * @throws {Error} When there is no `bwrap` to run.
 *
 * @example
 * ```ts
 * const runtime = new DenoRuntime({ wrap: bubblewrap() });
 * ```
 */
export function bubblewrap(bwrapPath: string = findBwrap()): WrapCommand {
  return (command, args, { directory, cwd, readOnly, network }) => [
    bwrapPath,
    [
      ...NAMESPACES,
      ..."--new-session --dev /dev --tmpfs /tmp".split(" "),
      ...(network ? [] : ["--unshare-net"]),
      ...SYSTEM.flatMap((file) => ["--ro-bind-try", file, file]),
      "--ro-bind",
      command,
      command,
      "--bind",
      directory,
      directory,
      ...(cwd === undefined ? [] : [readOnly ? "--ro-bind" : "--bind", cwd, cwd]),
      "--",
      command,
      ...args,
    ],
  ];
}

/** Kernel information in `/proc` that any process may read. */
const KERNEL_FILES = ["/proc/keys", "/proc/key-users", "/proc/kallsyms", "/proc/timer_list", "/proc/modules"];
/** The descriptor on which `bwrap` reads the filter. */
const FILTER_DESCRIPTOR = "3";

/**
 * The wall of `namespaceWall`, made by `bwrap`: for systems that allow namespaces to it and to nothing else. It shows the
 * same files. The number of processes inside is not limited.
 *
 * @throws {Error} When there is no `bwrap`, no filter for the architecture, or the host is root.
 */
export function bubblewrapWall({ program, identity }: WalledProgram): Wall {
  // Its /proc and its devices belong to root.
  if (process.geteuid?.() === 0 && identity === undefined)
    throw new Error("Building a wall: bwrap holds no program that runs as root");
  const command =
    identity === undefined
      ? [findBwrap()]
      : [findTool("setpriv"), `--reuid=${identity.uid}`, `--regid=${identity.gid}`, "--clear-groups", findBwrap()];
  const [alone, connected] = seccompFilters();
  const show = (source: string, target: string): readonly string[] => ["--ro-bind", realpathSync(source), target];
  const system = [
    ...sharedLibraries(program).flatMap((file) => show(file, file)),
    ...show(program, PROGRAM),
    ...KERNEL_FILES.filter((file) => existsSync(file)).flatMap((file) => show("/dev/null", file)),
    ...DEVICES.flatMap((device) => ["--dev-bind", device, device]),
  ];
  return {
    name: "bubblewrap and a seccomp filter",
    hasOwnScratch: true,
    enclose(given, args, { directory, cwd, readOnly, network }) {
      if (given !== program) throw new Error("Enclosing a program: it is not the one that the wall was built for");
      const filter = path.join(directory, "seccomp");
      writeFileSync(filter, network ? connected : alone);
      const names = network ? nameFiles(directory) : [];
      // So that `bwrap` can read the files in it.
      if (identity !== undefined) chownSync(directory, identity.uid, identity.gid);
      return {
        command: "/bin/sh",
        args: [
          "-c",
          `exec "$@" ${FILTER_DESCRIPTOR}<"$0"`,
          filter,
          ...command,
          ...NAMESPACES,
          ..."--as-pid-1 --tmpfs /proc/sys --remount-ro /proc/sys".split(" "),
          ...(network ? [] : ["--unshare-net"]),
          ...system,
          ...names.flatMap(([source, file]) => show(source, file)),
          ..."--perms 0700 --size".split(" "),
          String(SCRATCH_MB * 1024 * 1024),
          "--tmpfs",
          directory,
          ...(cwd === undefined ? [] : [readOnly ? "--ro-bind" : "--bind", cwd, cwd]),
          ..."--remount-ro / --seccomp".split(" "),
          FILTER_DESCRIPTOR,
          "--",
          PROGRAM,
          ...args,
        ],
      };
    },
  };
}

/** The files that name lookup reads, each with its place inside. */
function nameFiles(directory: string): readonly (readonly [source: string, file: string])[] {
  const written = Object.entries(NAME_FILES).map(([file, text]) => {
    const source = path.join(directory, path.basename(file));
    writeFileSync(source, text);
    return [source, file] as const;
  });
  return existsSync(RESOLVER_FILE) ? [[RESOLVER_FILE, RESOLVER_FILE], ...written] : written;
}

/**
 * Where `bwrap` is.
 *
 * @throws {Error} When it is nowhere in `PATH`, nor where systems put it.
 */
function findBwrap(): string {
  const directories = [...(process.env["PATH"] ?? "").split(path.delimiter), ...PLACES];
  const found = directories
    .filter((directory) => path.isAbsolute(directory))
    .map((directory) => path.join(directory, "bwrap"));
  const file = found.find(isExecutable);
  if (file !== undefined) return file;
  throw new Error(
    "Putting bubblewrap around the process: bwrap was not found in PATH, install it (Linux only) or pass its path",
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
