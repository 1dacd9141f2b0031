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

/** A person's answer to a form of this text. */
type FillIn = (text: string) => { readonly action: string; readonly content?: object } | "never";

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
      const message = JSON.parse(line) as Answer & { id: number; method?: string; params?: { message: string } };
      if (message.method === "elicitation/create") {
        const answer = fillIn?.(message.params?.message ?? "") ?? { action: "cancel" };
        if (answer !== "never") send({ id: message.id, result: answer });
        continue;
      }
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
  let fillIn: FillIn | undefined;
  /** @param answer - Answers forms. `undefined`: the client has none. */
  const shakeHands = (answer?: FillIn): Promise<Answer> => {
    fillIn = answer;
    const capabilities = answer === undefined ? {} : { elicitation: {} };
    const client = { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "raw", version: "1" } };
    return ask("initialize", client);
  };
  const call = async (name: string, given: object = {}): Promise<string> => {
    const { result, error } = await ask("tools/call", { name, arguments: given });
    const content = result?.["content"] as { text: string }[] | undefined;
    return content?.map(({ text }) => text).join("\n") ?? error?.message ?? "";
  };
  return { child, written, ended, temporary, ask, shakeHands, call };
}
