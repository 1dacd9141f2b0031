import { JSException } from "quickjs-wasi";
import type { ProgramReading } from "../../program/program-readings.ts";
import type { SyntaxFault } from "../../run/program-error.ts";
import type { SourcePosition } from "../../run/source-position.ts";
import { strippedModule, SyntaxFaultError, type StripTypes, type StrippedModule } from "./strip-types.ts";

/** The program's name in stacks. */
export const FILE = "main.ts";
const LINE_END = /\r\n?|\n/;

/** One reading of a program as a JavaScript module. */
export class ProgramModule {
  readonly #lines: readonly string[];
  readonly #reading: ProgramReading;
  readonly #stripped: StrippedModule;

  /** @throws {SyntaxFaultError} When it is not TypeScript. */
  constructor(program: string, reading: ProgramReading, strip: StripTypes) {
    this.#lines = program.split(LINE_END);
    this.#reading = reading;
    this.#stripped = strippedModule(reading.prefix + reading.text + reading.suffix, strip);
  }

  get code(): string {
    return this.#stripped.code;
  }

  /** Where in the program a position of the module is; `undefined` when it is not in the program. */
  place(position: SourcePosition): SourcePosition | undefined {
    const found = this.#stripped.place({ ...position, column: this.#unitColumn(position) });
    const text = this.#lines[(found?.line ?? 0) - 1];
    if (found === undefined || text === undefined) return undefined;
    let { column } = found;
    for (const shift of this.#reading.shifts.toReversed())
      if (found.line === shift.line && column > shift.column) column -= shift.by;
    if (found.line === 1) column -= this.#reading.prefix.length;
    // Where it knows nothing better the engine says where the function begins.
    if (column < 1) return undefined;
    // The engine points at the class, other engines at the `new` before it.
    return { line: found.line, column: column - (/\bnew\s+$/.exec(text.slice(0, column - 1))?.[0].length ?? 0) };
  }

  /** The fault that the engine finds in text that the type parser accepted; `undefined` if it gives no position. */
  faultOf(error: JSException): SyntaxFault | undefined {
    const [, line, column] = /main\.ts:(\d+):(\d+)/.exec(error.stack ?? "") ?? [];
    if (line === undefined) return undefined;
    const position = { line: Number(line), column: Number(column) };
    const isTwice = /redefinition|redeclaration/.test(error.message);
    const message = isTwice ? "Identifier has already been declared" : error.message;
    return faultAt(message, this.#stripped.place(position) ?? position, this.#reading.prefix);
  }

  /** The engine counts columns in bytes. */
  #unitColumn({ line, column }: SourcePosition): number {
    const text = this.code.split(LINE_END)[line - 1] ?? "";
    const bytes = new TextEncoder().encode(text);
    return bytes.length === text.length ? column : new TextDecoder().decode(bytes.subarray(0, column - 1)).length + 1;
  }
}

/** Whether a reading of the program cannot be parsed. Its own code has not run then. */
export function isSyntaxError(error: unknown): error is SyntaxFaultError | JSException {
  return error instanceof SyntaxFaultError || (error instanceof JSException && error.name === "SyntaxError");
}

/** A fault as Deno would report it. `prefix` stands before the program on its first line. */
export function faultAt(message: string, { line, column }: SourcePosition, prefix: string): SyntaxFault {
  return { message: `${message} at ${FILE}:${line}:${column}`, unparsed: { url: FILE, prefix } };
}
