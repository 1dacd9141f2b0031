import { parentPort } from "node:worker_threads";
import type { Grammar } from "./code-language.ts";
import { codeParser } from "./code-parser.ts";
import { findSymbol, type SymbolLine } from "./find-symbol.ts";

/** A file to look into. */
export interface CodeFile {
  readonly grammar: Grammar;
  readonly text: string;
  readonly symbol: string;
  /** Most lines to answer with. */
  readonly maxHits: number;
}

/** Lines that name the symbol; none when there is not time enough for the file. */
export type CodeAnswer = readonly SymbolLine[] | undefined;

/** Milliseconds to parse one file, and to look through it: more than any honest one takes. */
const MAX_MS = 1_000;

parentPort?.on("message", (file: CodeFile) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  void look(file).then((answer) => parentPort?.postMessage(answer));
});

async function look({ grammar, text, symbol, maxHits }: CodeFile): Promise<CodeAnswer> {
  const parser = await codeParser(grammar);
  const deadline = performance.now() + MAX_MS;
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
  if (tree === null) {
    // It would go on there with the next file.
    parser.reset();
    return undefined;
  }
  try {
    return findSymbol(tree.rootNode, text, symbol, { maxHits, deadline: performance.now() + MAX_MS });
  } finally {
    tree.delete();
  }
}
