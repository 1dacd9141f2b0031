// Searches that have to find a line or to name the file it is in, and reads that have to give the text or to say why not.
import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry } from "@dispatch/tools-interface";
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import { encodedTrees, hardTrees, type SilentTree } from "./silent-trees.ts";

interface Searched {
  readonly matches: readonly { readonly path: string }[];
  readonly files?: readonly { readonly path: string }[];
  readonly omissions: readonly { readonly paths: readonly string[] }[];
}

const engines = { ripgrep: {}, builtin: { ripgrep: false as const } };
const tools = Object.entries(engines).map(
  ([name, options]) => [name, registerFileTools(createToolRegistry(), options)] as const,
);

/** The searches of a tree that neither found the file nor named it. */
async function silentIn({ name, files, path, queries }: SilentTree): Promise<string[]> {
  const root = fs.mkdtempSync(join(tmpdir(), "silent-bench-"));
  const silent: string[] = [];
  try {
    for (const [file, content] of Object.entries(files)) {
      fs.mkdirSync(dirname(join(root, file)), { recursive: true });
      fs.writeFileSync(join(root, file), content);
    }
    for (const [engine, registry] of tools) {
      for (const query of queries) {
        const result = await registry.dispatch(
          { name: "search_files", arguments: query },
          { context: { worktreePath: root } },
        );
        if (!result.success) continue;
        const { matches, files: found = [], omissions } = result.data as Searched;
        const named =
          [...matches, ...found].some((one) => one.path === path) ||
          omissions.some(({ paths }) => paths.includes(path));
        if (!named || !String(result).includes(path))
          silent.push(`${engine}, ${name}: ${JSON.stringify(query)}: ${String(result)}`);
      }
    }
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
  return silent;
}

const trees = [...encodedTrees(), ...hardTrees()];
let searches = 0;
const silent: string[] = [];
for (const tree of trees) {
  searches += tree.queries.length * tools.length;
  silent.push(...(await silentIn(tree)));
}
for (const one of silent.slice(0, 40)) console.error(one);
metric("files.silent_trees", trees.length, "trees", 0);
metric("files.silent_searches", searches, "searches", 0);
metric("files.silent", silent.length, "answers", 0);
