import { execFileSync, execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { diffArrays, structuredPatch } from "diff";

/** A text file before and after somebody changed it. */
export interface FileChange {
  /** Where it is from, for a report. */
  readonly source: string;
  /** Its text before. */
  readonly before: string;
  /** Its text after. */
  readonly after: string;
}

/** Bytes of a file that is looked at. */
const MAX_LENGTH = 200_000;

/** The change, if both are plain UTF-8 text of a usual length with LF line ends, and differ. */
export function fileChange(source: string, before: Buffer, after: Buffer): FileChange | undefined {
  const texts = [before, after].map((bytes) => bytes.toString("utf8"));
  const [old = "", now = ""] = texts;
  const plain = texts.every((text) => text.length > 0 && text.length < MAX_LENGTH && !/[\0\r\ufeff\ufffd]/.test(text));
  const lines = Math.max(...old.split("\n").map((line) => line.length));
  return plain && old !== now && lines < 500 ? { source, before: old, after: now } : undefined;
}

const TEXT = /\.(ts|js|mjs|cjs|tsx|jsx|py|go|rs|c|h|cpp|java|rb|sh|md|json|yml|yaml|toml|css|html|txt)$/;

/** Changes of files in the history of a Git repository, the newest first. */
function gitChanges(repository: string, limit: number): FileChange[] {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", repository, ...args], { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  const changes: FileChange[] = [];
  const log = git("log", "--no-merges", "--no-renames", "--diff-filter=M", "--raw", "--no-abbrev", "--format=");
  for (const line of log.toString("utf8").split("\n")) {
    const [, before, after, path] = /^:\d+ \d+ ([0-9a-f]{40}) ([0-9a-f]{40}) M\t(.+)$/.exec(line) ?? [];
    if (before === undefined || after === undefined || path === undefined || !TEXT.test(path)) continue;
    const change = fileChange(path, git("cat-file", "blob", before), git("cat-file", "blob", after));
    if (change !== undefined) changes.push(change);
    if (changes.length >= limit) break;
  }
  return changes;
}

const run = promisify(execFile);
const PACKED_TEXT = /\.(ts|js|mjs|cjs|md|json|css|html|txt|py|h|cc)$/;
/** Files of a package that are looked at. */
const MAX_FILES = 400;

/** Changes of files between versions of a published package, each compared with the one before it. */
async function packageChanges(name: string, versions: readonly string[]): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  let previous: string | undefined;
  for (const version of versions) {
    const folder = await unpacked(name, version);
    if (previous !== undefined) changes.push(...changesBetween(`${name}@${version}`, previous, folder));
    previous = folder;
  }
  return changes;
}

/** A package as published, kept in the temporary folder from one run to the next. */
async function unpacked(name: string, version: string): Promise<string> {
  const cache = join(tmpdir(), "dispatch-edit-corpus");
  const folder = join(cache, `${name.replace("/", "+")}@${version}`);
  if (existsSync(folder)) return join(folder, "package");
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  await run("npm", ["pack", `${name}@${version}`, "--silent", "--pack-destination", draft], { cwd: draft });
  const archive = readdirSync(draft).find((file) => file.endsWith(".tgz"));
  if (archive === undefined) throw new Error(`Cannot unpack ${name}@${version}: npm made no archive`);
  await run("tar", ["-xzf", archive, "--no-same-owner"], { cwd: draft });
  await rename(draft, folder);
  return join(folder, "package");
}

function changesBetween(source: string, before: string, after: string): FileChange[] {
  const paths = readdirSync(before, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && PACKED_TEXT.test(entry.name) && !/\.min\./.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(before.length + 1))
    .toSorted()
    .slice(0, MAX_FILES);
  return paths.flatMap((path) => {
    if (!existsSync(join(after, path))) return [];
    const change = fileChange(`${source}/${path}`, readFileSync(join(before, path)), readFileSync(join(after, path)));
    return change === undefined ? [] : [change];
  });
}

/** One changed place in a file's history, with the lines around it: the edit that a model would send. */
export interface Hunk {
  /** Where it is from, for a report. */
  readonly source: string;
  /** Lines of the file before. The last is empty if the file ends with a line feed. */
  readonly file: readonly string[];
  /** First line of the hunk, 0-based. */
  readonly start: number;
  /** Its lines before. */
  readonly old: readonly string[];
  /** Whether the line feed after the last line is part of the replaced text. */
  readonly closed: boolean;
  /** Its lines after. */
  readonly now: readonly string[];
  /** For each line of {@link Hunk.now}, which line of {@link Hunk.old} it is, or stands for. */
  readonly steps: readonly HunkStep[];
}

