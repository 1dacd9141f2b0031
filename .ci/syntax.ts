import { parseAst } from "vitest/node";

/** A node of a syntax tree: its kind, its place in the text in UTF-16 units, and whatever its kind adds. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Parses a TypeScript file with the parser that the test runner brings, so that no other need be installed. */
export function parse(text: string): SyntaxNode {
  return toNode(parseAst(text, { lang: "ts" }));
}

/** The nodes and lists of nodes that a node holds under a name, as one list; an absent one is an empty list. */
export function childrenOf(node: SyntaxNode, key: string): readonly SyntaxNode[] {
  const value = node[key];
  return (Array.isArray(value) ? value : [value]).filter(isNode);
}

/** Every node of a tree, the outer before the inner. */
export function* walk(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (const key of Object.keys(node)) {
    for (const child of childrenOf(node, key)) yield* walk(child);
  }
}

/** The 1-based line that an offset lies on. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function toNode(value: unknown): SyntaxNode {
  if (!isNode(value)) throw new TypeError("Cannot read the syntax tree: the parser returned no node");
  return value;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value && "end" in value;
}
