/**
 * Measures what escapes the sandbox, remains behind, exceeds a limit or stalls the host. Prints one METRIC line per
 * figure.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { attackCases, plantSecrets } from "@dispatch/check";
// @boundaries-ignore benches measure in one way
import { median, metric } from "../../tools-interface/bench/measure.ts";
import { DenoRuntime } from "../src/deno/index.ts";
import { denoSubject } from "../test/deno-subject.ts";
import { weakSubject } from "../test/weak-runtime.ts";

const ROUNDS = 7;
/** Every eighth case is tried where attacks should succeed. */
const SAMPLE_INTERVAL = 8;
const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "containment-")));
const callTool = async (): Promise<unknown> => 0;

/** Every attack against the runtime; some against one that holds nothing. */
async function attacks(): Promise<void> {
  const secrets = await plantSecrets();
  let escaped = 0;
  for (const { topic, name, run } of attackCases) {
    await run(denoSubject(secrets)).catch((error: Error) => {
      escaped += 1;
      console.error(`${topic}: ${name}: ${error.message}`);
    });
  }
  const tried = attackCases.filter((_, at) => at % SAMPLE_INTERVAL === 0);
  let succeeded = 0;
  for (const { run } of tried) {
    await run(weakSubject(secrets), { timeoutMs: 1_500 }).catch(() => (succeeded += 1));
  }
  await secrets.close();
  metric(
    "code.attacks.cases",
    attackCases.reduce((sum, { attempts }) => sum + attempts, 0),
    "cases",
  );
  metric("code.attacks.escaped", escaped, "cases");
  metric("code.attacks.escaped_of_weak", succeeded / tried.length, "share");
}

/** Bytes left on the disk after programs that keep as much as they can. */
async function leftovers(): Promise<void> {
  const tempDir = mkdtempSync(path.join(directory, "temp-"));
  const here = (): readonly string[] => readdirSync(tmpdir()).filter((name) => /deno|dispatch-code/i.test(name));
  const before = here();
  const runtime = new DenoRuntime({ tempDir });
  const programs = [
    "localStorage.setItem('a', 'x'.repeat(1_000_000));",
    "await (await caches.open('a')).put('http://a/', new Response('x'.repeat(1_000_000)));",
    "enum E { A } console.log(E.A);",
    "const s = process.getBuiltinModule('node:sqlite'); const d = new s.DatabaseSync(''); d.exec('create table t (x); insert into t values (zeroblob(9000000))');",
    "process.abort();",
    "const a: any[] = []; while (true) a.push(new Uint8Array(1_000_000).fill(1));",
    "while (true) {}",
  ];
  const limits = { wallMs: 500, rssMb: 200 };
  await Promise.all(programs.map((code) => runtime.execute({ code, callTool, limits })));
  await runtime.close();
  const strangers = here().filter((name) => !before.includes(name));
  metric(
    "code.leftover_bytes",
    sizeOf(tempDir) + strangers.reduce((sum, name) => sum + sizeOf(path.join(tmpdir(), name)), 0),
    "bytes",
  );
}

function sizeOf(place: string): number {
  const inside = readdirSync(place, { recursive: true, withFileTypes: true });
  // A directory that is empty is left over too.
  return inside.reduce((sum, entry) => sum + Math.max(statSync(path.join(entry.parentPath, entry.name)).size, 1), 0);
}

/** Processes and directories that are there after the host was killed with programs in them. */
async function orphans(): Promise<void> {
  const source = fileURLToPath(new URL("../src/deno/index.ts", import.meta.url));
  let left = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const tempDir = mkdtempSync(path.join(directory, "host-"));
    const code = `import { DenoRuntime } from ${JSON.stringify(source)};
const runtime = new DenoRuntime({ tempDir: ${JSON.stringify(tempDir)} });
const program = { code: "for (const s of ['SIGTERM', 'SIGHUP', 'SIGINT']) Deno.addSignalListener(s, () => {}); console.log('busy'); while (true) {}", callTool: async () => 0, onOutput: () => console.log("busy") };
runtime.execute(program);
runtime.execute(program);`;
    const host = spawn(
      process.execPath,
      ["--conditions=@dispatch/source", "--input-type=module-typescript", "-e", code],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    await new Promise((resolve) => host.stdout.once("data", resolve));
    host.kill("SIGKILL");
    const mine = (): number => readdirSync(tempDir).length + processesOf(tempDir);
    for (let waited = 0; waited < 100 && mine() > 0; waited += 1) await after(50);
    left += mine();
  }
  metric("code.orphans", left, "processes");
}

