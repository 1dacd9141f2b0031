/**
 * `node ../../.ci/bundle-package.ts`, run in the directory of a package, writes the JavaScript that it publishes: one
 * file for each entry, and shared ones. Measured for tools-interface: Node takes 27 ms of CPU time to import the root
 * entry as sixty separate modules, and a fifth of that as a few files.
 *
 * The names of functions and the lines stay, so that a stack trace can be read as it is. Sources, and maps to them, would double
 * what every user downloads.
 *
 * Imported packages that are not listed as dependencies become part of the files, in a chunk of their own, and the declarations of
 * those of this workspace lie beside the package's. A thread's program
 * becomes a text, so that it stays with the package wherever a bundler puts it.
 *
 * A package that is only a command has nearly all of its dependencies in its files, the packages of this workspace as they were
 * built among them: unused modules are left out, and Node opens four files to start instead of 150.
 */
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { rolldown, type InputOptions, type Plugin } from "rolldown";
import { esmExternalRequirePlugin } from "rolldown/plugins";
import { minify } from "rolldown/utils";
import { writeLicenses } from "./build/bundled-licenses.ts";
import { threadPrograms } from "./build/thread-programs.ts";

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly "@dispatch/source": string }>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly publishConfig: { readonly bin?: Readonly<Record<string, string>> };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The chunk of the libraries that are loaded later than the root entry. */
const LIBRARIES = "libraries";
/**
 * The chunk of everything that the root entry loads, libraries included: each file costs Node half a millisecond to find
 * and open.
 */
const CORE = "core";
const LOADED_AT_START = /[\\/]node_modules[\\/]|^zod\/v3$/;
const ROOT_ENTRY = "./src/index.ts";
/** A command loads it once its arguments are right. */
const COMMAND_START = "./src/run-server.ts";
/** People see the names of classes in errors and when results are printed. */
const KEPT_NAMES = { class: true, function: false };
const READABLE = { mangle: { keepNames: true }, compress: { keepNames: { class: true, function: true } } };
const MINIFIED = { mangle: { keepNames: KEPT_NAMES }, compress: { keepNames: KEPT_NAMES } };

const directory = process.cwd();
const manifest = JSON.parse(readFileSync(path.join(directory, "package.json"), "utf8")) as Manifest;
const needed = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
const imported = Object.values(manifest.exports).flatMap((entry) =>
  typeof entry === "string" ? [] : [entry["@dispatch/source"]],
);
/** Nobody imports it. */
const isCommand = imported.length === 0;
const commands = Object.values({ ...manifest.bin, ...manifest.publishConfig.bin }).map((file) =>
  file.replace("./dist/", "./src/").replace(/js$/, "ts"),
);

/** Of Zod 3, `zod-to-json-schema` uses this list of names alone, each its own value. */
const zod3Kinds: Plugin = {
  name: "zod3-kinds",
  resolveId: (id) => (id === "zod/v3" ? id : undefined),
  load: (id) =>
    id === "zod/v3" ? "export const ZodFirstPartyTypeKind = new Proxy({}, { get: (_, kind) => kind });" : undefined,
};

const programs = await threadPrograms(directory);

/** Puts the program of a thread, all it imports included, in the place of its URL. */
const programTexts: Plugin = {
  name: "thread-programs",
  resolveId: (id) => (programs.modules.has(id) ? id : undefined),
  load: (id) => programs.modules.get(id),
  transform(code) {
    const [url, program] = /new URL\("([./\w-]+-worker\.ts)", import\.meta\.url\)/.exec(code) ?? [];
    if (url === undefined || program === undefined) return undefined;
    const text = `thread:${path.basename(program, ".ts")}.js`;
    return code.replace(url, () => `(await import(${JSON.stringify(text)})).default`);
  },
};

/** Evaluates a module that makes a text of functions, which a minifier of the user's could take apart. */
const frozenSources: Plugin = {
  name: "frozen-sources",
  async load(id) {
    if (!/[\\/](?:harness|guest)-source\.ts$/.test(id)) return undefined;
    const exported = Object.entries((await import(pathToFileURL(id).href)) as Record<string, () => string>);
    return exported
      .map(([name, make]) => `export function ${name}() {\n  return ${JSON.stringify(make())};\n}`)
      .join("\n");
  },
};

