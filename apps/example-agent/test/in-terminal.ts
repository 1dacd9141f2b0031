import { spawn, spawnSync } from "node:child_process";
import { hostAgent, main, nodeOptions, plainEnvironment } from "./run-agent.ts";

/** The example agent at a terminal of its own, and somebody who types. */
export interface TerminalRun {
  /** Everything written so far, with the sequences that move the cursor and make colours. */
  readonly raw: string;
  /** Waits until this is written, after the text awaited before, colours and cursor left out. */
  seen(what: RegExp): Promise<void>;
  type(keys: string): void;
  /** The exit code. */
  readonly ended: Promise<number | null>;
  /** Ends it, if it has not. */
  kill(): Promise<unknown>;
}

/** Makes terminals: a program of util-linux, which every Debian has. */
const TERMINALS = "script";

/** Whether it is here. */
export const hasTerminals = spawnSync(TERMINALS, ["--version"]).stdout?.includes("util-linux") ?? false;

export const [CTRL_C, CTRL_D, ENTER] = ["\u0003", "\u0004", "\r"];

const TIMEOUT_MS = 90_000;

/** The beginning of a program that goes on once its directory has a file `typed`, which a test makes when it has seen what it typed. */
export const UNTIL_TYPED = `while (!JSON.stringify(await list_files({})).includes("typed")) await new Promise((resolve) => setTimeout(resolve, 50));
`;

/** How a terminal looks. */
interface TerminalOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Default 100. */
  readonly columns?: number;
}

/** Runs the example agent as a person would see it, in this process: without the terminal's own part. */
export function runInTerminal(args: readonly string[], env: NodeJS.ProcessEnv = {}, columns = 100): TerminalRun {
  const written = createReader();
  const own = { TERM: "xterm-256color", ...env };
  const { stdin, ended, signal } = hostAgent(args, own, (_name, text) => written.add(text), {
    isTTY: true,
    columns,
    rows: 40,
  });
  const kill = (): Promise<unknown> => {
    signal("SIGTERM");
    return ended;
  };
  return Object.assign(written, { type: (keys: string) => void stdin.write(keys), ended, kill });
}

/** Runs the example agent in a process of its own, at a real terminal. */
export function startInTerminal(args: readonly string[], env: NodeJS.ProcessEnv = {}): TerminalRun {
  return runProgramInTerminal([main, ...args], { env });
}

/** Runs a program of ours, from source, at a terminal. */
export function runProgramInTerminal(
  args: readonly string[],
  { env = {}, columns = 100 }: TerminalOptions = {},
): TerminalRun {
  const words = [process.execPath, ...nodeOptions, ...args];
  const command = `stty cols ${columns} rows 40; exec ${words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ")}`;
  const child = spawn(TERMINALS, ["-qefc", command, "/dev/null"], {
    env: { ...plainEnvironment(), TERM: "xterm-256color", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const written = createReader();
  child.stdout.setEncoding("utf8").on("data", written.add);
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const kill = (): Promise<unknown> => {
    child.kill("SIGKILL");
    return ended;
  };
  return Object.assign(written, { type: (keys: string) => void child.stdin.write(keys), ended, kill });
}

/** Reads what is written to a terminal. */
function createReader(): Pick<TerminalRun, "raw" | "seen"> & { readonly add: (text: string) => void } {
  let from = 0;
  let look = (): void => {};
  const reader = {
    raw: "",
    add(text: string): void {
      reader.raw += text;
      look();
    },
    seen: (what: RegExp) =>
      new Promise<void>((resolve, reject) => {
        const complain = (): void => reject(new Error(`Never seen: ${what}, but:\n${plain(reader.raw).slice(from)}`));
        const timer = setTimeout(complain, TIMEOUT_MS);
        look = () => {
          const found = what.exec(plain(reader.raw).slice(from));
          if (found === null) return;
          clearTimeout(timer);
          from += found.index + found[0].length;
          look = () => {};
          resolve();
        };
        look();
      }),
  };
  return reader;
}

/** Text without sequences that move the cursor. Redrawn parts end where the person types. */
function plain(text: string): string {
  return text
    .replace(/\r?\n\u001B\[?\??2?0?2?6?$/, "")
    .replaceAll(/\r?\n\u001B\[\?2026l/g, "")
    .replaceAll(/\u001B\[\d+B\r/g, "\n")
    .replaceAll(/\u001B\[[0-9;?]*[A-Za-z]/g, "")
    .replaceAll("\r", "");
}
