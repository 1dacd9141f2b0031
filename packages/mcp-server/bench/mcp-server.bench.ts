/**
 * CPU time of the server process until its tools are listed, and of 200 small reads after that, beside
 * server-filesystem's in the same run. Runs the output of `pnpm build`.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

const ROUNDS = 7;
const READS = 200;
const TICK_MS = 10;
const root = path.resolve(import.meta.dirname, "../../..");
const peers = path.join(root, "apps/example-agent/peers");
const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "mcp-bench-")));
const workspace = path.join(scratch, "a.txt");

interface Figures {
  readonly listCpuMs: number;
  readonly readCpuMs: number;
  readonly exitMs: number;
  readonly left: number;
}

function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ");
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

async function measure(program: string, args: readonly string[], tool: string, file: string): Promise<Figures> {
  const temporary = mkdtempSync(path.join(scratch, "tmp-"));
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<number, () => void>();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) waiting.get((JSON.parse(line) as { id: number }).id)?.();
  });
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = (id: number, method: string, params: object): Promise<void> =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  const pid = child.pid ?? 0;
  const clientInfo = { name: "bench", version: "1" };
  await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  await ask(2, "tools/list", {});
  const listed = cpuMs(pid);
  for (let id = 3; id < READS + 3; id += 1) await ask(id, "tools/call", { name: tool, arguments: { path: file } });
  const read = cpuMs(pid);
  const begun = performance.now();
  child.kill("SIGTERM");
  await once(child, "exit");
  const exitMs = performance.now() - begun;
  return { listCpuMs: listed, readCpuMs: read - listed, exitMs, left: readdirSync(temporary).length };
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
const metric = (name: string, value: number, unit: string): void =>
  console.log(`METRIC ${name} ${Number(value.toFixed(3))} ${unit}`);

try {
  execFileSync("npx", ["--yes", "pnpm", "--dir", peers, "install", "--frozen-lockfile", "--silent"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  writeFileSync(workspace, "one\ntwo\n");
  const filesystem = path.join(peers, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
  const ours: Figures[] = [];
  const theirs: Figures[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(
      await measure(
        path.join(root, "packages/mcp-server/dist/main.js"),
        ["--workspace", scratch],
        "read_file",
        "a.txt",
      ),
    );
    theirs.push(await measure(filesystem, [scratch], "read_text_file", workspace));
  }
  const of = (figures: readonly Figures[], name: keyof Figures): number => median(figures.map((one) => one[name]));
  metric("mcp.tools_list.cpu_ms", of(ours, "listCpuMs"), "ms");
  metric("mcp.tools_list.vs_filesystem", of(ours, "listCpuMs") / of(theirs, "listCpuMs"), "ratio");
  metric("mcp.read.cpu_vs_filesystem", of(ours, "readCpuMs") / of(theirs, "readCpuMs"), "ratio");
  metric("mcp.exit_ms", Math.max(...ours.map(({ exitMs }) => exitMs)), "ms");
  metric("mcp.leftovers", Math.max(...ours.map(({ left }) => left)), "files");
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
