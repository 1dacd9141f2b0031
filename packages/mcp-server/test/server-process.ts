import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** A directory that goes with the test. */
export function emptyDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), "mcp-server-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

interface Answer {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** The test runner turns it off. */
const KEEP = { NODE_DISABLE_COMPILE_CACHE: undefined, NODE_COMPILE_CACHE: undefined };

/** Starts the command from source, with a directory of its own for temporary files, and keeps compiled code only where `cache` is given. */
export function startServer(
  args: readonly string[],
  temporary = emptyDirectory(),
  cache?: string,
  environment: Readonly<Record<string, string>> = {},
) {
  const child = spawn(process.execPath, ["--conditions=@dispatch/source", main, ...args], {
    env: {
      ...process.env,
      TMPDIR: temporary,
      ...(cache !== undefined && { ...KEEP, XDG_CACHE_HOME: cache }),
      ...environment,
    },
  });
  const written = { stdout: "", stderr: "" };
  const waiting = new Map<number, (answer: Answer) => void>();
  let rest = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (written.stderr += text));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written.stdout += text;
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((one) => one.startsWith("{"))) {
      const message = JSON.parse(line) as Answer & { id: number };
      waiting.get(message.id)?.(message);
    }
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let id = 0;
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = (method: string, params: object = {}): Promise<Answer> => {
    const own = (id += 1);
    return new Promise((resolve) => {
      waiting.set(own, resolve);
      send({ id: own, method, params });
    });
  };
  const shakeHands = (): Promise<Answer> =>
    ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } });
  const call = async (name: string, given: object = {}): Promise<string> => {
    const { result, error } = await ask("tools/call", { name, arguments: given });
    const content = result?.["content"] as { text: string }[] | undefined;
    return content?.map(({ text }) => text).join("\n") ?? error?.message ?? "";
  };
  return { child, written, ended, temporary, ask, shakeHands, call };
}
