import type { ColumnShift } from "../../program/text-edit.ts";
import type { CallSite } from "./deno-api.ts";

/** Makes stacks of errors those of the program as it was written. */
export interface HarnessStack {
  /** Registers the program: its number of lines, and the prefixes of the names of its files. */
  begin(lines: number, homes: readonly string[]): void;
  /** Takes a module that the program is tried as. */
  add(url: string, shifts: readonly ColumnShift[]): void;
}

/**
 * Formats the stacks of all errors from now on. Runs inside Deno, sent there as source like its harness, so it uses
 * nothing from outside itself and takes everything it needs before the program starts.
 */
export function harnessStack(): HarnessStack {
  const { apply } = Reflect;
  const { slice, startsWith } = String.prototype;
  const { Error } = globalThis;
  /** The modules that the program was tried as. */
  const tried = { __proto__: null } as unknown as Record<string, readonly ColumnShift[] | undefined>;
  let lines = 0;
  let homes: readonly string[] = [];

  /** Names the program `main.ts` and leaves out frames outside the program. */
  function stackOf(error: unknown, sites: readonly CallSite[]): string {
    let text: string;
    try {
      text = `${error as string}`;
    } catch {
      text = "Error";
    }
    for (let at = 0; at < sites.length; at += 1) {
      const site = sites[at] as CallSite;
      const file = `${site.getFileName() ?? ""}`;
      let line = site.getLineNumber() ?? 0;
      let column = site.getColumnNumber() ?? 0;
      let shown = "main.ts";
      const shifts = tried[file];
      if (shifts !== undefined) {
        if (line > lines) continue;
        for (let shift = shifts.length - 1; shift >= 0; shift -= 1) {
          const { line: shifted, column: from, by } = shifts[shift] as ColumnShift;
          if (line === shifted && column > from) column -= by;
        }
      } else {
        const home = apply(startsWith, file, [homes[0] ?? file + "/"])
          ? homes[0]
          : apply(startsWith, file, [homes[1] ?? file + "/"])
            ? homes[1]
            : undefined;
        if (home === undefined) continue;
        shown = apply(slice, file, [home.length]);
      }
      const called = site.getFunctionName();
      const name = called === null || called === "default" ? "" : called;
      const place = `${shown}:${line}:${column}`;
      text += `\n    at ${site.isAsync() ? "async " : ""}${name === "" ? place : `${name} (${place})`}`;
    }
    return text;
  }

  (Error as { stackTraceLimit?: number }).stackTraceLimit = 50;
  (Error as unknown as { prepareStackTrace: typeof stackOf }).prepareStackTrace = stackOf;
  return {
    begin(count, prefixes) {
      lines = count;
      homes = prefixes;
    },
    add: (url, shifts) => void (tried[url] = shifts),
  };
}
