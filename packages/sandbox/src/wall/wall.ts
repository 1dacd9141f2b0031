import type { ProgramIdentity } from "./program-identity.ts";

/** Processes and threads of one program, where the kernel counts those of one wall. Deno starts about 20. */
export const MAX_PROCESSES = 256;
/** Descriptors of a process. Each socket and pipe holds memory of the kernel. */
export const MAX_DESCRIPTORS = 1_024;
/** Where the program is inside of a wall that has files of its own. */
export const PROGRAM = "/bin/program";
/** The devices in there. Not `/dev/zero`: mapped, it is memory that stays when its pages are given back. */
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

/** The program that a wall is made for: it shows no other. */
export interface WalledProgram {
  /** Its real path. */
  readonly program: string;
  /** Who it runs as. `undefined`: who the host runs as. */
  readonly identity: ProgramIdentity | undefined;
}

/** A command to start instead of another one, so that it runs inside a wall. */
export interface WalledCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Puts a command into something that the kernel keeps it in. */
export interface Wall {
  /** Its parts, in words for the host. */
  readonly name: string;
  /** Whether it puts a file system of limited size in the place of `access.directory`. */
  readonly hasOwnScratch: boolean;
  /**
   * The command to start instead, by this process. May write files that the containment needs into `access.directory`.
   *
   * @throws {Error} When it cannot write there.
   */
  enclose(command: string, args: readonly string[], access: WrapAccess): WalledCommand;
}

/** A wall made of a command of the host's own. */
export function customWall(wrap: WrapCommand): Wall {
  return {
    name: "wrap",
    hasOwnScratch: false,
    enclose(command, args, access) {
      const [wrapped, wrappedArgs] = wrap(command, args, access);
      return { command: wrapped, args: wrappedArgs };
    },
  };
}

/** The resources that a contained process must be able to access. */
export interface WrapAccess {
  /** The process's own temporary directory, to read and write. */
  readonly directory: string;
  /** Real path of the working directory; `undefined` for none. */
  readonly cwd: string | undefined;
  /** Whether `cwd` is read-only. */
  readonly readOnly: boolean;
  /** Whether the program may reach any host. */
  readonly network: boolean;
}

/**
 * Wraps a process in another program, such as one that creates a namespace, a container or a virtual machine: gets the
 * command and its arguments, returns those to run instead.
 *
 * The other program must pass on standard input and output, the environment and nothing else. When it is killed by
 * SIGKILL, the processes it has started must end too.
 */
export type WrapCommand = (
  command: string,
  args: readonly string[],
  access: WrapAccess,
) => readonly [command: string, args: readonly string[]];
