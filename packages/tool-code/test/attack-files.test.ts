import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { everything, sandbox, SECRET, temporaryFolder } from "./sandbox.ts";

const outside = temporaryFolder();
const cwd = temporaryFolder();
const secret = path.join(outside, "secret.txt");
writeFileSync(secret, `${SECRET}\n`);
writeFileSync(path.join(outside, "secret.json"), JSON.stringify({ secret: SECRET }));
writeFileSync(path.join(outside, "secret.ts"), `export const secret = ${JSON.stringify(SECRET)};\n`);
const run = sandbox({ cwd });
const bare = sandbox();
const url = pathToFileURL(secret).href;
const relative = path.relative(cwd, secret);
/** A source map that says the program's lines come from the secret. */
const map = Buffer.from(JSON.stringify({ version: 3, sources: [url], names: [], mappings: "AAAA;AACA;AACA" })).toString(
  "base64",
);
const mapped = `//# sourceMappingURL=data:application/json;base64,${map}`;
const asBlob = (code: string): string =>
  `URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: 'application/javascript' }))`;
const showLine = "try { null.x } catch (e) { return Deno[Deno.internal].core.destructureError(e).sourceLine }";

/** Every way to read a file outside of the folder that was thought of. `//` stands for the path. */
const reads: readonly (readonly [name: string, code: string])[] = [
  ["a literal import() of text", `(await import("${url}", { with: { type: "text" } })).default`],
  ["a literal import() in a body", `const m = await import("${url}", { with: { type: "text" } });\nreturn m.default;`],
  [
    "a computed import() of text",
    `const u = ["file://", "${secret}"].join("");\nreturn (await import(u, { with: { type: "text" } })).default;`,
  ],
  ["a static import of text", `import text from "${url}" with { type: "text" };\nexport default text;`],
  [
    "a static import of JSON",
    `import json from "${pathToFileURL(path.join(outside, "secret.json")).href}" with { type: "json" };\nexport default json;`,
  ],
  [
    "a static import of TypeScript",
    `import * as m from "${pathToFileURL(path.join(outside, "secret.ts")).href}";\nexport default m;`,
  ],
  ["an import of bytes", `(await import("${url}", { with: { type: "bytes" } })).default`],
  ["an import in eval", `(await eval('import("${url}", { with: { type: "text" } })')).default`],
  [
    "an import in new Function",
    `(await new Function('return import("${url}", { with: { type: "text" } })')()).default`,
  ],
  [
    "an import in node:vm",
    `import vm from "node:vm";\nexport default (await vm.runInThisContext('import("${url}", { with: { type: "text" } })', { importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER })).default;`,
  ],
  [
    "a static import in a module of its own making",
    `(await import(${asBlob(`import t from "${url}" with { type: "text" }; export default t;`)})).default`,
  ],
  [
    "a static import in a data: module",
    `(await import("data:application/javascript," + encodeURIComponent('import t from "${url}" with { type: "text" }; export default t'))).default`,
  ],
  [
    "a static import in a file it wrote",
    `Deno.writeTextFileSync("evil.ts", 'import t from "${url}" with { type: "text" }; export default t;');\nreturn (await import("file://" + Deno.cwd() + "/evil.ts")).default;`,
  ],
  [
    "a module hook",
    `import m from "node:module";\nm.registerHooks({ resolve: () => ({ url: "${url}", format: "module", shortCircuit: true }) });\nexport default await import("anything");`,
  ],
  [
    "createRequire",
    `import { createRequire } from "node:module";\nexport default createRequire("file:///x.js")("${path.join(outside, "secret.json")}");`,
  ],
  ["Deno.readTextFileSync", `Deno.readTextFileSync("${secret}")`],
  ["a path that climbs", `Deno.readTextFileSync("${relative}")`],
  [
    "a path that climbs from its folder",
    `Deno.readTextFileSync(Deno.cwd() + "/x/../../${path.basename(outside)}/secret.txt")`,
  ],
  ["chdir", `Deno.chdir("${outside}"); return Deno.readTextFileSync("secret.txt")`],
  [
    "Deno.open",
    `const f = await Deno.open("${secret}"); const b = new Uint8Array(99); const n = await f.read(b); return new TextDecoder().decode(b.subarray(0, n!))`,
  ],
  ["Deno.copyFile", `Deno.copyFileSync("${secret}", "copy.txt"); return Deno.readTextFileSync("copy.txt")`],
  ["Deno.rename", `Deno.renameSync("${secret}", "moved.txt"); return Deno.readTextFileSync("moved.txt")`],
  ["a hard link", `Deno.linkSync("${secret}", "hard.txt"); return Deno.readTextFileSync("hard.txt")`],
  ["a symbolic link", `Deno.symlinkSync("${secret}", "soft.txt"); return Deno.readTextFileSync("soft.txt")`],
  [
    "a symbolic link by node:fs",
    `import fs from "node:fs";\nfs.symlinkSync("${relative}", "soft2.txt");\nexport default fs.readFileSync("soft2.txt", "utf8");`,
  ],
  ["node:fs", `import fs from "node:fs";\nexport default fs.readFileSync("${secret}", "utf8");`],
  ["fetch of a file", `await (await fetch("${url}")).text()`],
  ["node:sqlite", `import { DatabaseSync } from "node:sqlite";\nexport default String(new DatabaseSync("${secret}"));`],
  ["/proc/self/root", `Deno.readTextFileSync("/proc/self/root${secret}")`],
  ["/proc/self/environ", `Deno.readTextFileSync("/proc/self/environ")`],
  ["/proc/self/cwd", `Deno.readTextFileSync("/proc/self/cwd/${relative}")`],
  [
    "a worker that imports",
    `const w = new Worker(${asBlob(`import t from "${url}" with { type: "text" }; postMessage(t);`)}, { type: "module" });\nreturn await new Promise((r) => { w.onmessage = (e) => r(e.data); w.onerror = (e) => { e.preventDefault(); r(e.message); }; });`,
  ],
  ["a worker from the file", `new Worker("${url}", { type: "module" }); await new Promise((r) => setTimeout(r, 100))`],
  [
    "the decoder of errors, by a source map",
    `(await import(${asBlob(`export default () => { ${showLine} }\n${mapped}`)})).default()`,
  ],
  ["the decoder of errors, by a source map of its own", `${showLine}\n${mapped}`],
  [
    "the decoder of errors, by the name of a script",
    `import vm from "node:vm";\nlet line;\ntry { vm.runInThisContext("null.x", { filename: "${url}" }); } catch (e) { line = Deno[Deno.internal].core.destructureError(e).sourceLine; }\nexport default line;`,
  ],
  [
    "the decoder of errors in a worker",
    `const w = new Worker(${asBlob(`const f = () => { ${showLine} }; postMessage(f());\n${mapped}`)}, { type: "module" });\nreturn await new Promise((r) => { w.onmessage = (e) => r(e.data); });`,
  ],
  [
    "the decoder of errors in a worker of node",
    `import { Worker } from "node:worker_threads";\nconst w = new Worker(${JSON.stringify(`const vm = require("vm"); try { vm.runInThisContext("null.x", { filename: "${url}" }) } catch (e) { require("worker_threads").parentPort.postMessage(Deno[Deno.internal].core.destructureError(e).sourceLine) }`)}, { eval: true });\nexport default await new Promise((r) => w.on("message", r));`,
  ],
  [
    "a worker whose class is built around",
    `import { Worker } from "node:worker_threads";\nimport { EventEmitter } from "node:events";\ntry { Object.setPrototypeOf(Worker, EventEmitter); } catch {}\nexport default String(Reflect.construct(Worker, ["1", { eval: true }], EventEmitter));`,
  ],
  [
    "an uncaught error that Deno prints",
    `import vm from "node:vm";\nsetTimeout(() => vm.runInThisContext("null.x", { filename: "${url}" }));\nawait new Promise((r) => setTimeout(r, 100));`,
  ],
  [
    "an uncaught error that Deno prints before it dies",
    `import vm from "node:vm";\nObject.defineProperty(ErrorEvent.prototype, "error", { get() { return vm.runInThisContext("null.x", { filename: "${url}" }); } });\nsetTimeout(() => { throw 1; });\nawait new Promise(() => {});`,
  ],
  [
    "a failing test of node:test",
    `import test from "node:test";\nimport vm from "node:vm";\ntest("x", () => { vm.runInThisContext("null.x", { filename: "${url}" }); });\nawait new Promise((r) => setTimeout(r, 100));`,
  ],
];

