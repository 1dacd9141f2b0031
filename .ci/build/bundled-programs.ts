import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { rolldown, type Plugin } from "rolldown";
import { transform } from "rolldown/utils";

/** The address of a program of ours, which a thread or a process is started with. */
const PROGRAM = /new URL\("(?<file>[./\w-]+\.ts)", import\.meta\.url\)/;
const ROOT = path.resolve(import.meta.dirname, "../..");
const CACHE = path.join(ROOT, "node_modules/.cache/programs");
/** Parts of bundles that no run used for so long are removed. */
const MAX_AGE_MS = 24 * 3_600_000;

/** The part of the runner's configuration that is needed. */
interface Configuration {
  readonly vitest: { readonly config: { readonly watch: boolean } };
  readonly defineCacheKeyGenerator: (
    callback: (module: { readonly id: string; readonly sourceCode: string }) => false | undefined,
  ) => void;
}

/**
 * For tests: the address of a program, `new URL("./program.ts", import.meta.url)`, becomes that of a bundle of it, with all
 * it imports. A thread or a process then loads a few files in place of some hundred sources, which takes Node a sixth to a
 * third of the processor time. `import.meta.resolve("./program.ts")` remains the address of the source.
 */
export function bundledPrograms(): { readonly name: string } {
  let isWatching = false;
  return {
    name: "bundled-programs",
    enforce: "pre",
    configureVitest({ vitest, defineCacheKeyGenerator }: Configuration) {
      // A bundle is made once a run: after a change it would be out of date.
      isWatching = vitest.config.watch;
      // For the same reason the next run may not take a module with the address of this run's bundle.
      defineCacheKeyGenerator(({ id, sourceCode }) =>
        id.endsWith(".ts") && PROGRAM.test(sourceCode) ? false : undefined,
      );
    },
    transform: {
      filter: { id: /\.ts$/, code: PROGRAM },
      handler: async (code: string, id: string) =>
        isWatching ? undefined : { code: await toBundles(code, id), map: null },
    },
  } as { readonly name: string };
}

const bundles = new Map<string, Promise<string>>();

/** A module with the addresses of bundles in place of those of programs. */
async function toBundles(code: string, id: string): Promise<string> {
  let changed = code;
  for (const { 0: text, groups } of code.matchAll(new RegExp(PROGRAM, "g"))) {
    const program = path.resolve(path.dirname(id), groups?.["file"] ?? "");
    if (!existsSync(program)) continue;
    const made = bundles.get(program) ?? bundle(program);
    bundles.set(program, made);
    const url = pathToFileURL(await made).href;
    changed = changed.replace(text, () => `new URL(${JSON.stringify(url)})`);
  }
  return changed;
}

/** Packages that choose among their own modules when they are loaded, which a bundle breaks: they stay where they are. */
const UNBUNDLED = /^(?:pg|@dbos-inc)(?:\/|$)/;
const leftOut: Plugin = {
  name: "left-out",
  resolveId: {
    filter: { id: UNBUNDLED },
    async handler(name, importer) {
      const found = await this.resolve(name, importer, { skipSelf: true });
      return found === null ? null : { id: found.id, external: true };
    },
  },
};

/** Modules keep the addresses of their sources, so that they find what lies beside these. */
const ownAddresses: Plugin = {
  name: "own-addresses",
  transform: {
    filter: { code: /import\.meta\.|\b__(?:dirname|filename)\b/ },
    async handler(code, id) {
      let changed = id.includes("node_modules") ? code : await toBundles(code, id);
      for (const [text, , name = ""] of changed.matchAll(/import\.meta\.resolve\((["'])([^"']+)\1\)/g)) {
        const found = await this.resolve(name, id);
        if (found !== null) changed = changed.replace(text, () => JSON.stringify(pathToFileURL(found.id).href));
      }
      const [url, directory, file] = [pathToFileURL(id).href, path.dirname(id), id].map((text) => JSON.stringify(text));
      const define = {
        "import.meta.url": url,
        "import.meta.dirname": directory,
        "import.meta.filename": file,
        __dirname: directory,
        __filename: file,
      } as Record<string, string>;
      return (await transform(id, changed, { define })).code;
    },
  },
};

/** @returns The path of the bundle's first file. */
async function bundle(program: string): Promise<string> {
  const built = await rolldown({
    input: program,
    external: /^node:|\.node$/,
    platform: "node",
    resolve: { conditionNames: ["@dispatch/source", "node", "import", "default"] },
    plugins: [leftOut, ownAddresses],
    logLevel: "silent",
  });
  // Names tell the content: where Node keeps compiled modules, it finds those of the run before.
  const names = "[name]-[hash].js";
  const { output } = await built.generate({ format: "esm", entryFileNames: names, chunkFileNames: names });
  const directory = path.join(CACHE, path.relative(ROOT, program).replaceAll(/\W/g, "-"));
  await mkdir(directory, { recursive: true });
  await writeFile(path.join(directory, "package.json"), '{"type":"module"}');
  await Promise.all(
    output.map((part) => keep(path.join(directory, part.fileName), part.type === "chunk" ? part.code : part.source)),
  );
  await removeOld(directory);
  return path.join(directory, output[0].fileName);
}

/** Writes a file whose name tells its content, so that a run beside this one never finds half of it. */
async function keep(file: string, content: string | Uint8Array): Promise<void> {
  const now = new Date();
  if (existsSync(file)) return utimes(file, now, now);
  await writeFile(`${file}-${process.pid}`, content);
  await rename(`${file}-${process.pid}`, file);
}

async function removeOld(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const file = path.join(directory, name);
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > MAX_AGE_MS) await rm(file, { force: true });
  }
}
