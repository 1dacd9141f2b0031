import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { currentMounts, lockedOptions, mountLine, mountsBelow } from "./mount-table.ts";
import type { ProgramIdentity } from "./program-identity.ts";
import type { WrapAccess } from "./wall.ts";

/** The parts of a jail besides the program's own directories. */
export interface JailParts {
  /** Files of the system to show, by the path they get in the jail. */
  readonly files: Readonly<Record<string, string>>;
  /** Small files to write, by their path in the jail. */
  readonly written: Readonly<Record<string, Uint8Array>>;
  /** Who owns the temporary file system. Default: the user that mounts it. */
  readonly identity: ProgramIdentity | undefined;
}

/** A jail that is ready to be mounted. */
export interface Jail {
  /** The directory that becomes `/` first. The jail is `jail` in there. */
  readonly root: string;
  /** The file with its mounts. */
  readonly table: string;
}

/** The devices inside of a wall. Not `/dev/zero`: mapped, it is memory that stays when its pages are given back. */
export const DEVICES = ["/dev/null", "/dev/random", "/dev/urandom"];
/** Where the name servers are named. */
export const RESOLVER_FILE = "/etc/resolv.conf";
/**
 * Files that restrict name lookup to DNS, with a table of their own for `localhost`. The host's files would also
 * consult its table of hosts and its modules, which return IPv6 addresses, such as `::ffff:127.0.0.1`, despite the
 * resolver's options.
 */
export const NAME_FILES: Readonly<Record<string, string>> = {
  "/etc/nsswitch.conf": "hosts: files dns\n",
  "/etc/hosts": "127.0.0.1 localhost\n",
};
/** Size of the temporary file system of a process, in MiB. */
export const SCRATCH_MB = 64;
const SCRATCH_FILES = 4_096;

/**
 * Lays out, in `access.directory`, the file system that a contained process will see: empty files and directories to
 * mount others on. Only empty files are copied, so a start takes little more than its mounts.
 */
export function layOutJail({ files, written, identity }: JailParts, access: WrapAccess): Jail {
  const { directory, cwd, readOnly, network } = access;
  const root = path.join(directory, "root");
  const jail = path.join(root, "jail");
  const mounts = currentMounts();
  const made = new Set<string>();
  const makeDirectory = (place: string): void => {
    if (made.has(place) || place.length < root.length) return;
    makeDirectory(path.dirname(place));
    mkdirSync(place, { recursive: true });
    // Independent of the host's umask: the program may be another user.
    chmodSync(place, 0o755);
    made.add(place);
  };
  const write = (place: string, bytes: Uint8Array): void => {
    makeDirectory(path.dirname(place));
    writeFileSync(place, bytes);
    chmodSync(place, 0o444);
  };
  const bind = (source: string, target: string, options: readonly string[]): string =>
    mountLine(source, target, "none", [...options, ...lockedOptions(mounts, source)]);

  let table = bind(root, root, ["bind", "ro", "nosuid", "nodev"]);
  const show = (source: string, target: string, ...options: readonly string[]): void => {
    write(path.join(jail, target), new Uint8Array());
    table += bind(realpathSync(source), path.join(jail, target), ["bind", "ro", "nosuid", ...options]);
  };
  makeDirectory(path.join(root, "old"));
  for (const [target, source] of Object.entries(files)) show(source, target, "nodev");
  for (const device of DEVICES) show(device, device);
  if (network) {
    if (existsSync(RESOLVER_FILE)) show(RESOLVER_FILE, RESOLVER_FILE, "nodev");
    for (const [file, text] of Object.entries(NAME_FILES)) write(path.join(jail, file), Buffer.from(text));
  }
  for (const [target, bytes] of Object.entries(written)) write(path.join(jail, target), bytes);
  keepTimeZone(jail, makeDirectory);

  // The one at the root serves the tools that make the rest.
  makeDirectory(path.join(root, "proc"));
  makeDirectory(path.join(jail, "proc"));
  table += mountLine("proc", path.join(root, "proc"), "proc", ["nosuid", "nodev", "noexec"]);
  table += mountLine("proc", path.join(jail, "proc"), "proc", ["nosuid", "nodev", "noexec", "ro", "subset=pid"]);
  makeDirectory(path.join(jail, directory));
  const owner = identity === undefined ? [] : [`uid=${identity.uid}`, `gid=${identity.gid}`];
  table += mountLine("tmpfs", path.join(jail, directory), "tmpfs", [
    "nosuid",
    "nodev",
    "noexec",
    "mode=700",
    `size=${SCRATCH_MB}m`,
    `nr_inodes=${SCRATCH_FILES}`,
    ...owner,
  ]);
  if (cwd !== undefined) {
    makeDirectory(path.join(jail, cwd));
    const options = ["nosuid", "nodev", ...(readOnly ? ["ro"] : [])];
    table += bind(cwd, path.join(jail, cwd), ["rbind", ...options]);
    for (const below of mountsBelow(mounts, cwd)) table += bind(below, path.join(jail, below), ["bind", ...options]);
  }
  const tableFile = path.join(directory, "mounts");
  writeFileSync(tableFile, table);
  return { root, table: tableFile };
}

/** The engine reads the name of the time zone from where the link leads, not from the file. */
function keepTimeZone(jail: string, makeDirectory: (place: string) => void): void {
  const file = "/etc/localtime";
  if (!existsSync(file) || !lstatSync(file).isSymbolicLink()) return;
  makeDirectory(path.join(jail, "etc"));
  symlinkSync(readlinkSync(file), path.join(jail, file));
}