describe("a program cannot read a file outside of its folder", () => {
  test.each(reads)("by %s", async (_, code) => {
    for (const attack of [run, bare]) {
      const outcome = await attack(code, { limits: { wallMs: 3_000 } });
      expect(everything(outcome)).not.toContain(SECRET);
      expect(everything(outcome)).not.toContain("DENO_DIR");
    }
    for (const file of readdirSync(cwd).filter((name) => name.includes(".t")))
      expect(readFileSync(path.join(cwd, file), "utf8")).not.toContain(SECRET);
    expect(readFileSync(secret, "utf8")).toBe(`${SECRET}\n`);
  });

  test("although the same words do read one inside", async () => {
    writeFileSync(path.join(cwd, "open.txt"), "open");
    const open = pathToFileURL(path.join(cwd, "open.txt")).href;
    expect((await run(`(await import("${open}", { with: { type: "text" } })).default`)).value).toBe("open");
    expect((await run(`import text from "${open}" with { type: "text" };\nexport default text;`)).value).toBe("open");
    expect((await run(`Deno.readTextFileSync("open.txt")`)).value).toBe("open");
    expect((await bare(`Deno.readTextFileSync("${path.join(cwd, "open.txt")}")`)).error?.kind).toBe("permission");
  });

  test("nor by leaving settings for the next program", async () => {
    await run(`Deno.writeTextFileSync("deno.json", JSON.stringify({ imports: { evil: "${url}" }, permissions: { default: { read: true } }, compilerOptions: { types: ["${url}"] } }));
Deno.writeTextFileSync("package.json", JSON.stringify({ dependencies: { evil: "file:${outside}" } }));
Deno.mkdirSync("node_modules/evil", { recursive: true });
Deno.writeTextFileSync("node_modules/evil/package.json", JSON.stringify({ name: "evil", main: "${secret}" }));
Deno.writeTextFileSync(".npmrc", "//x/:_authToken=1");
Deno.writeTextFileSync(".env", "EVIL=1");`);
    for (const code of [
      `await import("evil", { with: { type: "text" } })`,
      `import { createRequire } from "node:module";\nexport default createRequire("file://" + Deno.cwd() + "/x.js")("evil");`,
      `Deno.readTextFileSync("${secret}")`,
      `Deno.env.get("EVIL")`,
    ]) {
      const outcome = await run(code);
      expect(outcome.ok).toBe(false);
      expect(everything(outcome)).not.toContain(SECRET);
    }
  });

  test("nor reach what Deno keeps for itself, from anything that can be reached", async () => {
    const outcome = await run(`import module from "node:module";
const seen = new Set(), queue = [], hits = [];
const push = (value, path) => { if (((typeof value === "object" && value !== null) || typeof value === "function") && !seen.has(value)) { seen.add(value); queue.push([value, path]); } };
push(globalThis, "globalThis");
for (const name of module.builtinModules) { const id = name.startsWith("node:") ? name : "node:" + name; try { push(await import(id), id); push(module.createRequire("file:///x.js")(id), id); } catch {} }
addEventListener("unhandledrejection", (e) => { e.preventDefault(); e.stopImmediatePropagation(); });
while (queue.length > 0) {
  const [object, path] = queue.pop();
  let keys = []; try { keys = Reflect.ownKeys(object); } catch {}
  for (const key of keys) {
    const at = path + "." + String(key);
    if (["ops", "core", "internals", "primordials", "__bootstrap", "destructureError", "op_destructure_error"].includes(String(key))) hits.push(at);
    const d = Reflect.getOwnPropertyDescriptor(object, key);
    if (d && "value" in d) push(d.value, at); else if (d) { push(d.get, at); push(d.set, at); }
  }
  try { push(Object.getPrototypeOf(object), path + ".__proto__"); } catch {}
}
export default { hits, many: seen.size > 3000 };`);
    expect(outcome.value).toEqual({ hits: [], many: true });
  });
});