function processesOf(tempDir: string): number {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "latin1").includes(tempDir);
    } catch {
      return false;
    }
  }).length;
}

/** Sees, from a thread of its own, the most memory any child has ever had. */
const WATCHER = `const { parentPort, workerData } = require("node:worker_threads");
const { readFileSync } = require("node:fs");
let most = 0;
setInterval(() => {
  try {
    for (const pid of readFileSync("/proc/" + workerData.pid + "/task/" + workerData.pid + "/children", "latin1").trim().split(" "))
      try { most = Math.max(most, Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/" + pid + "/status", "latin1"))?.[1] ?? 0)); } catch {}
  } catch {}
}, 1);
let asked = 0;
setInterval(() => { const now = Atomics.load(workerData.shared, 0); if (now !== asked) { asked = now; parentPort.postMessage(most); most = 0; } }, 1);`;

/** By how much a program's memory is over the limit when it is stopped: the worst of several ways to use it up. */
async function overshoot(): Promise<void> {
  const rssMb = 512;
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const watcher = new Worker(WATCHER, { eval: true, workerData: { pid: process.pid, shared } });
  const most = (): Promise<number> =>
    new Promise((resolve) => {
      watcher.once("message", resolve);
      Atomics.add(shared, 0, 1);
    });
  const runtime = new DenoRuntime({ prewarm: 0, limits: { rssMb, heapMb: 2_000 } });
  const shares: number[] = [];
  for (const code of [
    "const a = []; while (true) a.push(new Uint8Array(1_000_000).fill(1));",
    "const m = new WebAssembly.Memory({ initial: 1, maximum: 65536 }); for (let at = 0; ; at = m.buffer.byteLength) { m.grow(64); new Uint8Array(m.buffer, at).fill(1); }",
    "const a: any[] = []; while (true) a.push({ a: new Array(100).fill(0) });",
    "const a = []; while (true) a.push(new Uint8Array(64_000_000).fill(1));",
  ]) {
    const found: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await most();
      const { error } = await runtime.execute({ code, callTool });
      if (error?.kind !== "memory") throw new Error(`Expected a failure by memory, found ${error?.message}`);
      found.push(Math.max((await most()) / 1024 / rssMb - 1, 0));
    }
    console.log(`overshoot ${found.map((share) => share.toFixed(3)).join(" ")}: ${code.slice(0, 60)}`);
    shares.push(median(found));
  }
  await runtime.close();
  await watcher.terminate();
  metric("code.rss_overshoot", Math.max(...shares), "share");
}

/** Bytes that programs added beyond `diskMb` without being ended, open files included. */
async function unaccounted(): Promise<void> {
  const diskMb = 8;
  const sqlite = 'new (process.getBuiltinModule("node:sqlite").DatabaseSync)';
  const rows = 'for (let i = 0; i < 200; i++) d.exec("insert into t values (randomblob(500000))");';
  const programs = [
    "for (let i = 0; i < 200; i++) await Deno.writeFile(String(i), piece);",
    'for (let i = 0; i < 200; i++) await Deno.writeFile("x", piece, { append: true });',
    "for (let i = 0; i < 200; i++) { const f = await Deno.open(String(i), { create: true, write: true }); keep.push(f); await Deno.remove(String(i)); await f.write(piece); }",
    `const d = ${sqlite}("x.db"); d.exec("create table t (x)"); ${rows}`,
    `const d = ${sqlite}(":memory:"); keep.push(d); for (const p of ["/dev/shm", "/var/tmp", "/tmp"]) try { d.exec("pragma temp_store_directory = '" + p + "'"); } catch {}\nd.exec("pragma temp_store = 1; pragma cache_size = 10; create temp table t (x)"); ${rows}`,
    'for (let i = 0; i < 200; i++) await import("data:application/typescript,export const a: string = " + JSON.stringify(i + "x".repeat(500_000)));',
    "for (let i = 0; i < 20_000; i++) Deno.writeFileSync(String(i), new Uint8Array());",
    'Deno.mkdirSync("dark"); Deno.chmodSync("dark", 0o300); for (let i = 0; i < 200; i++) await Deno.writeFile("dark/" + i, piece);',
    'const name = "d".repeat(200); const chain = (top) => { for (let i = 0; i < 17; i++) top += "/" + name; Deno.mkdirSync(top, { recursive: true }); return top; }; for (let k = 0; k < 50; k++) { const below = chain("y" + k); for (let i = 0; i < 4; i++) await Deno.writeFile(below + "/" + i, piece); Deno.renameSync("y" + k, chain("x" + k) + "/y"); }',
    'for (let i = 0; i < 2_000; i++) Deno.mkdirSync("d" + i); for (let i = 0; i < 20_000; i++) Deno.writeTextFileSync("d" + (i % 2_000) + "/" + i, "x");',
  ];
  let beyond = 0;
  for (const containment of ["auto", "process"] as const)
    for (const program of programs) {
      const cwd = mkdtempSync(path.join(directory, "disk-"));
      const runtime = new DenoRuntime({ cwd, prewarm: 0, containment, limits: { diskMb, wallMs: 10_000 } });
      const code = `const piece = new Uint8Array(500_000).fill(1), keep = [];\n${program}\nawait __callTool__("hold", {});`;
      const { ok } = await runtime.execute({ code, callTool });
      await runtime.close();
      const added = blocksOf(cwd);
      console.log(
        `${containment} ${ok ? "went on" : "was ended"} with ${(added / 1e6).toFixed(1)} MB: ${program.slice(0, 70)}`,
      );
      if (ok) beyond += Math.max(added - diskMb * 1024 * 1024, 0);
      rmSync(cwd, { recursive: true });
    }
  metric("code.bytes_unaccounted", beyond, "bytes");
}

