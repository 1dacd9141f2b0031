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
