import ignore, { type Ignore } from "ignore";
import { FilesError } from "../error/files-error.ts";
import { foldedName } from "./git-directory.ts";
import { OBEYED_FILES } from "./obeyed-files.ts";

/** Whether a file may be written: `allow`, only after a person approved it (`ask`), or not at all (`deny`). */
export type PathRule = "allow" | "ask" | "deny";

/**
 * Rules for writing, by pattern as in a `.gitignore` file: without a slash (except at its end) at any depth, otherwise
 * from the worktree; a pattern that matches a directory matches everything in it. The last pattern that matches
 * decides. Names are compared without regard to case. A pattern that begins with `!` or `#` is refused, and so is an
 * empty one.
 */
export type ProtectedPaths = Readonly<Record<string, PathRule>>;

/**
 * The default rules. `.git` is protected from every write. Files that programs obey without a person's command need approval
 * (THREAT_MODEL.md lists them): configuration of editors, shells, agents, Git, package managers and CI. Files that run only with the
 * project's own commands (`package.json`, makefiles, scripts, tests) are the project itself and not protected.
 */
export const DEFAULT_PROTECTED_PATHS: ProtectedPaths = Object.freeze({
  ...Object.fromEntries(OBEYED_FILES.flatMap(({ paths }) => paths.map((path) => [path, "ask"] as const))),
  ".git": "deny",
});

/** Paths after which the matchers are built anew: the library caches its answers without a bound. */
const MAX_ASKED = 1000;

/** A pattern, or its first part, that stands for itself. */
const LITERAL = /^\/?([\w.-]+)(?:\/|$)/;
/** Names whose upper and lower case are the same in every locale. */
const ASCII = /^[\x20-\x7e]+$/;
/** Names of which it is known whether a rule may be about them. */
const MAX_KNOWN = 10_000;

interface Compiled {
  /** Names without which no pattern that begins with a literal one matches, in lower case. */
  readonly literal: ReadonlySet<string>;
  /** The other patterns that are about one name. */
  readonly ofNames: Ignore;
  /** All others. `undefined`: there are none. */
  readonly ofPaths: Ignore | undefined;
  /** The last first. */
  readonly rules: readonly { readonly rule: PathRule; readonly matcher: Ignore }[];
}

/** Compiled {@link ProtectedPaths}. */
export class PathPolicy {
  readonly #entries: readonly (readonly [pattern: string, rule: PathRule])[];
  #compiled: Compiled;
  #asked = 0;
  readonly #known = new Map<string, boolean>();

  /** The defaults, and after them `paths`. */
  constructor(paths: ProtectedPaths = {}) {
    this.#entries = [...Object.entries(DEFAULT_PROTECTED_PATHS), ...Object.entries(paths)];
    for (const [pattern, rule] of this.#entries) check(pattern, rule);
    this.#compiled = compile(this.#entries);
  }

  /** The rule for the place of these names, from the worktree down with links resolved. */
  ruleFor(names: readonly string[]): PathRule {
    if (names.length === 0) return "allow";
    // Nearly every path is none of those, and a directory that is moved may hold many.
    const mayMatch = names.some((name) => this.#mayMatch(name));
    if (!mayMatch && this.#compiled.ofPaths === undefined) return "allow";
    if (++this.#asked % MAX_ASKED === 0) this.#compiled = compile(this.#entries);
    const path = names.map((name) => foldedName(name) || name).join("/");
    if (!mayMatch && !this.#compiled.ofPaths?.ignores(path)) return "allow";
    return this.#compiled.rules.find(({ matcher }) => matcher.ignores(path))?.rule ?? "allow";
  }

  /** Whether a rule may be about a path with this name. */
  #mayMatch(name: string): boolean {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const { literal, ofNames } = this.#compiled;
    const folded = foldedName(name) || name;
    const may = !ASCII.test(folded) || literal.has(folded.toLowerCase()) || ofNames.ignores(folded);
    if (this.#known.size >= MAX_KNOWN) {
      this.#known.clear();
      this.#compiled = compile(this.#entries);
    }
    this.#known.set(name, may);
    return may;
  }
}

function compile(entries: readonly (readonly [pattern: string, rule: PathRule])[]): Compiled {
  const patterns = entries.map(([pattern]) => pattern);
  const others = patterns.filter((pattern) => !LITERAL.test(pattern));
  return {
    literal: new Set(patterns.flatMap((pattern) => LITERAL.exec(pattern)?.[1]?.toLowerCase() ?? [])),
    ofNames: ignore().add(others.filter(isOfNames).map((pattern) => pattern.replace(/\/+$/, ""))),
    ofPaths: others.every(isOfNames) ? undefined : ignore().add(others.filter((pattern) => !isOfNames(pattern))),
    rules: entries.map(([pattern, rule]) => ({ rule, matcher: ignore().add(pattern) })).toReversed(),
  };
}

/** Whether a pattern has no slash but at its end. */
function isOfNames(pattern: string): boolean {
  return !/\/./.test(pattern) && !/\s$|\\/.test(pattern);
}

function check(pattern: string, rule: string): void {
  const found =
    /^[!#]|^\s*$/.test(pattern) || pattern.includes("\n")
      ? `the pattern ${JSON.stringify(pattern)}, allowed are those of a .gitignore file that match something`
      : rule !== "allow" && rule !== "ask" && rule !== "deny"
        ? `${JSON.stringify(rule)} for ${JSON.stringify(pattern)}, allowed are "allow", "ask" and "deny"`
        : undefined;
  if (found !== undefined) throw new FilesError(`Cannot protect paths: found ${found}`, { code: "invalid_option" });
}
