import type { CodeDiagnostic } from "../../type-checker.ts";

/** How the checked source differs from the program. */
export interface ProgramExtent {
  /** How many lines of the source are the program's: the first ones. */
  readonly lines: number;
  /** What stands before the program on its first line, in characters. */
  readonly offset: number;
}

const MAX_DIAGNOSTICS = 100;
const MAX_MESSAGE = 300;

/** Reads what `deno check` prints. Takes nothing but messages: the source lines it quotes may be those of any file. */
export function readDiagnostics(text: string, { lines, offset }: ProgramExtent): readonly CodeDiagnostic[] {
  const found: CodeDiagnostic[] = [];
  for (const part of text.split(/^(?=TS\d+ \[ERROR\]: )/m).slice(0, MAX_DIAGNOSTICS + 1)) {
    const [, code, first] = /^TS(\d+) \[ERROR\]: (.+)/.exec(part) ?? [];
    const [, file, at, column] = /^ {4}at (file:\/\/\S+):(\d+):(\d+)$/m.exec(part) ?? [];
    const line = Number(at);
    if (first === undefined || file === undefined || !file.endsWith("/main.ts") || line > lines) continue;
    found.push({
      line,
      column: line === 1 ? Math.max(1, Number(column) - offset) : Number(column),
      code: Number(code),
      message: first.length > MAX_MESSAGE ? `${first.slice(0, MAX_MESSAGE)}…` : first,
    });
  }
  return found;
}
