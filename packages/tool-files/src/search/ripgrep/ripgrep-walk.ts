import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { arePortableRules, IgnoreRules, readGitignore } from "../../list/ignore-rules.ts";
import { listedDirectory } from "../../list/list-tree.ts";
import { QUICK_INDEX, TrackedFiles } from "../../list/tracked-files.ts";
import { isGitDirectory } from "../../sandbox/path-segments.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { isTemporaryName } from "../../sandbox/temporary-files.ts";
import { proposingPatterns } from "../query-forms.ts";
import type { SearchRequest } from "../search-request.ts";
import { MAX_HELD_BYTES } from "../searched-text.ts";
import { ripgrepLog, type RipgrepLog, ripgrepNames, type RipgrepNames } from "./ripgrep-names.ts";

/** Names, perhaps with stars, and one level of alternatives: patterns that ripgrep and the glob engine read alike. */
const PLAIN_PATTERN = /^(?:[\w.-]|\*(?!\*)|\{[\w.-]+(?:,[\w.-]+)+\})+$/;
/** Where it finds the rules that apply from above. */
const RULES_ABOVE = "/proc/self/fd/3";

/** The files that ripgrep proposes, and those it left out. */
interface WalkedFiles extends Pick<RipgrepLog, "tooLarge" | "unreadable"> {
  readonly files: readonly string[];
  /** How many entries it left out because of a rule. */
  readonly ignored: number;
  /** Files that it proposes whose names are not UTF-8. */
  readonly nameless: number;
}

/**
 * Lets ripgrep itself walk the tree: it names the files that may match, by the same rules as a listing. Where it could
 * read these rules differently the answer is `undefined`: when it left out a file that is tracked, when one is unusual, when a file of rules is a link, which it
 * follows, or when its log does not tell which files of rules it has opened; and where it names too many files.
 */
export async function ripgrepWalk(
  sandbox: Sandbox,
  request: SearchRequest,
  program: string,
): Promise<WalkedFiles | undefined> {
  const { scope, query, attempt, signal } = request;
  if (sandbox.strength !== "kernel") return undefined;
  if (scope.pattern !== undefined && !(PLAIN_PATTERN.test(scope.pattern) && isCheapPattern(scope.pattern)))
    return undefined;
  const start = listedDirectory(sandbox, scope.path, attempt);
  const above = scope.includeIgnored ? [] : rulesAbove(sandbox, start);
  if (above === undefined) return undefined;

  const options = [
    "--debug",
    "--hidden",
    "--no-require-git",
    "--no-ignore-parent",
    "--no-ignore-global",
    "--no-ignore-exclude",
    "--no-ignore-dot",
    "--glob=!.git",
    ...(scope.includeIgnored ? ["--no-ignore-vcs"] : []),
    ...(scope.includeHidden ? [] : ["--glob=!.*"]),
    ...(scope.pattern === undefined ? [] : [`--type-add=wanted:${scope.pattern}`, "--type=wanted"]),
    ...(query.multiline ? [`--max-filesize=${MAX_HELD_BYTES}`] : []),
    `--ignore-file=${RULES_ABOVE}`,
  ];
  const [log, rules] = [scratchFile(""), scratchFile(above.map((line) => `${line}\n`).join(""))];
  try {
    if (log === undefined || rules === undefined) return undefined;
    const cwd = sandbox.workingDirectory;
    const run = { program, cwd, options, log, inherited: rules, signal };
    const named = await ripgrepNames(run, proposingPatterns(query, request.forms), query, [start]);
    if (named === undefined) return undefined;
    const said = ripgrepLog(readScratchFile(log));
    if (!scope.includeIgnored && !readsAlike(sandbox, said.ruleFiles)) return undefined;
    if (!scope.includeIgnored && leavesOutTracked(sandbox, said)) return undefined;
    const files = withoutOurs(named, start).toSorted();
    const { tooLarge, unreadable } = said;
    return { files, nameless: named.nameless, ignored: said.ignored.length, tooLarge, unreadable };
  } finally {
    for (const fd of [log, rules]) if (fd !== undefined) fs.closeSync(fd);
  }
}

function isCheapPattern(pattern: string): boolean {
  return pattern.split("*").length <= 4;
}

/** The rules of directories above one that is searched. `undefined`: they may be read differently. */
function rulesAbove(sandbox: Sandbox, start: string): readonly string[] | undefined {
  const names = start === "" ? [] : start.split("/");
  let rules = IgnoreRules.none;
  for (const index of names.keys()) {
    const directory = names.slice(0, index).join("/");
    const text = readGitignore(sandbox, directory);
    if (text !== undefined && !arePortableRules(text)) return undefined;
    rules = text === undefined ? rules : rules.with(directory, text);
    // A call that names an ignored directory is to see its files.
    if (rules.ignores(names.slice(0, index + 1).join("/"), true)) return [];
  }
  return rules.lines;
}

function scratchFile(text: string): number | undefined {
  try {
    return openScratchFile(text);
  } catch {
    return undefined;
  }
}

/**
 * Whether the log mentions the rules given to it (then it is complete), and every other file of rules is a plain one.
 */
function readsAlike(sandbox: Sandbox, ruleFiles: readonly string[]): boolean {
  return (
    ruleFiles.includes(RULES_ABOVE) &&
    ruleFiles.every((file) => {
      if (file === RULES_ABOVE) return true;
      const text = readGitignore(sandbox, file.replace(/^\.\//, "").replace(/\/?\.gitignore$/, ""));
      return text !== undefined && file.endsWith("/.gitignore") && arePortableRules(text);
    })
  );
}

/** Whether ripgrep, which knows no tracked files, left one out, or this cannot be decided at once. */
function leavesOutTracked(sandbox: Sandbox, { ignored, unclear }: RipgrepLog): boolean {
  const tracked = new TrackedFiles(sandbox, QUICK_INDEX);
  return unclear || ignored.some((path) => tracked.has(path) || tracked.tooLong);
}

/** Removes paths in a directory that a file system may take for `.git`, and temporary files. */
function withoutOurs(named: RipgrepNames, start: string): string[] {
  const skipped = start === "" ? 0 : start.length + 1;
  return named.names.filter(
    (path) =>
      !path
        .slice(skipped)
        .split("/")
        .some((name) => isGitDirectory(name) || isTemporaryName(name)),
  );
}

/** Descriptor of a new file outside every worktree that has no name any more and is gone once closed. For POSIX systems. */
function openScratchFile(text = ""): number {
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
  const path = join(tmpdir(), `dispatch-${randomUUID()}`);
  const fd = fs.openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    fs.unlinkSync(path);
    fs.writeSync(fd, text);
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

/** All that was written to a scratch file. */
function readScratchFile(fd: number): string {
  const bytes = Buffer.alloc(fs.fstatSync(fd).size);
  return bytes.toString("utf8", 0, fs.readSync(fd, bytes, 0, bytes.length, 0));
}
