import { createRequire } from "node:module";
import path from "node:path";
import type { Parser } from "@vscode/tree-sitter-wasm";
import type { Grammar } from "./code-language.ts";

// The package is one file of CommonJS whose names Node cannot tell beforehand.
const require = createRequire(import.meta.url);
const treeSitter = require("@vscode/tree-sitter-wasm") as typeof import("@vscode/tree-sitter-wasm");
const directory = path.dirname(require.resolve("@vscode/tree-sitter-wasm"));

const parsers = new Map<Grammar, Promise<Parser>>();
let engine: Promise<void> | undefined;

/** The parser of a grammar, made once. It runs in WebAssembly, which contains the effects of a hostile file. */
export function codeParser(grammar: Grammar): Promise<Parser> {
  let parser = parsers.get(grammar);
  if (parser === undefined) parsers.set(grammar, (parser = open(grammar)));
  return parser;
}

async function open(grammar: Grammar): Promise<Parser> {
  engine ??= treeSitter.Parser.init({ locateFile: (name) => path.join(directory, name) });
  await engine;
  const parser = new treeSitter.Parser();
  parser.setLanguage(await treeSitter.Language.load(path.join(directory, `tree-sitter-${grammar}.wasm`)));
  return parser;
}
