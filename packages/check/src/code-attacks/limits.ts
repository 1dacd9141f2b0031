import { attackCase, type AttackCase } from "./attack-case.ts";

interface LimitAttack {
  readonly name: string;
  readonly program: string;
  /** The kinds of error that may be reported as its end. */
  readonly kinds: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
}

const node = (name: string): string => `process.getBuiltinModule("node:${name}")`;
const soon = { wallMs: 100 };
const timeout = (name: string, program: string): LimitAttack => ({ name, program, kinds: ["timeout"], limits: soon });
/** Small, so that the machine that runs the suite is not the one that runs out. */
const little = { wallMs: 45_000, rssMb: 128, heapMb: 64 };
const memory = (name: string, program: string): LimitAttack => ({ name, program, kinds: ["memory"], limits: little });
const output = (name: string, program: string): LimitAttack => ({
  name,
  program,
  kinds: ["output"],
  limits: { wallMs: 45_000, outputBytes: 20_000 },
});

/** Ends by itself where nothing ends it. */
const disk = (name: string, program: string): LimitAttack => ({
  name,
  program: `const piece = new Uint8Array(500_000).fill(1), times = 96;\n${program}`,
  // The kernel may refuse the next piece first.
  kinds: ["disk", "runtime"],
  limits: { wallMs: 45_000, diskMb: 8 },
});

