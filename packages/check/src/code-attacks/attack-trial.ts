import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inspect } from "node:util";
import type {
  AttackedRuntime,
  AttackOutcome,
  AttackProgram,
  AttackRuntimeOptions,
  AttackSubject,
} from "./attack-subject.ts";
import { attemptAll, succeededIn, type Attempt } from "./attempt.ts";
import type { PlantedSecrets } from "./planted-secrets.ts";

const DEFAULT_TIMEOUT_MS = 60_000;
/** A longer file that a program wrote is not searched, in bytes: no planted one is. */
const MAX_SEARCHED = 1_000_000;

/** A program failed because something is missing that the subject is known to lack: nothing is left to be tried. */
export class LackError extends Error {
  override readonly name = "LackError";
}

/** One case while it runs: makes the runtime, runs the programs, and looks at all they gave away. */
export class AttackTrial {
  /** The program's target. */
  readonly secrets: PlantedSecrets;
  /** Real path of the directory the program may use, empty at first. */
  readonly cwd: string;
  /** The directory where the runtime keeps its files. */
  readonly tempDir: string;
  /** The tool calls that reached the host, in order. */
  readonly calls: (readonly [name: string, params: unknown])[] = [];
  /** The options of the runtime; change them before the first program. */
  runtimeOptions: AttackRuntimeOptions;
  readonly #name: string;
  readonly #subject: AttackSubject;
  readonly #timeoutMs: number;
  readonly #base: string;
  #printed = "";
  #runtime: AttackedRuntime | undefined;

