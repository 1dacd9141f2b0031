/** Processes and threads of one program, where the kernel counts those of one wall. Deno starts about 20. */
export const MAX_PROCESSES = 256;
/** Descriptors of a process. Each socket and pipe holds memory of the kernel. */
export const MAX_DESCRIPTORS = 1_024;

/** A command to start instead of another one, so that it runs inside a wall. */
export interface WalledCommand {
  /** The executable. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** A file the command reads as descriptor 3; the caller opens it for each start. Default none. */
  readonly descriptor?: string;
}

/** Puts a command into something that the kernel keeps it in. */
export interface Wall {
  /** Its parts, in words for the host. */
  readonly name: string;
  /** Whether it denies dangerous system calls. */
  readonly isFiltered: boolean;
  /** Whether it puts a file system of limited size in the place of `access.directory`. */
  readonly hasOwnScratch: boolean;
  /**
   * The command to start instead. Writes into `access.directory` the files that the containment needs.
   *
   * @throws {Error} When it cannot write there.
   */
  enclose(command: string, args: readonly string[], access: WrapAccess): WalledCommand;
}

/** A wall made of a command of the host's own. */
export function customWall(wrap: WrapCommand): Wall {
  return {
    name: "wrap",
    isFiltered: false,
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
