import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";

/** Most bytes of what ripgrep says of its errors that are kept. */
const MAX_ERRORS = 64 * 1024;

/**
 * What stands before a line: its number, the column of its first match, its offset. The column is missing when the match
 * is empty and at the very end of the file. What follows is no more than one byte, or a sentence in brackets.
 */
const POSITION = /^(\d+):(\d+):(?:(\d+):)?/;

/** A line ripgrep says matches. Not to be believed before the sandbox has read it. */
export interface Proposal {
  /** The name as it was given to ripgrep; `""` for standard input. */
  readonly name: string;
  /** 0-based number of the line. */
  readonly line: number;
  /** 0-based byte of the line at which the first match begins. */
  readonly column: number;
  /** Byte of the file at which the line begins. */
  readonly offset: number;
}

/** How a run is set up. */
export interface RipgrepRun {
  /** The program. */
  readonly program: string;
  /** Where names are relative to. */
  readonly cwd: string;
  /** The text, or the regular expression. */
  readonly query: string;
  /** Which of the two. */
  readonly isRegex: boolean;
  /** Most lines proposed of a file. */
  readonly maxCount: number;
}

/** ripgrep could not be run at all: not the query is at fault. */
export class RipgrepUnavailable extends Error {}

/**
 * One run of ripgrep, which prints where lines match and never the lines, so that its output is small whatever the
 * files hold. The pattern and the names cannot be taken for options; no configuration, no preprocessor, no
 * environment.
 */
export class RipgrepProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<number | null>;
  #errors = "";

  /** Starts a search of files named relative to `cwd`, or of `input` when there are none. */
  constructor(run: RipgrepRun, files: readonly string[], input?: Uint8Array) {
    const options = [
      "--no-config",
      "--no-heading",
      "--with-filename",
      "--null",
      "--line-number",
      "--column",
      "--byte-offset",
      "--max-columns=1",
      "--color=never",
      "--text",
      "--encoding=none",
      "--crlf",
      "--no-mmap",
      "--threads=1",
      "--regex-size-limit=10M",
      "--dfa-size-limit=10M",
      `--max-count=${run.maxCount}`,
      ...(run.isRegex ? [] : ["--fixed-strings"]),
    ];
    // With no name at all it would search the whole directory.
    const names = files.length > 0 ? files.map((file) => `./${file}`) : ["-"];
    this.#child = spawn(run.program, [...options, "-e", run.query, "--", ...names], {
      cwd: run.cwd,
      env: {},
      windowsHide: true,
    });
    this.#ended = new Promise((resolve, reject) => {
      this.#child.once("error", (cause) => reject(new RipgrepUnavailable("ripgrep cannot be run", { cause })));
      this.#child.once("close", resolve);
    });
    this.#ended.catch(() => {});
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (this.#errors.length < MAX_ERRORS) this.#errors += text;
    });
    this.#child.stdin.on("error", () => {});
    this.#child.stdin.end(input ?? new Uint8Array());
  }

  /** What it proposes, file by file, lines in order. */
  async *proposals(): AsyncGenerator<Proposal> {
    let rest = Buffer.alloc(0);
    for await (const chunk of this.#child.stdout as AsyncIterable<Buffer>) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let from = 0;
      for (;;) {
        const nul = bytes.indexOf(0, from);
        const end = nul === -1 ? -1 : bytes.indexOf(10, nul);
        if (end === -1) break;
        const found = POSITION.exec(bytes.toString("latin1", nul + 1, Math.min(end, nul + 80)));
        if (found !== null) {
          const [line = 0, second = 0, third] = found
            .slice(1)
            .map((digits) => (digits === undefined ? undefined : Number(digits)));
          const name = bytes.toString("utf8", from, nul).replace(/^\.\//, "");
          const [column, offset] = third === undefined ? [1, second] : [second, third];
          yield { name, line: line - 1, column: column - 1, offset };
        }
        from = end + 1;
      }
      rest = Buffer.from(bytes.subarray(from));
    }
  }

  /**
   * How it ended: how many files it could not read, and what it said of the query if it refused it.
   *
   * @throws {RipgrepUnavailable} When it could not be run or was killed from outside.
   */
  async end(): Promise<{ readonly unreadable: number; readonly refusal: string | undefined }> {
    const code = await this.#ended;
    if (code === null) throw new RipgrepUnavailable("ripgrep was killed");
    const lines = this.#errors.split("\n");
    const unreadable = lines.filter((line) => line.startsWith("rg: ./")).length;
    const said = lines
      .filter((line) => !line.startsWith("rg: ./"))
      .join("\n")
      .replace(/^rg: /, "")
      .trim();
    return { unreadable, refusal: code === 2 && said !== "" ? said : undefined };
  }

  /** Ends it at once. Nothing happens if it has ended. */
  kill(): void {
    this.#child.kill("SIGKILL");
    this.#child.stdout.destroy();
  }
}
