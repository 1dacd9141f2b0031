import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseAst } from "vitest/node";
import { root, type Outcome } from "./run-command.ts";
import { stages, type Stages } from "./stages.ts";

const MAX_FILES = 30;
const NOT_SOURCE = /\.(?:test|test-d)\.ts$|\/__fixtures__\//;

/** Checks every package against the order of its folders in `stages.ts`. */
export async function checkStages(): Promise<Outcome> {
  const faults = globSync("{packages,apps}/*/src", { cwd: root }).flatMap((src) => {
    const order = stages[path.posix.dirname(src)];
    if (order === undefined) return [`${src}: the order of its folders is missing in .ci/stages.ts`];
    const files = globSync("**/*.ts", { cwd: path.join(root, src) }).filter((file) => !NOT_SOURCE.test(`/${file}`));
    const texts = files.map((file) => [file, readFileSync(path.join(root, src, file), "utf8")] as const);
    return findStageFaults(order, new Map(texts)).map((fault) => `${src}/${fault}`);
  });
  return { ok: faults.length === 0, output: faults.join("\n") };
}

/**
 * Finds imports against the order of a package's folders, folders outside the order or with more than 30 files, and cycles
 * of files. Type imports count.
 *
 * @param files - The text of every source file by its path below `src`, with `/` between folders.
 * @returns One sentence a fault, starting with a path.
 */
export function findStageFaults(order: Stages, files: ReadonlyMap<string, string>): readonly string[] {
  const ranks = new Map(order.flatMap((stage, rank) => [stage].flat().map((folder) => [folder, rank] as const)));
  const imports = new Map(
    [...files].map(([file, text]) => [file, importsOf(file, text).filter((to) => files.has(to))]),
  );
  const faults: string[] = [];
  for (const [file, targets] of imports) {
    const own = stageOf(file, ranks);
    if (!ranks.has(own)) faults.push(`${file}: its folder is not listed in .ci/stages.ts`);
    for (const target of targets) {
      const other = stageOf(target, ranks);
      if (own === other || (ranks.get(other) ?? 0) < (ranks.get(own) ?? 0)) continue;
      faults.push(`${file}: it imports ${target}, allowed are ${own} and the folders before it`);
    }
  }
  return [...faults, ...findFullFolders(files.keys()), ...findCycles(imports)];
}

/** The relative imports of a file as paths below `src`: static, dynamic, of types, and re-exports. */
function importsOf(file: string, text: string): readonly string[] {
  return [...sourcesIn(parseAst(text, { lang: "ts" }))]
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => path.posix.join(path.posix.dirname(file), specifier));
}

/** The literal `source` of every node of a syntax tree. */
function* sourcesIn(node: unknown): Generator<string> {
  if (typeof node !== "object" || node === null) return;
  const { source } = node as { readonly source?: { readonly value?: unknown } | null };
  if (typeof source?.value === "string") yield source.value;
  for (const child of Object.values(node)) yield* sourcesIn(child);
}

/** The listed folder that holds a file: the longest; `.` only for files directly in `src`. */
function stageOf(file: string, ranks: ReadonlyMap<string, number>): string {
  const folder = path.posix.dirname(file);
  let listed = folder;
  while (listed !== "." && !ranks.has(listed)) listed = path.posix.dirname(listed);
  return listed === "." ? folder : listed;
}

function findFullFolders(files: Iterable<string>): readonly string[] {
  return [...Map.groupBy(files, (file) => path.posix.dirname(file))]
    .filter(([, { length }]) => length > MAX_FILES)
    .map(([folder, { length }]) => `${folder}: it holds ${length} source files, allowed are ${MAX_FILES}`);
}

function findCycles(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const visit = (file: string, above: readonly string[]): readonly string[] => {
    if (above.includes(file)) return [`${[...above.slice(above.indexOf(file)), file].join(" → ")}: a cycle of imports`];
    if (done.has(file)) return [];
    const found = (imports.get(file) ?? []).flatMap((target) => visit(target, [...above, file]));
    done.add(file);
    return found;
  };
  return [...imports.keys()].flatMap((file) => visit(file, []));
}
