import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { findTool } from "./find-tool.ts";
import { isLinux } from "./kernel-version.ts";
import { LAUNCHER } from "./launcher.ts";
import { seccompFilters } from "./seccomp-filter.ts";
import { sharedLibraries } from "./shared-libraries.ts";
import {
  DEVICES,
  MAX_DESCRIPTORS,
  MAX_PROCESSES,
  NAME_FILES,
  PROGRAM,
  RESOLVER_FILE,
  SCRATCH_MB,
  type Wall,
  type WalledProgram,
} from "./wall.ts";

/** `CLONE_NEWNS`, `NEWCGROUP`, `NEWUTS`, `NEWIPC` and `NEWPID`. */
const NAMESPACES = 0x2e02_0000;
const USER_NAMESPACE = 0x1000_0000;
const NETWORK_NAMESPACE = 0x4000_0000;
/** `MOUNT_ATTR_NOSUID` and `NODEV`, `MOUNT_ATTR_RDONLY`. */
const [WORKING_DIRECTORY, READ_ONLY] = [6, 1];
/** The kernel sets no lower limit to process ids. */
const MAX_PROCESS_ID = 301;
const SCRATCH_FILES = 4_096;
const TIME_ZONE = "/etc/localtime";

/**
 * A wall of Linux namespaces, made by one process of Perl, without root: user, mount, process, IPC, host name and cgroup
 * namespaces, and one for the network when no host is allowed. Inside there are the program, its libraries, `cwd`, a
 * temporary file system of limited size, three devices and the processes of the namespace. No capabilities, no new
 * privileges, and a filter of system calls. The program's root is a directory below that of the namespace (`chroot`), and
 * the kernel lets no process with such a root make a user namespace.
 *
 * @throws {Error} When Perl is missing, or the kernel or the architecture is not supported.
 */
export function namespaceWall({ program, identity }: WalledProgram): Wall {
  const perl = findTool("perl");
  if (!isLinux(5, 12)) throw new Error("Building a wall: the kernel is too old, needed is Linux 5.12 or later");
  const [alone, connected] = seccompFilters().map((filter) => Buffer.from(filter).toString("hex"));
  const shown = [
    ["show", PROGRAM, program],
    ...sharedLibraries(program).map((file) => ["show", file, realpathSync(file)]),
    ...DEVICES.map((device) => ["show", device, device]),
    // The engine reads the name of the time zone from where the link leads, not from the file.
    ...(isLink(TIME_ZONE) ? [["link_to", TIME_ZONE, readlinkSync(TIME_ZONE)]] : []),
  ].flat();
  const names = Object.entries(NAME_FILES).flatMap(([file, text]) => ["file", file, text]);
  const owner = identity === undefined ? "" : `,uid=${identity.uid},gid=${identity.gid}`;

  return {
    name: "Linux namespaces and a seccomp filter",
    hasOwnScratch: true,
    enclose(command, args, { directory, cwd, readOnly, network }) {
      if (command !== program) throw new Error("Enclosing a program: it is not the one that the wall was built for");
      const resolver = existsSync(RESOLVER_FILE) ? ["show", RESOLVER_FILE, realpathSync(RESOLVER_FILE)] : [];
      const settings = {
        host: process.pid,
        namespaces: NAMESPACES + (identity === undefined ? USER_NAMESPACE : 0) + (network ? 0 : NETWORK_NAMESPACE),
        // Since Linux 6.14 every process namespace has a highest process id of its own; before, this would set the machine's.
        maxId: isLinux(6, 14) ? MAX_PROCESS_ID : 0,
        // The limit of a user counts the processes inside of a user namespace only since Linux 5.14.
        maxProcesses: identity === undefined && isLinux(5, 14) ? MAX_PROCESSES : 0,
        maxFiles: MAX_DESCRIPTORS,
        uid: identity?.uid ?? 0,
        gid: identity?.gid ?? 0,
        directory,
        scratch: `mode=700,size=${SCRATCH_MB}m,nr_inodes=${SCRATCH_FILES}${owner}`,
        cwd: cwd ?? "",
        access: WORKING_DIRECTORY + (readOnly ? READ_ONLY : 0),
        filter: network ? connected : alone,
      };
      return {
        command: perl,
        args: [
          "-e",
          LAUNCHER,
          ...Object.entries(settings).flat().map(String),
          "--",
          ...shown,
          ...(network ? [...resolver, ...names] : []),
          "--",
          PROGRAM,
          ...args,
        ],
      };
    },
  };
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
