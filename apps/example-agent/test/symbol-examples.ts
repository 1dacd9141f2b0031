import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const root = path.resolve(import.meta.dirname, "../../..");
const NOT_SOURCE = /\.(?:test|test-d|bench)\.ts$|__fixtures__/;

/** An exported function or class. */
export interface ExportedSymbol {
  /** As one imports it, such as `@dispatch/providers/openai`. */
  readonly module: string;
  readonly name: string;
  /** The file that declares it, relative to the root; `undefined` when it has no comment. */
  readonly file: string | undefined;
  /** The code of its `@example`. */
  readonly example: string | undefined;
}

/** Every name that the published packages export, types too, by module. */
export async function exportedNames(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const modules = await Promise.all(
    entryPoints().map(async ({ module, file }) => {
      const text = readFileSync(file, "utf8");
      const lists = [...text.matchAll(/^export (?:type )?\{(?<names>[^}]*)\}/gm)].flatMap(({ groups }) =>
        (groups?.["names"] ?? "").split(",").map((name) => name.trim().replace(/^type /, "")),
      );
      const declared = [...text.matchAll(/^export (?:interface|type) (?<name>\w+)/gm)].map(
        ({ groups }) => groups?.["name"] ?? "",
      );
      const values = Object.keys((await import(pathToFileURL(file).href)) as object);
      return [module, new Set([...values, ...lists, ...declared].filter((name) => /^\w+$/.test(name)))] as const;
    }),
  );
  return new Map(modules);
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly "@dispatch/source"?: string }>>;
}

/** Every function and class that the published packages export, with the example of its comment. */
export async function exportedSymbols(): Promise<readonly ExportedSymbol[]> {
  const symbols = entryPoints().map(async ({ module, file, directory }) => {
    // A package may pass on names of these two.
    const passedOn = ["tools-interface", "sandbox"].map((name) => path.join(root, "packages", name));
    const comments = new Map([...passedOn, directory].flatMap((place) => [...commentsOf(place)]));
    const exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
    const functions = Object.entries(exported).filter(([, value]) => typeof value === "function");
    return functions.map(([name]) => {
      const { file: declaredIn, comment } = comments.get(name) ?? {};
      return { module, name, file: declaredIn, example: comment === undefined ? undefined : exampleOf(comment) };
    });
  });
  return (await Promise.all(symbols)).flat();
}

/** The source file behind each module that a published package exports. */
function entryPoints(): readonly { readonly module: string; readonly file: string; readonly directory: string }[] {
  const manifests = globSync("packages/*/package.json", { cwd: root }).toSorted();
  return manifests.flatMap((manifest) => {
    const directory = path.join(root, path.dirname(manifest));
    const { name, exports } = JSON.parse(readFileSync(path.join(root, manifest), "utf8")) as Manifest;
    return Object.entries(exports).flatMap(([subpath, target]) => {
      const source = typeof target === "string" ? undefined : target["@dispatch/source"];
      // The internal entry is for the packages of this repository.
      if (source === undefined || subpath === "./internal") return [];
      return [{ module: path.posix.join(name, subpath), file: path.join(directory, source), directory }];
    });
  });
}

/** The comment right before each exported declaration of a package, that of the first overload, by the name declared. */
function commentsOf(directory: string): ReadonlyMap<string, { readonly file: string; readonly comment: string }> {
  const found = new Map<string, { file: string; comment: string }>();
  for (const file of globSync("src/**/*.ts", { cwd: directory }).toSorted()) {
    if (NOT_SOURCE.test(file)) continue;
    const text = readFileSync(path.join(directory, file), "utf8");
    const declared =
      /(?<comment>\/\*\*(?:(?!\*\/)[^])*\*\/)\s*export (?:abstract )?(?:async )?(?:function\*?|class|const) (?<name>\w+)/g;
    for (const { groups = {} } of text.matchAll(declared)) {
      const { comment = "", name = "" } = groups;
      if (!found.has(name)) found.set(name, { file: path.relative(root, path.join(directory, file)), comment });
    }
  }
  return found;
}

function exampleOf(comment: string): string | undefined {
  const text = comment.replaceAll(/^\s*\* ?/gm, "");
  return /@example\s+```ts\n(?<code>[^]*?)\n```/.exec(text)?.groups?.["code"];
}
