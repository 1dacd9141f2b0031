/** The parts of its process that the program uses; tests give it others, and run it in their own process. */
export interface Host extends Pick<NodeJS.Process, "env" | "on" | "emit" | "exit"> {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}