describe("a program cannot write outside of its folder", () => {
  const target = path.join(outside, "written.txt");
  test.each([
    ["Deno.writeTextFileSync", `Deno.writeTextFileSync("${target}", "x")`],
    ["a path that climbs", `Deno.writeTextFileSync("../${path.basename(outside)}/written.txt", "x")`],
    ["node:fs", `import fs from "node:fs";\nfs.writeFileSync("${target}", "x");`],
    ["copying", `Deno.writeTextFileSync("a", "x"); Deno.copyFileSync("a", "${target}")`],
    ["renaming", `Deno.writeTextFileSync("a", "x"); Deno.renameSync("a", "${target}")`],
    ["a hard link", `Deno.writeTextFileSync("a", "x"); Deno.linkSync("a", "${target}")`],
    ["removing", `Deno.removeSync("${secret}")`],
    ["a temporary file", `Deno.makeTempFileSync({ dir: "${outside}" })`],
    [
      "node:sqlite",
      `import { DatabaseSync } from "node:sqlite";\nnew DatabaseSync("${target}").exec("create table t (x)");`,
    ],
    [
      "node:sqlite and ATTACH",
      `import { DatabaseSync } from "node:sqlite";\nnew DatabaseSync(":memory:").exec("attach '${target}' as a; create table a.t (x)");`,
    ],
    ["a heap snapshot", `import v8 from "node:v8";\nv8.writeHeapSnapshot("${target}");`],
  ])("by %s", async (_, code) => {
    const before = readdirSync(outside);
    await run(code);
    expect(readdirSync(outside)).toEqual(before);
    expect(existsSync(target)).toBe(false);
  });

  test("and without a folder nowhere at all", async () => {
    for (const code of [
      `Deno.writeTextFileSync("/tmp/dispatch-x", "x")`,
      `Deno.makeTempFileSync()`,
      `Deno.writeTextFileSync("x", "x")`,
    ]) {
      expect((await bare(code)).error?.kind).toBe("permission");
    }
  });
});

