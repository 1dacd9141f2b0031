import { chownSync, existsSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findBwrap } from "./bubblewrap.ts";
import { findTool } from "./find-tool.ts";
import type { ProgramIdentity } from "./program-identity.ts";
import { seccompFilters } from "./seccomp-filter.ts";
import { sharedLibraries } from "./shared-libraries.ts";
import { DEVICES, NAME_FILES, PROGRAM, RESOLVER_FILE, SCRATCH_MB, type Wall } from "./wall.ts";

/** How a wall of bubblewrap is made. */
export interface BubblewrapWallOptions {
  readonly program: string;
  /** Who it runs as, where the host is root. `undefined`: who the host runs as. */
  readonly identity?: ProgramIdentity | undefined;
  /** Absolute path of `bwrap`, 0.8 or later. Default: found in `PATH`. */
  readonly bwrapPath?: string;
}

const NAMESPACES = [
  "--unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try",
  "--die-with-parent --as-pid-1 --cap-drop ALL --proc /proc --tmpfs /proc/sys --remount-ro /proc/sys",
].flatMap((line) => line.split(" "));
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
export function bubblewrapWall({ program, identity, bwrapPath = findBwrap() }: BubblewrapWallOptions): Wall {
  // Its /proc and its devices belong to root.
  if (process.geteuid?.() === 0 && identity === undefined)
    throw new Error("Building a wall: bwrap holds no program that runs as root");
  const command =
    identity === undefined
      ? [bwrapPath]
      : [findTool("setpriv"), `--reuid=${identity.uid}`, `--regid=${identity.gid}`, "--clear-groups", bwrapPath];
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
          ...(network ? [] : ["--unshare-net"]),
          ...system,
          ...names.flatMap(([source, file]) => show(source, file)),
          ..."--perms 0700 --size".split(" "),
          String(SCRATCH_MB * 1024 * 1024),
          "--tmpfs",
          directory,
          ...(cwd === undefined ? [] : [readOnly ? "--ro-bind" : "--bind", cwd, cwd]),
          ..."--remount-ro / --chdir / --seccomp".split(" "),
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
