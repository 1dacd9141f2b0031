import jsTokens from "js-tokens";
import { bridgeSource } from "../../bridge/program-bridge.ts";
import { DEFAULT_EXPORTS, closedExports } from "./closed-modules.ts";
import { harnessGlobals } from "./harness-globals.ts";
import { harnessSeal, harnessVm } from "./harness-seal.ts";
import { harnessStack } from "./harness-stack.ts";
import { harnessWire } from "./harness-wire.ts";
import { harness } from "./harness.ts";

/**
 * The harness as JavaScript, without comments, indentation and most line breaks: it must fit into a command line. `import()` is written here,
 * in text, because tools that process source rewrite it. The published package holds the text this returns: a minifier may move
 * parts of a function out of it.
 */
export function harnessSource(): string {
  const imports = `import { Worker } from "node:worker_threads";\nimport * as modules from ${JSON.stringify(DEFAULT_EXPORTS)};\n`;
  const rest = withoutSpaces(
    [
      // Some bundlers keep names with a helper that exists only in their bundle.
      "const __name = (value) => value;",
      // Taken before the seal removes all the rest of it.
      "const hasMoreWork = Deno[Deno.internal]?.core?.eventLoopHasMoreWork;",
      `(${harnessSeal.toString()})(Worker, modules, ${closedExports()}, ${harnessVm.toString()});`,
      `(${harness.toString()})((url) => import(url), ${bridgeSource()}, (${harnessWire.toString()})(hasMoreWork), (${harnessStack.toString()})(), (${harnessGlobals.toString()})());`,
    ].join("\n"),
  );
  return imports + rest;
}

const IN_WORD = /[\w$]/;

/** The source without comments and white space between its tokens. Line breaks that may end a statement stay. */
function withoutSpaces(source: string): string {
  let short = "";
  let isApart = false;
  for (const { type, value } of jsTokens(source)) {
    if (type === "WhiteSpace" || type === "SingleLineComment" || type === "MultiLineComment") isApart = true;
    else if (type === "LineTerminatorSequence") {
      if (!/(?:^|[{,(;\n])$/.test(short)) short += "\n";
      isApart = false;
    } else {
      const [last = "", first = ""] = [short.at(-1), value[0]];
      const wouldJoin = (IN_WORD.test(last) && IN_WORD.test(first)) || (last === first && "+-/".includes(first));
      short += isApart && wouldJoin ? ` ${value}` : value;
      isApart = false;
    }
  }
  return short;
}

let url: string | undefined;

/** The harness as a URL Deno takes for its main module: there is no file to protect, and no right to read one. */
export function harnessUrl(): string {
  // Shorter than base64 by a quarter.
  url ??= `data:application/javascript,${harnessSource().replaceAll(/[%#\n\r\t]|[^ -~]+/g, encodeURIComponent)}`;
  return url;
}
