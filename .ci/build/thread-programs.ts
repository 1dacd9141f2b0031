import { globSync } from "node:fs";
import path from "node:path";
import { rolldown, type OutputChunk } from "rolldown";

/** Programs as modules. */
export interface ThreadPrograms {
  /** The text of each module, by its name. */
  readonly modules: ReadonlyMap<string, string>;
  /** The files that went into them. */
  readonly sources: readonly string[];
}

/** Runs in the thread, before the files of its program. */
const LOADER = `const loaded = {};
const load = (name) => {
  if (!Object.hasOwn(files, name)) return require(name);
  const module = (loaded[name] ??= { exports: undefined });
  if (module.exports === undefined) files[name](module, (module.exports = {}), load);
  return module.exports;
};`;

/**
 * The programs of a package's threads, `src/**\/NAME-worker.ts`, as modules whose default export is a text to start a
 * thread with. It holds everything that the program imports, packages included. Code shared by several programs is a
 * module of its own.
 *
 * @param directory - The package's directory, absolute.
 * @returns The modules by their names, `thread:NAME-worker.js`, and the files that are in them.
 */
export async function threadPrograms(directory: string): Promise<ThreadPrograms> {
  const sources = globSync("src/**/*-worker.ts", { cwd: directory });
  if (sources.length === 0) return { modules: new Map(), sources: [] };
  const bundle = await rolldown({
    cwd: directory,
    input: Object.fromEntries(sources.map((source) => [path.basename(source, ".ts"), source])),
    external: /^node:/,
    platform: "node",
    resolve: { conditionNames: ["@dispatch/source", "node", "import", "default"] },
  });
  const { output } = await bundle.generate({ format: "cjs", minify: true });
  const chunks = new Map(output.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file] as const] : [])));
  const modules = new Map<string, string>();
  const atStart = new Set([...chunks.values()].filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  for (const name of atStart) for (const inner of chunks.get(name)?.imports ?? []) atStart.add(inner);
  for (const chunk of chunks.values()) {
    const code = `(module, exports, require) => {${chunk.code}\n}`;
    // In parentheses V8 compiles the function at once, instead of looking through it first: a quarter of a thread's start.
    const text = atStart.has(chunk.fileName) ? `(${code})` : code;
    modules.set(`thread-file:${chunk.fileName}`, `export default ${JSON.stringify(text)};`);
    if (chunk.isEntry) modules.set(`thread:${chunk.fileName}`, programModule(chunk, chunks));
  }
  return { modules, sources: [...chunks.values()].flatMap(({ moduleIds }) => moduleIds) };
}

function programModule(entry: OutputChunk, chunks: ReadonlyMap<string, OutputChunk>): string {
  const names = new Set([entry.fileName]);
  for (const name of names) {
    const { imports = [], dynamicImports = [] } = chunks.get(name) ?? {};
    for (const inner of [...imports, ...dynamicImports]) if (chunks.has(inner)) names.add(inner);
  }
  const files = [...names].map((name, index) => ({ name, text: `text${index}` }));
  return [
    ...files.map(({ name, text }) => `import ${text} from ${JSON.stringify(`thread-file:${name}`)};`),
    "export default `const files = {",
    ...files.map(({ name, text }) => `${JSON.stringify(`./${name}`)}: \${${text}},`),
    `};\n${LOADER}\nload(${JSON.stringify(`./${entry.fileName}`)});\`;`,
  ].join("\n");
}
