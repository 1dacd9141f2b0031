import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import vm from "node:vm";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import { afterAll, afterEach, expect, onTestFinished, test } from "vitest";
import webpack from "webpack";

const here = import.meta.dirname;
const program = path.join(here, "program/main.js");
const WORKS = {
  "tools-interface": "works",
  "tool-files": "works",
  "tool-memory": "works",
  "tool-code/deno": "works",
  "tool-code/quickjs": "works",
};
/** Away from every `node_modules`, programs that no bundle can contain are missing, and the error gives advice. */
const ALONE = {
  ...WORKS,
  "tool-code/deno": expect.stringMatching(/^DenoNotFoundError .*set denoPath/),
  "tool-code/quickjs": expect.stringMatching(/^QuickJsNotFoundError .*set loadEngine/),
};

const outcomes: boolean[] = [];
afterEach(({ task }) => void outcomes.push(task.result?.state !== "fail"));
afterAll(() => {
  console.log(
    `METRIC bundlers.pass ${outcomes.filter(Boolean).length} stacks\nMETRIC bundlers.of ${outcomes.length} stacks`,
  );
});

function emptyDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), "dispatch-stack-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Next takes 0 for 3000. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** The environment without the packages that the runner of the tests adds. */
const { NODE_PATH: _, ...ownEnvironment } = process.env;

/** The output of a program, run alone in a directory. */
function run(file: string, [engine = process.execPath, ...args]: readonly string[] = []): unknown {
  const cwd = path.dirname(file);
  const options = { cwd, env: ownEnvironment, encoding: "utf8", timeout: 120_000 } as const;
  return JSON.parse(execFileSync(engine, [...args, file], options));
}

test.each([
  ["ESM", "main.mjs", { format: "esm" }],
  ["CommonJS", "main.cjs", { format: "cjs", logOverride: { "empty-import-meta": "silent" } }],
  ["minified ESM that keeps names", "main.mjs", { format: "esm", minify: true, keepNames: true }],
] as const)("a bundle of esbuild works alone: %s", async (_, name, options) => {
  const outfile = path.join(emptyDirectory(), name);
  await esbuild({ entryPoints: [program], bundle: true, platform: "node", outfile, logLevel: "warning", ...options });
  expect(run(outfile)).toEqual(ALONE);
});

test("a bundle of webpack works alone", async () => {
  const directory = emptyDirectory();
  const compiler = webpack({
    mode: "production",
    target: "node",
    entry: program,
    // Terser takes longer than all the rest; esbuild minifies above.
    optimization: { minimize: false },
    // Otherwise this address is that of the machine which builds.
    module: { parser: { javascript: { importMeta: false } } },
    output: { path: directory, filename: "main.mjs", module: true, chunkFormat: "module", library: { type: "module" } },
    experiments: { outputModule: true },
  });
  const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
    compiler?.run((error, found) => (error === null ? resolve(found) : reject(error)));
  });
  expect(stats?.toJson({ errors: true, all: false }).errors).toEqual([]);
  expect(run(path.join(directory, "main.mjs"))).toEqual(ALONE);
});

test("a bundle of Vite for a server works alone", async () => {
  const outDir = emptyDirectory();
  await vite({
    root: here,
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true },
    build: { ssr: program, outDir, emptyOutDir: true },
  });
  expect(run(path.join(outDir, "main.js"))).toEqual(ALONE);
});

test("a standalone build of Next works alone, in its Node and its edge runtime", async () => {
  const app = path.join(here, "next");
  const env = { ...ownEnvironment, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
  const next = path.join(here, "node_modules/next/dist/bin/next");
  execFileSync(process.execPath, [next, "build"], { cwd: app, env, stdio: "pipe", timeout: 280_000 });
  const directory = emptyDirectory();
  cpSync(path.join(app, ".next/standalone"), directory, { recursive: true, verbatimSymlinks: true });
  const server = spawn(process.execPath, ["next/server.js"], {
    cwd: directory,
    env: { ...env, PORT: String(await freePort()), HOSTNAME: "127.0.0.1" },
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    server.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (found !== null && said.includes("Ready")) resolve(found[0]);
    });
    server.on("exit", () => reject(new Error(said)));
  });
  expect(await (await fetch(`${url}/all`)).json()).toEqual(ALONE);
  expect(await (await fetch(`${url}/edge`)).json()).toEqual([]);
});

test.each([
  ["Node.js", [process.execPath]],
  ["Bun", [path.join(here, "node_modules/bun/bin/bun.exe")]],
  ["Deno", [path.join(here, "node_modules/deno/deno"), "run", "-A", "--node-modules-dir=manual"]],
])("the packages work in %s", (_, engine) => {
  expect(run(program, engine)).toEqual(WORKS);
});

test("the packages work in a worker thread", () => {
  expect(run(path.join(here, "program/thread.js"))).toEqual(WORKS);
});

test("tools-interface works where there is no process: in a browser, at the edge", async () => {
  const outfile = path.join(emptyDirectory(), "browser.js");
  const entryPoints = [path.join(here, "program/browser.js")];
  await esbuild({
    entryPoints,
    bundle: true,
    platform: "browser",
    format: "iife",
    outfile,
    logLevel: "warning",
    logOverride: { "empty-import-meta": "silent" },
  });
  const web = {
    atob,
    btoa,
    crypto,
    performance,
    structuredClone,
    setTimeout,
    clearTimeout,
    queueMicrotask,
    AbortController,
    AbortSignal,
    URL,
    TextEncoder,
    TextDecoder,
    console,
  };
  const world = vm.createContext({ ...web }) as { done?: Promise<unknown> };
  vm.runInContext(readFileSync(outfile, "utf8"), world);
  expect(JSON.parse(JSON.stringify(await world.done))).toEqual([]);
});
