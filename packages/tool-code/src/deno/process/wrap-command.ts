/** What a wrapped process needs of the system. */
export interface WrapAccess {
  /** Directory of the process's own, for the time it runs; it writes there. */
  readonly directory: string;
  /** Real path of the directory the program may use; none when absent. */
  readonly cwd: string | undefined;
  /** Whether the program may not write there. */
  readonly readOnly: boolean;
  /** Whether the program may reach any host. */
  readonly network: boolean;
}

/**
 * Puts another program around the one that runs programs, such as one that makes a namespace, a container or a virtual
 * machine: gets the command that would be run and its arguments, returns those to run instead.
 *
 * The other program must pass on standard input and output, the environment and nothing else, and must take what it has
 * started along when it is ended with SIGKILL.
 */
export type WrapCommand = (
  command: string,
  args: readonly string[],
  access: WrapAccess,
) => readonly [command: string, args: readonly string[]];