const attacks: readonly LimitAttack[] = [
  timeout("an endless loop", `while (true) {}`),
  timeout("an endless loop in a module", `while (true) {}\nexport default 1;`),
  timeout("a regular expression without end", `return /^(a+)+$/.test("a".repeat(60) + "b");`),
  timeout("an endless chain of promises", `const f = (): any => Promise.resolve().then(f);\nawait f();`),
  timeout("an endless chain of microtasks", `const f = () => queueMicrotask(f);\nf();\nawait new Promise(() => {});`),
  timeout("a promise that never settles", `setInterval(() => {}, 1_000);\nawait new Promise(() => {});`),
  timeout("a value that never settles", `setInterval(() => {}, 1_000);\nreturn { then() {} };`),
  timeout(
    "signals that are ignored",
    `for (const s of ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1", "SIGQUIT"] as any) try { Deno.addSignalListener(s, () => {}); } catch {}\nwhile (true) {}`,
  ),
  timeout(
    "signals that are ignored by Node.js",
    `for (const s of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(s, () => {});\nwhile (true) {}`,
  ),
  timeout("a process that stops itself", `try { process.kill(process.pid, "SIGSTOP"); } catch {}\nwhile (true) {}`),
  timeout("waiting for atomics", `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`),
  timeout(
    "a loop in WebAssembly",
    `const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 108, 0, 0, 10, 9, 1, 7, 0, 3, 64, 12, 0, 11, 11]);\n(new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as any).l();`,
  ),
  timeout(
    "timers that make timers",
    `const f = () => { setTimeout(f, 0); setTimeout(f, 50); };\nf();\nawait new Promise(() => {});`,
  ),
  timeout("a timer that keeps the process", `setInterval(() => {}, 1000);\nawait new Promise(() => {});`),
  timeout("a sort whose rule never ends", `[3, 2, 1].sort(() => { while (true) {} });`),
  timeout("a getter in the value", `return { get a() { while (true) {} } };`),
  timeout("toJSON in the value", `return { toJSON() { while (true) {} } };`),
  timeout("a proxy for a value", `return new Proxy({}, { ownKeys() { while (true) {} } });`),
  timeout("an error whose message never ends", `throw { get message() { while (true) {} } };`),
  timeout("a big number", `let n = 3n;\nwhile (true) n *= n;`),
  memory("buffers", `const a = [];\nwhile (true) a.push(new Uint8Array(4_000_000).fill(1));`),
  memory(
    "shared buffers",
    `const a = [];\nwhile (true) a.push(new Uint8Array(new SharedArrayBuffer(4_000_000)).fill(1));`,
  ),
  memory(
    "buffers that grow",
    `const b = new ArrayBuffer(0, { maxByteLength: 2 ** 31 });\nfor (let n = 0; ; n += 4_000_000) { b.resize(n); new Uint8Array(b).fill(1); }`,
  ),
  memory(
    "the memory of WebAssembly",
    `const m = new WebAssembly.Memory({ initial: 1, maximum: 65536 });\nfor (let at = 0; ; at = m.buffer.byteLength) { m.grow(64); new Uint8Array(m.buffer, at).fill(1); }`,
  ),
  memory("objects", `const a: any[] = [];\nwhile (true) a.push({ a: new Array(100).fill(0) });`),
  memory(
    "text",
    `let s = "x".repeat(1000);\nconst a = [];\nwhile (true) { s += s.slice(0, 1_000_000); a.push(s.split("")); }`,
  ),
  memory(
    "blobs",
    `const a = [];\nwhile (true) a.push(URL.createObjectURL(new Blob([new Uint8Array(4_000_000).fill(1)])));`,
  ),
  memory(
    "node:sqlite",
    `const d = new (${node("sqlite")}.DatabaseSync)(":memory:");\nd.exec("create table t (x)");\nwhile (true) d.exec("insert into t values (randomblob(4000000))");`,
  ),
  disk("files", `for (let i = 0; i < times; i++) await Deno.writeFile(String(i), piece);`),
  disk(
    "files deep down",
    `for (let i = 0; i < times; i++) { Deno.mkdirSync("a/" + i, { recursive: true }); await Deno.writeFile("a/" + i + "/x", piece); }`,
  ),
  disk("a file", `for (let i = 0; i < times; i++) await Deno.writeFile("x", piece, { append: true });`),
  disk(
    "files of old",
    `await Deno.writeFile("x", piece); await Deno.utime("x", 0, 0); for (let i = 0; i < times; i++) { await Deno.copyFile("x", String(i)); await Deno.utime(String(i), 0, 0); }`,
  ),
  disk(
    "files without a name",
    `const open = []; for (let i = 0; i < times; i++) { const file = await Deno.open(String(i), { create: true, write: true }); open.push(file); await Deno.remove(String(i)); for (let n = 0; n < piece.length; ) n += await file.write(piece.subarray(n)); } await new Promise((done) => setTimeout(done, 1_000));`,
  ),
  disk("files without contents", `for (let i = 0; i < 20_000; i++) Deno.writeFileSync("e" + i, new Uint8Array());`),
  disk("directories", `for (let i = 0; i < 20_000; i++) Deno.mkdirSync("d" + i);`),
  disk(
    "files in a directory that may not be read",
    `Deno.mkdirSync("dark"); Deno.chmodSync("dark", 0o300); for (let i = 0; i < times; i++) await Deno.writeFile("dark/" + i, piece);`,
  ),
  disk(
    "files too deep for a path",
    `const name = "d".repeat(200); const chain = (root) => { for (let i = 0; i < 17; i++) root += "/" + name; Deno.mkdirSync(root, { recursive: true }); return root; }; for (let k = 0; k < times / 4; k++) { const below = chain("y" + k); for (let i = 0; i < 4; i++) await Deno.writeFile(below + "/" + i, piece); Deno.renameSync("y" + k, chain("x" + k) + "/y"); }`,
  ),
  disk(
    "a file by node:fs",
    `const fs = ${node("fs")}; const fd = fs.openSync("x", "w"); for (let i = 0; i < times; i++) fs.writeSync(fd, piece);`,
  ),
  disk(
    "a database",
    `const d = new (${node("sqlite")}.DatabaseSync)("x.db"); d.exec("create table t (x)"); for (let i = 0; i < times; i++) d.exec("insert into t values (randomblob(500000))");`,
  ),
  {
    name: "temporary files of a database",
    program: `const d = new (${node("sqlite")}.DatabaseSync)(":memory:"); for (const place of ["/dev/shm", "/var/tmp", "/tmp"]) try { d.exec("pragma temp_store_directory = '" + place + "'"); } catch {}\nd.exec("pragma temp_store = 1; pragma cache_size = 10; create temp table t (x)"); for (let i = 0; i < 240; i++) d.exec("insert into t values (randomblob(500000))");`,
    kinds: ["disk", "runtime", "memory"],
    limits: { wallMs: 45_000, diskMb: 8 },
  },
  output("lines", `while (true) console.log("x");`),
  output(
    "text without a line break",
    `const b = new Uint8Array(65536).fill(120);\nwhile (true) Deno.stdout.writeSync(b);`,
  ),
  output("standard error", `const b = new Uint8Array(65536).fill(120);\nwhile (true) Deno.stderr.writeSync(b);`),
  output("text by node:fs", `while (true) ${node("fs")}.writeSync(1, "x".repeat(100_000));`),
  output(
    "the beginnings of messages",
    `const b = new Uint8Array(65536).fill(0x1e);\nwhile (true) Deno.stdout.writeSync(b);`,
  ),
  {
    name: "calls",
    program: `for (let i = 0; i < 1000; i++) await __callTool__("x", i);`,
    kinds: ["calls"],
    limits: { calls: 20 },
  },
  {
    name: "calls at once",
    program: `await Promise.all(Array.from({ length: 100_000 }, (_, i) => __callTool__("x", i)));`,
    kinds: ["calls"],
    limits: { calls: 20 },
  },
  { name: "a long program", program: `return 1;${" ".repeat(60_000)}`, kinds: ["size"], limits: {} },
  {
    name: "a program of long characters",
    program: `return "${"\u20ac".repeat(20_000)}";`,
    kinds: ["size"],
    limits: {},
  },
  {
    name: "parameters",
    program: `await __callTool__("x", "x".repeat(2_000_000));`,
    kinds: ["runtime", "protocol", "tool"],
    limits: { frameBytes: 100_000 },
  },
];