  constructor(name: string, subject: AttackSubject, timeoutMs = DEFAULT_TIMEOUT_MS) {
    this.#name = name;
    this.#subject = subject;
    this.#timeoutMs = timeoutMs;
    this.secrets = subject.secrets;
    this.#base = realpathSync(mkdtempSync(path.join(tmpdir(), "attack-")));
    this.cwd = path.join(this.#base, "place", "directory");
    this.tempDir = path.join(this.#base, "temp");
    mkdirSync(this.cwd, { recursive: true });
    mkdirSync(this.tempDir);
    this.runtimeOptions = { cwd: this.cwd, tempDir: this.tempDir };
    // Violations by others meanwhile do not count against this program.
    this.secrets.violations();
  }

  /** The directory above that of the program. It holds nothing else. */
  get parent(): string {
    return path.dirname(this.cwd);
  }

  /** A directory above that one, for cases to make. */
  get shared(): string {
    return path.join(this.#base, "shared");
  }

  /** Names of the shared files, separated by commas. */
  sharedFiles(): string {
    return readdirSync(this.shared).toSorted().join();
  }

  /** Runs a program. Fails the case when it does not end, or gives the secret away. */
  async attack(code: string, more: Partial<AttackProgram> = {}): Promise<AttackOutcome> {
    this.#runtime ??= await this.#subject.open(this.runtimeOptions);
    const outcome = await this.#inTime(
      this.#runtime.execute({
        code,
        callTool: async (name) => ({ name }),
        ...more,
        onOutput: (text) => {
          this.#printed += text;
          more.onOutput?.(text);
        },
      }),
    );
    this.#searchAll({ ...outcome, printed: this.#printed, calls: [outcome.calls, this.calls] });
    if (this.#failsForLack(code, outcome)) throw new LackError(outcome.error?.message);
    return outcome;
  }

  /** Runs a program and keeps the tool calls that reach the host. */
  record(code: string, more: Partial<AttackProgram> = {}): Promise<AttackOutcome> {
    return this.attack(code, {
      callTool: async (name, params) => {
        this.calls.push([name, params]);
        return { name };
      },
      ...more,
    });
  }

  /** Runs a program that must fail, for one of these reasons if any are given. */
  async denied(code: string, kinds?: readonly string[], more: Partial<AttackProgram> = {}): Promise<AttackOutcome> {
    const outcome = await this.attack(code, more);
    const fits =
      !outcome.ok && (kinds === undefined || (outcome.error !== undefined && kinds.includes(outcome.error.kind)));
    this.expect(fits, `a failure${kinds === undefined ? "" : ` of kind ${kinds.join(" or ")}`}`, summary(outcome));
    return outcome;
  }

  /** Runs one program that makes several attempts. Each must be made. Returns the results of those that did not throw. */
  async attackAll(attempts: readonly Attempt[]): Promise<readonly unknown[]> {
    const outcome = await this.attack(attemptAll(attempts));
    const found = Array.isArray(outcome.value) ? outcome.value : [];
    this.expect(found.length === attempts.length, "every attempt to be made", summary(outcome));
    return succeededIn(found);
  }

  /** Runs one program that makes several attempts. Each must be made, and throw. */
  async deniedAll(attempts: readonly Attempt[]): Promise<void> {
    const succeeded = await this.attackAll(attempts);
    this.expect(succeeded.length === 0, "every attempt to be refused", succeeded);
  }

  /** Ends the runtime; the next program gets a new one. */
  async closeRuntime(): Promise<void> {
    const runtime = this.#runtime;
    this.#runtime = undefined;
    await runtime?.close();
  }

  /** Fails the case when something is not as it must be. */
  expect(isSo: boolean, expected: string, found: unknown): void {
    if (isSo) return;
    const shown =
      typeof found === "string" ? found : inspect(found, { depth: 4, maxStringLength: 400, breakLength: Infinity });
    throw new Error(`${this.#subject.name}, ${this.#name}: expected ${expected}, found ${shown.slice(0, 2_000)}`);
  }

  /** Checks the conditions that hold at the end of every case. */
  end(): void {
    const violations = this.secrets.violations();
    this.expect(violations.length === 0, "nothing planted to be reached or changed", violations);
    const strangers = readdirSync(this.parent).filter((name) => name !== path.basename(this.cwd));
    this.expect(strangers.length === 0, "nothing beside the program's directory", strangers);
    const inherited = Object.keys(Object.prototype);
    this.expect(inherited.length === 0, "the host's own prototypes to be as they were", inherited);
  }

  /** Frees everything, however the case ended. */
  async close(): Promise<void> {
    try {
      await this.closeRuntime();
    } finally {
      rmSync(this.#base, { recursive: true, force: true });
    }
  }

  async #inTime(running: Promise<AttackOutcome>): Promise<AttackOutcome> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), this.#timeoutMs)));
    const outcome = await Promise.race([running, late]);
    clearTimeout(timer);
    if (outcome !== undefined) return outcome;
    await this.closeRuntime();
    this.expect(false, "the program to be ended", `that it still ran after ${this.#timeoutMs} ms`);
    return running;
  }

  #failsForLack(code: string, { error }: AttackOutcome): boolean {
    if (error?.kind !== "runtime" || !/is not defined|not a function/.test(error.message)) return false;
    return this.#subject.lacks?.some((name) => new RegExp(`\\b${name}\\b`).test(code)) ?? false;
  }

  #searchAll(found: object): void {
    const { value } = this.secrets;
    const told = JSON.stringify(found);
    this.expect(
      !told.includes(value),
      "nothing of the secret to be told",
      told.slice(Math.max(told.indexOf(value) - 200, 0)),
    );
    for (const file of filesIn(this.cwd)) {
      if (statSync(file).size > MAX_SEARCHED) continue;
      const text = readFileSync(file, "latin1");
      this.expect(!text.includes(value), "nothing of the secret to be written", path.relative(this.cwd, file));
    }
  }
}

/** Links are not followed. */
function filesIn(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(directory, entry.name);
    return entry.isDirectory() ? filesIn(file) : entry.isFile() ? [file] : [];
  });
}

function summary({ ok, value, error, output }: AttackOutcome): object {
  return { ok, value, kind: error?.kind, message: error?.message, output: output.slice(0, 400) };
}