/** An empty file takes a place among those that a file system has. Node cannot look where a path would be too long. */
function blocksOf(place: string): number {
  const listed = execFileSync("find", [place, "-mindepth", "1", "-printf", "%b\\n"], { maxBuffer: 2 ** 26 }).toString();
  return listed
    .trim()
    .split("\n")
    .reduce((sum, blocks) => sum + Math.max(Number(blocks) * 512, 4_096), 0);
}

/** How long the host's own work waits while a program prints 100 MB a second. */
async function flood(): Promise<void> {
  const loop = async (work: () => Promise<unknown>): Promise<readonly [delay: number, busy: number]> => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    // Time this thread computed between two turns of the loop: the delay on a machine with nothing else to do.
    const turns: number[] = [];
    let last = process.threadCpuUsage();
    const ticks = setInterval(() => {
      const now = process.threadCpuUsage();
      turns.push((now.user + now.system - last.user - last.system) / 1e3);
      last = now;
    }, 1);
    delay.enable();
    await work();
    delay.disable();
    clearInterval(ticks);
    return [
      delay.percentile(99) / 1e6,
      turns.toSorted((one, other) => one - other)[Math.floor(turns.length * 0.99)] ?? 0,
    ];
  };
  // Far more than anyone allows, so that the flood lasts.
  const outputBytes = 200 * 1024 * 1024;
  const runtime = new DenoRuntime({ prewarm: 1 });
  /** Writes 100 kB per millisecond, independent of the time between calls. */
  const paced = (fill: string): string =>
    `const b = new TextEncoder().encode(${fill}); const start = performance.now(); for (let sent = 0; ; ) if (sent < (performance.now() - start) * 100_000) sent += Deno.stdout.writeSync(b);`;
  const programs = [
    paced("'x'.repeat(65_536)"),
    paced("'a line of text\\n'.repeat(4_096)"),
    paced("'\\u001e'.repeat(65_536)"),
    "while (true) console.log('x'.repeat(100));",
  ];
  const worst: number[] = [];
  const busiest: number[] = [];
  const idle: number[] = [];
  for (const code of programs) {
    const found: (readonly [number, number])[] = [];
    let printed = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      idle.push((await loop(() => after(500)))[0]);
      found.push(
        await loop(async () => {
          const { error, output } = await runtime.execute({
            code,
            callTool,
            limits: { outputBytes, hostMb: 1_000, wallMs: 1_500 },
          });
          if (error?.kind !== "timeout" && error?.kind !== "output") throw new Error(error?.message);
          printed = output.length / 1e6;
        }),
      );
    }
    console.log(
      `flood p99 ${found.map((pair) => pair.map((ms) => ms.toFixed(1)).join("/")).join(" ")} ms, ${printed.toFixed(0)} MB: ${code.slice(0, 60)}`,
    );
    worst.push(median(found.map(([delay]) => delay)));
    busiest.push(median(found.map(([, busy]) => busy)));
  }
  await runtime.close();
  metric("code.flood.loop_delay_p99_ms", Math.max(...worst), "ms");
  metric("code.flood.loop_busy_p99_ms", Math.max(...busiest), "ms");
  metric("code.flood.loop_delay_idle_p99_ms", median(idle), "ms");
}

const parts = { unaccounted, flood, overshoot, orphans, leftovers, attacks };
const only = process.argv[2];
for (const [name, part] of Object.entries(parts)) if (only === undefined || only === name) await part();
rmSync(directory, { recursive: true, force: true });
