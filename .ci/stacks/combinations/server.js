import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";

const workspace = await mkdtemp(path.join(tmpdir(), "dispatch-server-"));
await writeFile(path.join(workspace, "a.txt"), "hello\n");
const main = path.resolve("node_modules/@dispatch/mcp-server/dist/main.js");
const child = spawn(process.execPath, [main, "--workspace", workspace], { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

/** @param {string} method @param {object} [params] @returns {Promise<string>} */
async function ask(method, params = {}) {
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`);
  return String((await lines.next()).value);
}

const clientInfo = { name: "combination", version: "1" };
const answers = [
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }),
  await ask("tools/list"),
  await ask("tools/call", { name: "search_files", arguments: { query: "hello" } }),
  await ask("tools/call", { name: "memory_write", arguments: { label: "notes/a", content: "written" } }),
  await ask("tools/call", {
    name: "execute_code",
    arguments: { code: "return 'ran ' + (await read_file({ path: 'a.txt' })).content.length" },
  }),
];
child.stdin.end();
await rm(workspace, { recursive: true });
const wanted = ["dispatch", "undo_file_change", "a.txt", "written", "ran 6"];
const missing = wanted.filter((text, index) => !answers[index]?.includes(text));
console.log(missing.length === 0 ? "works" : answers.join("\n"));