/** Programs that end themselves and then compute on: their success may be taken at their word, and they must be gone. */
const heldUp: readonly (readonly [name: string, program: string])[] = [
  ["", `addEventListener("unload", () => { while (true) {} });\nDeno.exit(0);`],
  [" by Node.js", `process.on("exit", () => { while (true) {} });\nprocess.exit(0);`],
];

/** A program exceeds a limit. It must be ended, with the reason reported. */
export const limitCases: readonly AttackCase[] = [
  ...heldUp.map(([name, program]) =>
    attackCase("limits", `timeout: an end that is held up${name}`, async (trial) => {
      const { ok, error } = await trial.record(program, { limits: soon });
      trial.expect(ok || error?.kind === "timeout", "a success or a timeout", error);
    }),
  ),
  ...attacks.map(({ name, program, kinds, limits }) =>
    attackCase("limits", `${kinds[0] ?? ""}: ${name}`, async (trial) => {
      await trial.denied(program, kinds, { limits });
      trial.expect(trial.calls.length <= 20, "no more calls than allowed", trial.calls.length);
    }),
  ),
  ...["x", "\u20ac"].map((char) =>
    attackCase("limits", `output: a value of many ${char}`, async (trial) => {
      const { value } = await trial.record(`return ${JSON.stringify(char)}.repeat(1_000_000);`, {
        limits: { outputBytes: 20_000 },
      });
      const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
      trial.expect(bytes <= 20_000, "a value cut to 20,000 bytes", bytes);
    }),
  ),
  attackCase("limits", "timeout: computing while a tool takes its time", (trial) =>
    trial.denied(`void __callTool__("slow", {});\nwhile (true) {}`, ["timeout"], {
      limits: { wallMs: 150, totalMs: 20_000 },
      callTool: () => new Promise(() => {}),
    }),
  ),
  attackCase("limits", "timeout: waiting for a tool that never answers", (trial) =>
    trial.denied(`await __callTool__("slow", {});`, ["timeout"], {
      limits: { wallMs: 200, totalMs: 600 },
      callTool: () => new Promise(() => {}),
    }),
  ),
  attackCase("limits", "timeout: asking for much and reading nothing", async (trial) => {
    let reached = 0;
    await trial.denied(`for (let i = 0; i < 100; i++) void __callTool__("x", i);\nwhile (true) {}`, ["timeout"], {
      limits: { wallMs: 300, maxConcurrency: 4 },
      callTool: async () => ((reached += 1), "x".repeat(4_000_000)),
    });
    trial.expect(reached <= 5, "at most 5 answers to be made", reached);
  }),
];
