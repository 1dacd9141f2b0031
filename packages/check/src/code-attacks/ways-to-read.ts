import path from "node:path";
import { pathToFileURL } from "node:url";

/** A way to read a file: the inside of an async function that returns the file's contents. */
export interface WayToRead {
  /** How the file is read. */
  readonly name: string;
  /** The code, for the directory that holds `secret.txt` and its like. */
  readonly body: (directory: string) => string;
  /** Whether it changes how later code in the same process loads or runs, so that it needs a process of its own. */
  readonly leavesTraces?: boolean;
}

const url = (directory: string, name: string): string => JSON.stringify(pathToFileURL(path.join(directory, name)).href);
const file = (directory: string, name = "secret.txt"): string => JSON.stringify(path.join(directory, name));
const node = (name: string): string => `process.getBuiltinModule("node:${name}")`;

/** The ways to read that are tried with every way to load. */
export const waysToRead: readonly WayToRead[] = [
  {
    name: "an import of text",
    body: (f) => `return (await import(${url(f, "secret.txt")}, { with: { type: "text" } })).default;`,
  },
  {
    name: "an import of bytes",
    body: (f) =>
      `return new TextDecoder().decode((await import(${url(f, "secret.txt")}, { with: { type: "bytes" } })).default);`,
  },
  {
    name: "an import of JSON",
    body: (f) => `return (await import(${url(f, "secret.json")}, { with: { type: "json" } })).default;`,
  },
  { name: "an import of TypeScript", body: (f) => `return (await import(${url(f, "secret.ts")})).secret;` },
  { name: "Deno.readTextFile", body: (f) => `return await Deno.readTextFile(${file(f)});` },
  { name: "node:fs", body: (f) => `return ${node("fs")}.readFileSync(${file(f)}, "utf8");` },
  { name: "fetch", body: (f) => `return await (await fetch(${url(f, "secret.txt")})).text();` },
];

