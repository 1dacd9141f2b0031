import { execFile } from "node:child_process";
import fs from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry } from "@dispatch/tools-interface";
// @boundaries-ignore benches measure in one way
import { median, metric, ratio, timed, type Work } from "../../tools-interface/bench/measure.ts";
import { makeBigTree } from "./big-tree.ts";
import { startPeerServer } from "./peer-server.ts";

const LONG_ROUNDS = 7;
const MEBIBYTE = 1024 * 1024;
const LONG_BYTES = 10 * 1024 * MEBIBYTE;
const BLOCK_LINES = 128;

const run = promisify(execFile);
const registry = registerFileTools(createToolRegistry());

async function ours(worktreePath: string, name: "read_file" | "list_files", params: object) {
  const result = await registry.dispatch({ name, arguments: params }, { context: { worktreePath } });
  if (!result.success) throw new Error(result.error);
  return result;
}

/** 10 GB that take 80 MB of disk: 128 lines at the beginning of every mebibyte, and nothing behind them. */
function makeLongFile(path: string): void {
  const fd = fs.openSync(path, "w");
  fs.ftruncateSync(fd, LONG_BYTES);
  for (let block = 0; block * MEBIBYTE < LONG_BYTES; block += 1) {
    const lines = Array.from(
      { length: BLOCK_LINES },
      (_, at) => `${`line ${block * BLOCK_LINES + at} `.padEnd(63, ".")}\n`,
    );
    fs.writeSync(fd, lines.join(""), block * MEBIBYTE);
  }
  fs.closeSync(fd);
}

async function longFile(root: string): Promise<void> {
  const path = join(root, "long.log");
  makeLongFile(path);
  const first = 9_500 * BLOCK_LINES + 10;
  const read = async () => ours(root, "read_file", { path: "long.log", start_line: first, end_line: first + 20 });
  // Another time of change makes another file of it, of which nothing is known.
  const readAnew = async () => {
    fs.utimesSync(path, new Date(), new Date());
    return read();
  };
  const sed = async () => run("sed", ["-n", `${first + 1},${first + 21}p;${first + 21}q`, path]);
  const { content } = (await read()).data as { content: string };
  if (content !== (await sed()).stdout) throw new Error("Cannot compare: sed read other lines");
  metric("files.read_10gb_first.vs_sed", await ratio([readAnew, 1], [sed, 1], LONG_ROUNDS), "x");
  const again: number[] = [];
  for (let round = 0; round < 50; round += 1) {
    const line = ((round * 7919) % 9_400) * BLOCK_LINES + 5;
    again.push(
      await timed(async () => ours(root, "read_file", { path: "long.log", start_line: line, end_line: line + 20 }), 1),
    );
  }
  metric("files.read_10gb_again_ms", median(again), "ms");
}

/** Everything in a tree: as much as one answer holds, or one answer after the other; and how much there is. */
async function listTree(root: string, pages: number): Promise<{ readonly listed: number; readonly total: number }> {
  let [listed, total, cursor] = [0, 0, undefined as string | undefined];
  for (let page = 0; page < pages && (page === 0 || cursor !== undefined); page += 1) {
    const params = { include_ignored: true, limit: 10_000, ...(cursor !== undefined && { cursor }) };
    const data = (await ours(root, "list_files", params)).data as {
      total: number;
      files: unknown[];
      cursor?: string;
    };
    listed += data.files.length;
    ({ total, cursor } = data);
  }
  return { listed, total };
}

async function againstPeer(): Promise<void> {
  const root = await makeBigTree();
  const small = join(root, "small-for-bench.txt");
  const server = await startPeerServer(root);
  try {
    fs.writeFileSync(small, "export const value = 'some text of a line of code';\n".repeat(158));
    const path = "small-for-bench.txt";
    const read = await ratio(
      [async () => server.call("read_text_file", { path: small }), 200],
      [async () => ours(root, "read_file", { path }), 200],
    );
    metric("files.read.vs_mcp_server", read, "x");
    const find = () => ours(root, "list_files", { pattern: "*.css", include_ignored: true, limit: 10_000 });
    const theirFind = async () => server.call("search_files", { path: root, pattern: "**/*.css" });
    const [found, theirs] = [(await find()).data as { total: number }, (await theirFind()).trim().split("\n").length];
    if (found.total !== theirs) throw new Error(`Cannot compare: found ${found.total}, the server ${theirs}`);
    metric("files.find.vs_mcp_server", await ratio([theirFind, 1], [find, 1], LONG_ROUNDS), "x");
    const tree = async () => server.call("directory_tree", { path: root });
    const files = (await tree()).split('"type": "file"').length - 1;
    const { listed, total } = await listTree(root, Infinity);
    if (listed !== files || total !== files)
      throw new Error(`Cannot compare: listed ${listed} of ${total}, the server ${files}`);
    const [first, all] = [1, Infinity].map((pages): Work => [async () => listTree(root, pages), 1]) as [Work, Work];
    metric("files.tree.vs_mcp_server", await ratio([tree, 1], first, LONG_ROUNDS), "x");
    metric("files.tree_in_pages.vs_mcp_server", await ratio([tree, 1], all, LONG_ROUNDS), "x");
  } finally {
    fs.rmSync(small, { force: true });
    await server.close();
  }
}

const root = fs.mkdtempSync(join(tmpdir(), "tool-files-read-bench-"));
try {
  fs.writeFileSync(join(root, "small.ts"), "export const value = 'some text of a line of code';\n".repeat(158));
  const small = async () => ours(root, "read_file", { path: "small.ts" });
  const node = async () => readFile(join(root, "small.ts"), "utf8");
  metric("files.read_small.vs_node", await ratio([small, 500], [node, 500]), "x");
  await longFile(root);
  metric("files.read_10gb_peak_rss_mb", process.resourceUsage().maxRSS / 1024, "MB");
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}
await againstPeer();
