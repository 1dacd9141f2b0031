import { accessSync, constants } from "node:fs";
import path from "node:path";
import type { WrapCommand } from "./wall.ts";

/** Nothing of the system but the following mounts; the process dies with its parent. */
const NAMESPACES = [
  "--unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try",
  "--die-with-parent --new-session --cap-drop ALL --chdir / --proc /proc --dev /dev --tmpfs /tmp",
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

/**
 * Where `bwrap` is.
 *
 * @throws {Error} When it is nowhere in `PATH`, nor where systems put it.
 */
export function findBwrap(): string {
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
