import type { Node } from "@vscode/tree-sitter-wasm";
import { definesName } from "./defining-node.ts";

/** A line of a file that names a symbol. */
export interface SymbolLine {
  /** 0-based. */
  readonly line: number;
  readonly defines: boolean;
}

/** Kinds of nodes that are names, in all grammars; comments and strings are not among them. */
const NAMES = /identifier|^(?:constant|name|variable_name|function_name|word)$/;

/** How much to look for. */
export interface FindLimits {
  /** Lines. */
  readonly maxHits: number;
  /** On the clock of `performance.now()`: to find a place in a file of one long line takes as long as the line is. */
  readonly deadline: number;
}

/** Lines that name the symbol, once each as definition and as reference; none when there was not time enough. */
export function findSymbol(
  root: Node,
  text: string,
  symbol: string,
  { maxHits, deadline }: FindLimits,
): readonly SymbolLine[] | undefined {
  const found = new Map<string, SymbolLine>();
  for (let at = text.indexOf(symbol); at >= 0 && found.size < maxHits; at = text.indexOf(symbol, at + symbol.length)) {
    if (performance.now() > deadline) return undefined;
    const end = at + symbol.length;
    const node = root.descendantForIndex(at, end);
    if (node === null || node.startIndex !== at || node.endIndex !== end || !NAMES.test(node.type)) continue;
    const line = node.startPosition.row;
    const defines = definesName(node);
    found.set(`${line} ${defines}`, { line, defines });
  }
  return [...found.values()];
}
