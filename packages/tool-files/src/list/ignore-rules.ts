import { isTooManyOpenFiles } from "../error/system-error.ts";
import { type Sandbox, withOpenFile } from "../sandbox/sandbox.ts";
import { fill } from "../text/bytes.ts";
import { asBytes, gitRule, type GitRule, NameFilter } from "./git-rule.ts";

/**
 * The `.gitignore` files that apply in a directory, its own and those above it down from the worktree. As in Git the
 * last rule that matches decides, and the rules of a deeper file come later.
 */
export class IgnoreRules {
  /** How many rules were left out as too costly to match, here and above. */
  readonly leftOut: number;
  /** The rules as a `.gitignore` of the worktree's root would hold them. */
  readonly lines: readonly string[];
  readonly #parent: IgnoreRules | undefined;
  readonly #directory: string;
  /** Rules of the own file, bytes as `latin1`. */
  readonly #own: readonly string[];
  /** Made when it is asked, which most directories' is not. */
  #rules: readonly GitRule[] | undefined;
  /** Names that a rule may match, by directory: nearly all others need not be asked for. `undefined`: any name may. */
  readonly #names: readonly NameFilter[] | undefined;

  private constructor(directory: string, own: readonly string[], leftOut: number, parent?: IgnoreRules) {
    this.#directory = directory;
    this.#own = own.map(asBytes);
    this.#parent = parent;
    const added = own.map((line) => fromWorktree(line, directory));
    this.lines = parent === undefined ? added : [...parent.lines, ...added];
    this.leftOut = leftOut;
    const names = NameFilter.of(added);
    const above = parent === undefined ? [] : parent.#names;
    this.#names = names === undefined || above === undefined ? undefined : [...above, names];
  }

  static readonly none: IgnoreRules = new IgnoreRules("", [], 0);

  /** These rules and those of the `.gitignore` in `directory`, a path from the worktree, `""` for the worktree itself. */
  with(directory: string, gitignore: string): IgnoreRules {
    const lines = gitignore
      .replace(/^\ufeff/, "")
      .replace(/\r$/, "")
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "" && !line.startsWith("#"));
    if (lines.length === 0) return this;
    const usable = lines.slice(0, MAX_RULES).filter(isCheap);
    return new IgnoreRules(directory, usable, this.leftOut + lines.length - usable.length, this);
  }

  /** Whether Git would leave this path out. Every directory above it must have been asked before. */
  ignores(path: string, isDirectory: boolean): boolean {
    if (this.lines.length === 0) return false;
    const bytes = asBytes(path);
    if (this.#names !== undefined && !this.#names.some((names) => names.mayMatch(bytes))) return false;
    return this.#decides(bytes, isDirectory);
  }

  #decides(path: string, isDirectory: boolean): boolean {
    const below = this.#directory === "" ? path : path.slice(asBytes(this.#directory).length + 1);
    this.#rules ??= this.#own.map(gitRule);
    const rule = this.#rules.findLast((one) => one.matches(below, isDirectory));
    if (rule !== undefined) return !rule.isNegated;
    return this.#parent !== undefined && this.#parent.#decides(path, isDirectory);
  }
}

function isCheap(line: string): boolean {
  if (line.length > MAX_RULE_CHARS) return false;
  const rule = line.replace(/\*{2,}/g, "**");
  const names = rule.split("/").filter((name) => name !== "**");
  return names.every((name) => name.split("*").length - 1 <= MAX_STARS) && rule.split("**").length - 1 <= MAX_STARS;
}

/** A rule of a deeper file, written as a rule of the worktree's own. */
function fromWorktree(line: string, directory: string): string {
  if (directory === "") return line;
  const negated = line.startsWith("!");
  const rule = negated ? line.slice(1) : line;
  const anchored = rule.replace(/\s+$/, "").replace(/\/$/, "").includes("/");
  const escaped = directory.replace(/[\\*?[\]!# ]/g, "\\$&");
  return `${negated ? "!" : ""}/${escaped}/${anchored ? rule.replace(/^\//, "") : `**/${rule}`}`;
}

/** Letters and digits, a few signs, stars and slashes, sets of letters, blanks but at the end. */
const PLAIN = /^!?(?! )(?:[\w.+~@*/$()&',=%-]|\?(?=\*)|\[(?:0-9|a-z|A-Z|[A-Za-z0-9])+\]|\\? (?=\S))+$/;
/** Stars a name of a rule may hold. Rules with more are left out: the cost of matching grows with their power. */
const MAX_STARS = 3;
const MAX_RULES = 5000;
const MAX_RULE_CHARS = 1000;

/**
 * Whether every rule of a `.gitignore` is of the plain kind that Git, ripgrep and {@link IgnoreRules} read alike, as in
 * nearly all such files. Sets, escapes, blanks, other alphabets and anything costly are not plain.
 */
export function arePortableRules(gitignore: string): boolean {
  const lines = gitignore.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  return lines.length <= MAX_RULES && lines.every(isPlain);
}

function isPlain(line: string): boolean {
  if (line.length > MAX_RULE_CHARS || !PLAIN.test(line) || line.split("**").length - 1 > MAX_STARS) return false;
  return line
    .replace(/^!?\/?|\/$/g, "")
    .split("/")
    .every(
      (name) =>
        name === "**" || (!name.includes("**") && !/^\.*$/.test(name) && name.split("*").length - 1 <= MAX_STARS),
    );
}

/** Bytes of a `.gitignore` that are read. */
const MAX_GITIGNORE = 256 * 1024;

/** The text of a directory's `.gitignore`, if there is one. Like Git, does not follow one that is a link. */
export function readGitignore(sandbox: Sandbox, directory: string): string | undefined {
  const path = directory === "" ? ".gitignore" : `${directory}/.gitignore`;
  try {
    return withOpenFile(sandbox, path, (file) =>
      file.path === path ? fill(file.fd, Buffer.alloc(Math.min(file.size, MAX_GITIGNORE)), 0).toString() : undefined,
    );
  } catch (error) {
    if (isTooManyOpenFiles(error)) throw error;
    return undefined;
  }
}
