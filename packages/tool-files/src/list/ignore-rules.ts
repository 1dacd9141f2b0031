import ignore, { type Ignore } from "ignore";
import { NameFilter } from "./name-filter.ts";
import { MAX_RULE_CHARS, MAX_RULES, MAX_STARS } from "./portable-ignore-rules.ts";

/**
 * The `.gitignore` files that apply in a directory, its own and those above it down from the worktree. As in Git the
 * last rule that matches decides, and the rules of a deeper file come later.
 */
export class IgnoreRules {
  /** How many rules were left out as too costly to match, here and above. */
  readonly leftOut: number;
  /** The rules as a `.gitignore` of the worktree's root would hold them. */
  readonly lines: readonly string[];
  /** Made when it is asked, which most directories' is not. */
  #matcher: Ignore | undefined;
  /** Names that a rule may match, by directory: nearly all others need not be asked for. `undefined`: any name may. */
  readonly #names: readonly NameFilter[] | undefined;

  readonly #parent: IgnoreRules | undefined;

  private constructor(
    rules: readonly string[],
    leftOut: number,
    names: readonly NameFilter[] | undefined,
    parent?: IgnoreRules,
  ) {
    this.lines = rules;
    this.leftOut = leftOut;
    this.#names = names;
    this.#parent = parent;
  }

  /** No rules at all. */
  static readonly none: IgnoreRules = new IgnoreRules([], 0, []);

  /** These rules and those of the `.gitignore` in `directory`, a path from the worktree, `""` for the worktree itself. */
  with(directory: string, gitignore: string): IgnoreRules {
    const lines = gitignore
      .replace(/^\ufeff/, "")
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "" && !line.startsWith("#"));
    const usable = lines.slice(0, MAX_RULES).filter(isCheap);
    if (lines.length === 0) return this;
    const added = usable.map((line) => fromWorktree(line, directory));
    const names = NameFilter.of(added);
    return new IgnoreRules(
      [...this.lines, ...added],
      this.leftOut + lines.length - usable.length,
      names === undefined || this.#names === undefined ? undefined : [...this.#names, names],
      this,
    );
  }

  /** Whether Git would leave this path out. Every directory above it must have been asked before. */
  ignores(path: string, isDirectory: boolean): boolean {
    if (this.lines.length === 0) return false;
    if (this.#names !== undefined && !this.#names.some((names) => names.mayMatch(path))) return false;
    return this.#compiled().ignores(isDirectory ? `${path}/` : path);
  }

  /** Takes the rules of the directories above as they were compiled there. */
  #compiled(): Ignore {
    if (this.#matcher !== undefined) return this.#matcher;
    this.#matcher = ignore({ ignorecase: false });
    if (this.#parent !== undefined) this.#matcher.add(this.#parent.#compiled());
    return this.#matcher.add(this.lines.slice(this.#parent?.lines.length ?? 0));
  }
}

function isCheap(line: string): boolean {
  if (line.length > MAX_RULE_CHARS) return false;
  const names = line.split("/").filter((name) => name !== "**");
  return names.every((name) => name.split("*").length - 1 <= MAX_STARS) && line.split("**").length - 1 <= MAX_STARS;
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
