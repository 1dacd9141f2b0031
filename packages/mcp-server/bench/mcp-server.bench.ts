/**
 * CPU time of the server process until its tools are listed, and of 200 small reads after that, beside
 * server-filesystem's in the same run. A first start finds no compiled code of an earlier one. Runs the output of `pnpm build`.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

const ROUNDS = 7;
const READS = 200;
/** Directories of the tree, and files in each: a project with its dependencies. */
const DIRECTORIES = 400;
const FILES = 50;
const root = path.resolve(import.meta.dirname, "../../..");
const peers = path.join(root, "apps/example-agent/peers");
const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "mcp-bench-")));
/** Not in the workspace, where no compiled code is kept. */
const caches = mkdtempSync(path.join(tmpdir(), "mcp-bench-cache-"));
const workspace = path.join(scratch, "a.txt");

interface Figures {
  readonly listCpuMs: number;
  readonly readCpuMs: number;
  readonly searchMs: number;
  readonly exitMs: number;
  readonly left: number;
}

/** Of all threads, by the scheduler's own clock. */
function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const spent = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]));
  return spent.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** How one server is asked. */
interface Asked {
  readonly program: string;
  readonly args: readonly string[];
  readonly read: object;
  readonly search: object;
}

async function measure({ program, args, read: readCall, search }: Asked, cache: string): Promise<Figures> {
  const temporary = mkdtempSync(path.join(scratch, "tmp-"));
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, TMPDIR: temporary, XDG_CACHE_HOME: path.join(caches, cache) },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<number, (text: string) => void>();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) waiting.get((JSON.parse(line) as { id: number }).id)?.(line);
  });
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = (id: number, method: string, params: object): Promise<string> =>
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
  for (let id = 3; id < READS + 3; id += 1) await ask(id, "tools/call", readCall);
  const read = cpuMs(pid);
  await ask(READS + 3, "tools/call", search);
  const started = performance.now();
  const found = await ask(READS + 4, "tools/call", search);
  const searchMs = performance.now() - started;
  if (!found.includes(`directory-${DIRECTORIES - 1}/file-7.css`)) throw new Error(`Cannot compare: found ${found}`);
  const begun = performance.now();
  child.kill("SIGTERM");
  await once(child, "exit");
  const exitMs = performance.now() - begun;
  return { listCpuMs: listed, readCpuMs: read - listed, searchMs, exitMs, left: readdirSync(temporary).length };
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
  for (let directory = 0; directory < DIRECTORIES; directory += 1) {
    const at = path.join(scratch, `tree/directory-${directory}`);
    mkdirSync(at, { recursive: true });
    for (let file = 0; file < FILES; file += 1)
      writeFileSync(path.join(at, `file-${file}.${file === 7 ? "css" : "ts"}`), "x\n");
  }
  const our: Asked = {
    program: path.join(root, "packages/mcp-server/dist/main.js"),
    args: ["--workspace", scratch],
    read: { name: "read_file", arguments: { path: "a.txt" } },
    search: { name: "list_files", arguments: { path: "tree", pattern: "*.css", include_ignored: true, limit: 1_000 } },
  };
  const their: Asked = {
    program: filesystem,
    args: [scratch],
    read: { name: "read_text_file", arguments: { path: workspace } },
    search: { name: "search_files", arguments: { path: path.join(scratch, "tree"), pattern: "**/*.css" } },
  };
  const first: Figures[] = [];
  const ours: Figures[] = [];
  const theirs: Figures[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    first.push(await measure(our, `of-round-${round}`));
    theirs.push(await measure(their, "of-peer"));
    ours.push(await measure(our, "of-round-0"));
  }
  const of = (figures: readonly Figures[], name: keyof Figures): number => median(figures.map((one) => one[name]));
  metric("mcp.tools_list.first_cpu_ms", of(first, "listCpuMs"), "ms");
  metric("mcp.tools_list.first_vs_filesystem", of(first, "listCpuMs") / of(theirs, "listCpuMs"), "ratio");
  metric("mcp.tools_list.cpu_ms", of(ours, "listCpuMs"), "ms");
  metric("mcp.tools_list.vs_filesystem", of(ours, "listCpuMs") / of(theirs, "listCpuMs"), "ratio");
  metric("mcp.read.cpu_vs_filesystem", of(ours, "readCpuMs") / of(theirs, "readCpuMs"), "ratio");
  metric("mcp.search.ms", of(ours, "searchMs"), "ms");
  metric("mcp.search.times_faster", of(theirs, "searchMs") / of(ours, "searchMs"), "ratio");
  metric("mcp.exit_ms", Math.max(...ours.map(({ exitMs }) => exitMs)), "ms");
  metric("mcp.leftovers", Math.max(...ours.map(({ left }) => left)), "files");
} finally {
  rmSync(scratch, { recursive: true, force: true });
  rmSync(caches, { recursive: true, force: true });
}
