/** The part of Deno that is used inside the sandbox. */
export interface DenoApi {
  readonly version: { readonly deno: string };
  readonly stdin: {
    read(buffer: Uint8Array): Promise<number | null>;
    readSync(buffer: Uint8Array): number | null;
  };
  readonly stdout: { writeSync(bytes: Uint8Array): number };
  inspect(value: unknown, options: object): string;
  chdir(directory: string): void;
  exit: (code: number) => never;
  unrefTimer(id: unknown): void;
}

/** One line of a stack, as V8 gives it to `Error.prepareStackTrace`, mapped to the source by Deno. */
export interface CallSite {
  getFileName(): string | null | undefined;
  getFunctionName(): string | null;
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
  isAsync(): boolean;
}
