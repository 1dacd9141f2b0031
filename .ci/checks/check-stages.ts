import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { root, type Outcome } from "../machine/run-command.ts";
import { stages, type Stages } from "../stages.ts";
import { importedSpecifiers } from "./imported-specifiers.ts";

const MAX_FILES = 30;
const SOURCE = "**/*.{ts,mts,cts,tsx}";
const NOT_SOURCE = /\.(?:test|test-d)\.[cm]?tsx?$|\/__fixtures__\//;
/** Files beside the sources that import nothing. */
const DATA = /\.(?:json|br)$/;

/** The parts of a `package.json` that the check reads. */
export interface PackageNames {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** Checks every package against the order of its directories in `stages.ts`. */
export async function checkStages(): Promise<Outcome> {
  const packages = globSync("{packages,apps}/*/package.json", { cwd: root }).map((file) => path.dirname(file));
  const faults = packages.flatMap((directory) => {
    const src = path.join(root, directory, "src");
    const files = globSync(SOURCE, { cwd: src }).filter((file) => !NOT_SOURCE.test(`/${file}`));
    const texts = files.map((file) => [file, readFileSync(path.join(src, file), "utf8")] as const);
    const manifest = JSON.parse(readFileSync(path.join(root, directory, "package.json"), "utf8")) as PackageNames;
    // A package without directories has no order to list.
    return findStageFaults(stages[directory] ?? ["."], new Map(texts), manifest).map(
      (fault) => `${directory}/src/${fault}`,
    );
  });
  const gone = Object.keys(stages).filter((directory) => !packages.includes(directory));
  faults.push(...gone.map((directory) => `.ci/stages.ts: ${directory} is no package`));
  return { ok: faults.length === 0, output: faults.join("\n") };
}

/**
 * Finds imports against the order of a package's directories, imports of files outside the package's source,
 * directories outside the order or with more than 30 files, listed ones that do not exist, and cycles of files. Type
 * imports count.
 *
 * @param files - The text of every source file by its path below `src`, with `/` between directories.
 * @returns One sentence per fault, starting with a path.
 */
export function findStageFaults(
  order: Stages,
  files: ReadonlyMap<string, string>,
  manifest: PackageNames,
): readonly string[] {
  const ranks = new Map(order.flatMap((stage, rank) => [stage].flat().map((listed) => [listed, rank] as const)));
  const imports = new Map<string, readonly string[]>();
  const faults = [...ranks.keys()]
    .filter((listed) => listed !== "." && ![...files.keys()].some((file) => file.startsWith(`${listed}/`)))
    .map((listed) => `${listed}: it is listed in .ci/stages.ts and holds no source file`);
  for (const [file, text] of files) {
    const own = stageOf(file, ranks);
    if (!ranks.has(own)) faults.push(`${file}: its directory is not listed in .ci/stages.ts`);
    const targets = new Set<string>();
    for (const [specifier, kind] of importedSpecifiers(file, text, manifest.name)) {
      const target = specifier === undefined ? undefined : resolve(file, specifier, files, manifest);
      if (target !== undefined) targets.add(target);
      else if (kind === "bound" && !DATA.test(specifier ?? "")) {
        faults.push(`${file}: it imports ${specifier ?? "what is no string"}, allowed are source files of the package`);
      }
    }
    imports.set(file, [...targets]);
    for (const target of targets) {
      const other = stageOf(target, ranks);
      if (own === other || (ranks.get(other) ?? 0) < (ranks.get(own) ?? 0)) continue;
      faults.push(`${file}: it imports ${target}, allowed are ${own} and the directories before it`);
    }
  }
  return [...faults, ...findFullDirectories(files.keys()), ...findCycles(imports)];
}

/** The source file that a specifier means, however it is spelled, below `src`. */
function resolve(
  file: string,
  specifier: string,
  files: ReadonlyMap<string, string>,
  { name, exports = {} }: PackageNames,
): string | undefined {
  const [bare = ""] = specifier.split(/[?#]/);
  const exported = exports[`.${bare.slice(name.length)}`];
  const source = typeof exported === "string" ? exported : exported?.["@dispatch/source"];
  const isOwn = `${bare}/`.startsWith(`${name}/`);
  const found = isOwn ? path.posix.join(source ?? "") : path.posix.join("src", path.posix.dirname(file), bare);
  if (!`${found}/`.startsWith("src/")) return undefined;
  const stem = path.posix.relative("src", found);
  const spellings = [stem, stem.replace(/js(x?)$/, "ts$1"), `${stem}.ts`, `${stem}.mts`, `${stem}.cts`, `${stem}.tsx`];
  return [...spellings, path.posix.join(stem, "index.ts")].find((spelling) => files.has(spelling));
}

/** The listed directory that holds a file: the longest; `.` only for files directly in `src`. */
function stageOf(file: string, ranks: ReadonlyMap<string, number>): string {
  const directory = path.posix.dirname(file);
  let listed = directory;
  while (listed !== "." && !ranks.has(listed)) listed = path.posix.dirname(listed);
  return listed === "." ? directory : listed;
}

function findFullDirectories(files: Iterable<string>): readonly string[] {
  return [...Map.groupBy(files, (file) => path.posix.dirname(file))]
    .filter(([, { length }]) => length > MAX_FILES)
    .map(([directory, { length }]) => `${directory}: it holds ${length} source files, allowed are ${MAX_FILES}`);
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
