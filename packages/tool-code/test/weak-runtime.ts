import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import type { AttackRuntimeOptions, AttackSubject, PlantedSecrets } from "@dispatch/check";
// @boundaries-ignore a test looks at processes as the sandbox does
import { processUsage } from "../../sandbox/src/process/process-usage.ts";
import { notStarted, type CodeOutcome } from "../src/code-outcome.ts";
import type { CodeExecution, CodeRuntime } from "../src/code-runtime.ts";
import { findDeno } from "../src/deno/process/deno-binary.ts";
import { processesIn } from "./processes-in.ts";

/** So that a program nobody stops does not use up the memory of the machine that runs the tests, in bytes. */
const MAX_RSS = 500_000_000;
/** How often the memory of a program and of the processes it made is looked at. */
const WATCH_INTERVAL_MS = 50;
/** How often processes are looked for and killed before those left are taken for dead ones that nobody has collected. */
const MAX_KILL_ROUNDS = 20;
/** Limit for printed output, so that it does not use up the memory of the tests, in bytes. */
const MAX_PRINTED = 8_000_000;
const BRIDGE = `let calls = 0; const open = new Map();
globalThis.__callTool__ = (name, params) => new Promise((resolve) => { open.set(++calls, resolve); console.log(JSON.stringify({ t: "call", id: calls, name, params })); });
(async () => { let text = ""; for await (const piece of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) { text += piece; for (let at; (at = text.indexOf("\\n")) >= 0; text = text.slice(at + 1)) { const { id, value } = JSON.parse(text.slice(0, at)); open.get(id)?.(value); } } })();
`;

/**
 * A common design: the program goes into a file behind a few lines of bridge, runs with every permission, talks to the
 * host in lines of JSON on standard output, and is trusted to end.
 */
export class WeakRuntime implements CodeRuntime {
  readonly #options: AttackRuntimeOptions;
  readonly #flags: readonly string[];
  readonly #wrap: (command: string, args: readonly string[], directory: string) => readonly [string, readonly string[]];
  /** The processes started, each with the timer that watches its memory until it is gone. */
  readonly #children = new Map<ChildProcess, NodeJS.Timeout>();
  /** Directories that hold the programs. Every process of a program, orphans too, names its own. */
  readonly #directories = new Set<string>();

  constructor(
    options: AttackRuntimeOptions,
    flags: readonly string[] = ["-A", "--unstable-raw-imports"],
    wrap: (command: string, args: readonly string[], directory: string) => readonly [string, readonly string[]] = (
      command,
      args,
    ) => [command, args],
  ) {
    this.#options = options;
    this.#flags = flags;
    this.#wrap = wrap;
  }

  async execute({ code, callTool, onOutput }: CodeExecution): Promise<CodeOutcome> {
    const directory = mkdtempSync(path.join(this.#options.tempDir, "weak-"));
    const main = path.join(directory, "main.ts");
    const isModule = /^(?:import .+ from "|export (?:default|\{))/m.test(code);
    const isExpression = code.startsWith("(async");
    writeFileSync(path.join(directory, "bridge.js"), BRIDGE);
    writeFileSync(
      main,
      isModule
        ? `import "./bridge.js";\n${code}\nimport * as self from "./main.ts";\nconst value = self.default;`
        : `import "./bridge.js";\nconst value = await ${isExpression ? code : `(async () => {\n${code}\n})()`};`,
    );
    writeFileSync(main, `\nconsole.log(JSON.stringify({ t: "done", value }));\nif (value !== "stay") Deno.exit(0);\n`, {
      flag: "a",
    });
    const [command, args] = this.#wrap(findDeno(), ["run", "--quiet", "--no-check", ...this.#flags, main], directory);
    const child = spawn(command, args, {
      cwd: this.#options.cwd ?? "/",
      env: { ...process.env, DENO_DIR: directory, DENO_NO_UPDATE_CHECK: "1" },
      stdio: ["pipe", "pipe", "pipe"],
      // In a group of its own: a signal to its group must not reach the tests that run beside it.
      detached: true,
    });
    this.#directories.add(directory);
    this.#children.set(
      child,
      setInterval(() => {
        const used = processesIn(directory).some((pid) => (processUsage(Number(pid))?.rssBytes ?? 0) > MAX_RSS);
        if (used) killAllIn(directory);
      }, WATCH_INTERVAL_MS),
    );
    for (const stream of [child, child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
    let output = "";
    let errors = "";
    child.stderr.on("data", (bytes) => (errors = (errors + String(bytes)).slice(-100_000)));
    return new Promise((resolve) => {
      const end = (ok: boolean, value: unknown): void =>
        resolve({
          ...notStarted({ kind: "runtime", message: errors }),
          ok,
          value,
          output,
          ...(ok && { error: undefined }),
        });
      let printed = 0;
      child.stdout.on("data", (bytes: Buffer) => {
        if ((printed += bytes.length) > MAX_PRINTED) child.kill("SIGKILL");
      });
      createInterface({ input: child.stdout }).on("line", (line) => {
        let message: { t?: string; id?: number; name?: string; params?: unknown; value?: unknown } = {};
        try {
          message = JSON.parse(line);
        } catch {
          // Not a message.
        }
        if (message?.t === "done") return end(true, message.value);
        if (message?.t !== "call") {
          if (output.length < 1_000_000) output += `${line}\n`;
          return onOutput?.(line);
        }
        void callTool(message.name ?? "", message.params, { signal: new AbortController().signal }).then((value) =>
          child.stdin.write(`${JSON.stringify({ id: message.id, value })}\n`),
        );
      });
      child.once("close", () => end(false, undefined));
    });
  }

  async close(): Promise<void> {
    for (const directory of this.#directories) killAllIn(directory);
    for (const [child, watch] of this.#children) {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null)
        await new Promise((resolve) => child.once("exit", resolve));
      clearInterval(watch);
    }
    for (const directory of this.#directories) killAllIn(directory);
    this.#children.clear();
    this.#directories.clear();
  }
}

/** Kills every process of a program: it may have started others, which outlive it and start more. */
function killAllIn(directory: string): void {
  for (let round = 0; round < MAX_KILL_ROUNDS; round++) {
    const found = processesIn(directory);
    if (found.length === 0) return;
    for (const pid of found) {
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    }
  }
}

/** A way to run programs that holds nothing back. */
export function weakSubject(secrets: PlantedSecrets): AttackSubject {
  return { name: "WeakRuntime", secrets, open: (options) => new WeakRuntime(options) };
}
