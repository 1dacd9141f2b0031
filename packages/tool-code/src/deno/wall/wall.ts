import type { WrapAccess, WrapCommand } from "./wrap-command.ts";

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