/** More ways to read, each tried once. */
export const moreWaysToRead: readonly WayToRead[] = [
  {
    name: "an import whose address is computed",
    body: (f) =>
      `const u = ["file:", ${url(f, "secret.txt")}.slice(5)].join("");\nreturn (await import(u, { with: { type: "text" } })).default;`,
  },
  {
    name: "an import of JavaScript by its path",
    body: (f) => `return (await import(${file(f, "secret.js")})).secret;`,
  },
  {
    name: "createRequire",
    body: (f) => `return ${node("module")}.createRequire("file:///x.js")(${file(f, "secret.json")});`,
  },
  {
    name: "require of CommonJS",
    body: (f) => `return ${node("module")}.createRequire("file:///x.js")(${file(f, "secret.cjs")});`,
  },
  {
    name: "a handler of CommonJS for .txt",
    body: (f) =>
      `const { Module } = ${node("module")};\nconst m = new Module("/x.js");\nModule._extensions[".js"](m, ${file(f, "secret.cjs")});\nreturn m.exports;`,
  },
  {
    name: "a module hook",
    leavesTraces: true,
    body: (f) =>
      `${node("module")}.registerHooks({ resolve: () => ({ url: ${url(f, "secret.ts")}, format: "module", shortCircuit: true }) });\nreturn (await import("anything")).secret;`,
  },
  {
    name: "Deno.open",
    body: (f) =>
      `const o = await Deno.open(${file(f)});\nconst b = new Uint8Array(99);\nreturn new TextDecoder().decode(b.subarray(0, (await o.read(b)) ?? 0));`,
  },
  {
    name: "Deno.copyFile",
    body: (f) => `Deno.copyFileSync(${file(f)}, "copy.txt");\nreturn Deno.readTextFileSync("copy.txt");`,
  },
  {
    name: "Deno.rename",
    body: (f) => `Deno.renameSync(${file(f)}, "moved.txt");\nreturn Deno.readTextFileSync("moved.txt");`,
  },
  {
    name: "a hard link",
    body: (f) => `Deno.linkSync(${file(f)}, "hard.txt");\nreturn Deno.readTextFileSync("hard.txt");`,
  },
  {
    name: "a symbolic link",
    body: (f) => `Deno.symlinkSync(${file(f)}, "soft.txt");\nreturn Deno.readTextFileSync("soft.txt");`,
  },
  {
    name: "a symbolic link of node:fs",
    body: (f) =>
      `${node("fs")}.symlinkSync(${file(f)}, "soft.txt");\nreturn ${node("fs")}.readFileSync("soft.txt", "utf8");`,
  },
  {
    name: "cp of node:fs",
    body: (f) => `${node("fs")}.cpSync(${file(f)}, "copy.txt");\nreturn Deno.readTextFileSync("copy.txt");`,
  },
  {
    name: "a stream of node:fs",
    body: (f) =>
      `let all = "";\nfor await (const c of ${node("fs")}.createReadStream(${file(f)})) all += c;\nreturn all;`,
  },
  { name: "openAsBlob of node:fs", body: (f) => `return await (await ${node("fs")}.openAsBlob(${file(f)})).text();` },
  { name: "node:fs/promises", body: (f) => `return await ${node("fs/promises")}.readFile(${file(f)}, "utf8");` },
  {
    name: "chdir and a relative path",
    body: (f) => `Deno.chdir(${file(f, ".")});\nreturn Deno.readTextFileSync("secret.txt");`,
  },
  {
    name: "chdir of Node.js",
    body: (f) => `process.chdir(${file(f, ".")});\nreturn Deno.readTextFileSync("secret.txt");`,
  },
  {
    name: "a path through /proc/self/root",
    body: (f) => `return Deno.readTextFileSync("/proc/self/root" + ${file(f)});`,
  },
  {
    name: "a path through /proc/self/cwd",
    body: (f) => `return Deno.readTextFileSync("/proc/self/cwd/" + "../".repeat(30) + ${file(f)}.slice(1));`,
  },
  { name: "a path that climbs", body: (f) => `return Deno.readTextFileSync("../".repeat(30) + ${file(f)}.slice(1));` },
  {
    name: "a path in other words",
    body: (f) => `return Deno.readTextFileSync(Deno.cwd() + "/./x/../" + "../".repeat(30) + ${file(f)}.slice(1));`,
  },
  {
    name: "a URL that climbs",
    body: (f) =>
      `return Deno.readTextFileSync(new URL("file://" + Deno.cwd() + "/%2e%2e/" + "%2e%2e/".repeat(30) + ${file(f)}.slice(1)));`,
  },
  {
    name: "a listing of the directory",
    body: (f) =>
      `return [...Deno.readDirSync(${file(f, ".")})].some(({ name }) => name === "secret.txt") ? ${node("fs")}.readFileSync(${file(f)}, "utf8") : "";`,
  },
  {
    name: "the environment as a file",
    body: (f) =>
      `process.loadEnvFile(${file(f, "secret.ts")});\nreturn JSON.stringify(process.env) + Deno.readTextFileSync(${file(f)});`,
  },
  {
    name: "node:wasi",
    body: (f) =>
      `const { WASI } = ${node("wasi")};\nnew WASI({ version: "preview1", preopens: { "/": ${file(f, ".")} } });\nreturn Deno.readTextFileSync(${file(f)});`,
  },
  {
    name: "a certificate of node:tls",
    body: (f) =>
      `return String(${node("tls")}.createSecureContext({ ca: ${node("fs")}.readFileSync(${file(f)}) }) && ${node("fs")}.readFileSync(${file(f)}));`,
  },
  {
    name: "node:sqlite and a file of its own name",
    body: (f) =>
      `const { DatabaseSync } = ${node("sqlite")};\nnew DatabaseSync(${file(f, "planted.db")}).exec("create table t (x)");\nreturn Deno.readTextFileSync(${file(f)});`,
  },
];
