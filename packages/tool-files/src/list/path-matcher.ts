import micromatch from "micromatch";
import { toGlobName } from "./glob-name.ts";

/** As the glob engine reads a pattern. Names that begin with a dot are like others. */
const OPTIONS = { dot: true, noext: true, posix: true, strictSlashes: false };
/** Of an empty alternative in braces: no name is empty. */
const NOTHING = /^(?!)/;

/** A pattern with a slash, of those that braces stand for. */
interface PathPattern {
  readonly expression: RegExp;
  /** The directory before the first wildcard with a slash at the end, in which all matches are; `""` for the directory listed. */
  readonly base: string;
  /** Expressions for the directories on the way to a match, up to the first `**`. */
  readonly way: readonly RegExp[];
  /** Whether matches may be deeper than `way`. */
  readonly deep: boolean;
}

/**
 * Matches paths, from the directory that is listed, with a glob made by `globPattern`. Directories are given by their
 * path with a slash at the end, `""` for the one that is listed.
 */
export class PathMatcher {
  /** Patterns without a slash are compared with names, at any depth. */
  readonly #names: readonly RegExp[];
  readonly #paths: readonly PathPattern[];

  constructor(pattern: string) {
    const expanded = micromatch.braces(pattern, { expand: true, nodupes: true, keepEscaping: true });
    this.#names = expanded.filter((one) => !one.includes("/")).map(expressionOf);
    this.#paths = expanded.filter((one) => one.includes("/")).map(pathPatternOf);
  }

  /** Whether the file `name` in `directory` matches. */
  matches(directory: string, name: string): boolean {
    if (this.#matchesName(name)) return true;
    if (this.#paths.length === 0) return false;
    const path = toGlobName(directory + name);
    return this.#paths.some(({ base, expression }) => path.startsWith(base) && expression.test(path));
  }

  /** Whether a match may be in a directory or further down. */
  mayHold(directory: string): boolean {
    if (this.#names.length > 0) return true;
    const names = toGlobName(directory).split("/").slice(0, -1);
    return this.#paths.some(
      ({ way, deep }) =>
        (deep || names.length <= way.length) && names.every((name, depth) => way[depth]?.test(name) ?? true),
    );
  }

  /**
   * Whether an entry matches in a listing that does not go into directories, but for those that the pattern names. A
   * directory's `name` has a slash at the end.
   */
  matchesFlat(directory: string, name: string): boolean {
    if (directory === "" && this.#matchesName(name.replace(/\/$/, ""))) return true;
    const [marked, path] = [toGlobName(directory), toGlobName(directory + name)];
    return this.#paths.some(
      ({ base, expression }) =>
        marked === base && (expression.test(path) || (path.endsWith("/") && expression.test(path.slice(0, -1)))),
    );
  }

  /** Whether a directory is one that the pattern names, or on the way to it. */
  leadsOn(directory: string): boolean {
    const marked = toGlobName(directory);
    return this.#paths.some(({ base }) => base.startsWith(marked));
  }

  #matchesName(name: string): boolean {
    const marked = toGlobName(name);
    return this.#names.some((expression) => expression.test(marked));
  }
}

function expressionOf(pattern: string): RegExp {
  return pattern === "" ? NOTHING : micromatch.makeRe(pattern, OPTIONS);
}

function pathPatternOf(expanded: string): PathPattern {
  // An empty alternative in braces leaves slashes over.
  const pattern = expanded.replace(/\/{2,}/g, "/").replace(/^\//, "");
  const names = pattern.replace(/\/$/, "").split("/");
  const [way, last] = [names.slice(0, -1), names.at(-1) ?? ""];
  const open = way.findIndex((name) => name.includes("**"));
  return {
    // What is in a directory, not a file of its name.
    expression: expressionOf(pattern.replace(/\/\*\*$/, "/**/*")),
    base: baseOf(pattern.replace(/\/$/, "")),
    way: way.slice(0, open === -1 ? way.length : open).map(expressionOf),
    deep: open !== -1 || last.includes("**"),
  };
}

function baseOf(pattern: string): string {
  const { base, isGlob } = micromatch.scan(pattern);
  const directory = isGlob ? base : pattern.slice(0, Math.max(0, pattern.lastIndexOf("/")));
  return directory === "" ? "" : `${directory.replace(/\\(.)/g, "$1")}/`;
}