/**
 * The MCP SDK checks answers to forms with Ajv, which is as large as the rest of the SDK, or with the checker that it takes outside
 * of Node. A command takes that one.
 */
const smallValidator: Plugin = {
  name: "small-validator",
  load: (id) =>
    isCommand && /@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/.test(id)
      ? `export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from "./validators/cfWorker.mjs";
         export { default as process } from "node:process";`
      : undefined,
};

const settings: InputOptions = {
  cwd: directory,
  external: (id) => id.startsWith("node:") || (isPackage(id, needed) && id !== "zod/v3"),
  platform: "node",
  plugins: [
    esmExternalRequirePlugin({ external: [...builtinModules] }),
    zod3Kinds,
    smallValidator,
    programTexts,
    frozenSources,
    { name: "minify-libraries", renderChunk },
  ],
};
const core = await modulesOf(isCommand ? COMMAND_START : ROOT_ENTRY);
const bundle = await rolldown({
  ...settings,
  input: Object.fromEntries(
    [...imported, ...commands].map((source) => [source.slice("./src/".length, -".ts".length), source]),
  ),
});
const { output } = await bundle.write({
  dir: "dist",
  format: "esm",
  ...(isCommand && { minify: MINIFIED }),
  chunkFileNames: "shared/[name]-[hash].js",
  codeSplitting: {
    groups: [
      { name: CORE, test: (id) => core.has(id) },
      { name: LIBRARIES, test: LOADED_AT_START },
    ],
  },
});
for (const file of output) {
  // Later than `renderChunk`, after which Rolldown writes the keys of objects anew.
  if (file.name === CORE && file.type === "chunk")
    writeFileSync(path.join(directory, "dist", file.fileName), toAscii(file.code));
}
const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
writeLicenses(path.join(directory, "dist"), [...modules, ...programs.sources]);
if (!isCommand) ownDeclarations();

/** Declarations name packages of this workspace that users do not have: theirs are copied, and named by their place. */
function ownDeclarations(): void {
  for (const file of globSync("dist/**/*.d.ts", { cwd: directory })) {
    const text = readFileSync(path.join(directory, file), "utf8");
    const own = text.replaceAll(/(?<=from ")@dispatch\/([\w-]+)(?=")/g, (found, name: string) => {
      if (isPackage(found, needed)) return found;
      const copied = path.join("dist", name);
      const built = path.join(directory, "node_modules", found, "dist");
      cpSync(built, path.join(directory, copied), {
        recursive: true,
        filter: (from) => !/\.(?:js|txt)$|\/shared$/.test(from),
      });
      return `${path.posix.relative(path.posix.dirname(file), copied)}/index.js`.replace(/^(?!\.)/, "./");
    });
    if (own !== text) writeFileSync(path.join(directory, file), own);
  }
}

/** The modules that an entry loads at once. */
async function modulesOf(entry: string): Promise<ReadonlySet<string>> {
  if (isCommand ? !existsSync(path.join(directory, entry)) : !imported.includes(entry)) return new Set();
  const { output: chunks } = await (await rolldown({ ...settings, input: entry })).generate({ format: "esm" });
  const byName = new Map(chunks.flatMap((one) => (one.type === "chunk" ? [[one.fileName, one] as const] : [])));
  const [first] = chunks;
  const loaded = new Set([first.fileName]);
  for (const name of loaded) for (const file of byName.get(name)?.imports ?? []) loaded.add(file);
  return new Set([...loaded].flatMap((name) => byName.get(name)?.moduleIds ?? []));
}

/**
 * Shortens the two chunks of a library that most programs read, comments left out: Node compiles less text in less time. Names
 * of functions and classes stay, so that a stack trace can be read.
 */
async function renderChunk(code: string, { name, fileName }: { readonly name: string; readonly fileName: string }) {
  if (isCommand || (name !== LIBRARIES && name !== CORE)) return undefined;
  const { code: short } = await minify(fileName, code, { ...READABLE, module: true });
  return short;
}

/** Text with escapes for `…` and the like. Node decodes 200 KB of plain ASCII in 0.14 ms, and with one other character in 0.5. */
function toAscii(code: string): string {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(code))
    throw new Error("Cannot write the core in ASCII: found String.raw with others");
  return code.replaceAll(/[^\0-\x7f]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function isPackage(id: string, names: object): boolean {
  return Object.keys(names).some((name) => id === name || id.startsWith(`${name}/`));
}