/** Where a line of the new text comes from. */
interface HunkStep {
  /** Whether it is that line. Otherwise it only stands where that line was, or comes after it. */
  readonly kept: boolean;
  /** A line of the old text. */
  readonly line: number;
}

const MAX_LINES = 60;

/** The hunks of a change that are there once and have two lines that are not blank. */
export function hunksOf({ source, before, after }: FileChange): Hunk[] {
  // Models send as much as diffs show, or less.
  const context = [3, 3, 1, 0][before.length % 4]!;
  const patch = structuredPatch("a", "b", before, after, undefined, undefined, { context, maxEditLength: 3000 });
  const file = before.split("\n");
  return (patch?.hunks ?? []).flatMap(({ oldStart, oldLines, lines }, index) => {
    const old = lines.filter((line) => /^[ -]/.test(line)).map((line) => line.slice(1));
    const now = lines.filter((line) => /^[ +]/.test(line)).map((line) => line.slice(1));
    const start = oldStart - 1;
    if (oldLines < 2 || oldLines > MAX_LINES || lines.some((line) => line.startsWith("\\"))) return [];
    const closed = now.length === 0 || (index + start) % 2 === 0;
    const text = old.join("\n");
    const unique = before.indexOf(text) === before.lastIndexOf(text);
    const rich = old.filter((line) => line.trim() !== "").length >= 2 && now.join("\n") !== text;
    // A last line that gave up its line feed is no hunk of whole lines.
    const whole = file.slice(start, start + old.length).join("\n") === text && start + old.length < file.length;
    return unique && rich && whole ? [{ source, file, start, old, now, closed, steps: stepsOf(old, now) }] : [];
  });
}

function stepsOf(old: readonly string[], now: readonly string[]): HunkStep[] {
  const steps: HunkStep[] = [];
  let line = 0;
  let removed = 0;
  for (const change of diffArrays([...old], [...now])) {
    if (change.removed) {
      removed = change.count;
      line += change.count;
      continue;
    }
    for (let nth = 0; nth < change.count; nth += 1) {
      if (!change.added) steps.push({ kept: true, line: line + nth });
      else if (removed > 0) steps.push({ kept: false, line: Math.min(line - removed + nth, line - 1) });
      else steps.push({ kept: false, line: Math.max(0, line - 1) });
    }
    if (!change.added) line += change.count;
    removed = 0;
  }
  return steps;
}

/** Numbers that are the same in every run with the same start: a generator of Marsaglia's xorshift family. */
export class Random {
  #state: number;

  constructor(start: number) {
    this.#state = (start * 2_654_435_761) >>> 0 || 1;
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return this.#state % limit;
  }

  /** One of them. */
  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error("Cannot pick: there is nothing to pick from");
    return value;
  }
}

/** Published packages whose versions are compared: source of several languages and styles, and prose. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  express: ["4.17.0", "4.18.0", "4.19.0", "4.21.0", "5.0.0", "5.1.0"],
  semver: ["7.3.0", "7.5.0", "7.6.0", "7.7.0"],
  zod: ["3.20.0", "3.21.0", "3.22.0", "3.23.0"],
  yargs: ["17.0.0", "17.4.0", "17.7.0"],
  "node-gyp": ["9.0.0", "9.4.0", "10.0.0", "11.0.0"],
  marked: ["4.0.0", "4.3.0", "5.0.0"],
};
/** Hunks taken of one package or repository, so that none outweighs the others. */
const MAX_PER_SOURCE = 500;

/** Real changes to real files: from a repository's history, and from successive versions of published packages. */
export async function mineCorpus(repository: string): Promise<Hunk[]> {
  const hunks = sample(gitChanges(repository, 2000).flatMap(hunksOf));
  for (const [name, versions] of Object.entries(PACKAGES)) {
    try {
      hunks.push(...sample((await packageChanges(name, versions)).flatMap(hunksOf)));
    } catch (error) {
      console.error(`Cannot mine ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return hunks;
}

function sample(hunks: readonly Hunk[]): Hunk[] {
  const random = new Random(hunks.length);
  const left = [...hunks];
  while (left.length > MAX_PER_SOURCE) left.splice(random.below(left.length), 1);
  return left;
}