describe("links that lead out of the folder", () => {
  let linked: string;
  beforeEach(() => {
    linked = realpathSync(mkdtempSync(path.join(tmpdir(), "linked-")));
    return () => rmSync(linked, { recursive: true, force: true });
  });

  test("keep every program from running, and are named without the place they lead to", async () => {
    mkdirSync(path.join(linked, "sub"));
    symlinkSync(secret, path.join(linked, "sub/innocent.txt"));
    const outcome = await sandbox({ cwd: linked })("Deno.readTextFileSync('sub/innocent.txt')");
    expect(outcome.error).toMatchObject({
      kind: "unavailable",
      message: `the working directory holds links that lead out of it: ${path.join("sub", "innocent.txt")}`,
    });
    expect(everything(outcome)).not.toContain(outside);
  });

  test("do not when the host says so", async () => {
    symlinkSync(secret, path.join(linked, "known.txt"));
    expect((await sandbox({ cwd: linked, allowEscapingLinks: true })("1")).ok).toBe(true);
  });

  test("are found at every run, not only at the first", async () => {
    const attack = sandbox({ cwd: linked });
    expect((await attack("1")).ok).toBe(true);
    symlinkSync("..", path.join(linked, "late"));
    expect((await attack("1")).error?.kind).toBe("unavailable");
  });

  test("are no concern when they stay inside", async () => {
    writeFileSync(path.join(linked, "a.txt"), "A");
    symlinkSync("a.txt", path.join(linked, "b.txt"));
    linkSync(path.join(linked, "a.txt"), path.join(linked, "c.txt"));
    expect((await sandbox({ cwd: linked })("Deno.readTextFileSync('b.txt')")).value).toBe("A");
  });
});
