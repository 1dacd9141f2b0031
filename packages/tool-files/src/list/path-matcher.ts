import micromatch from "micromatch";
import { toGlobName } from "./glob-name.ts";

/** As the glob engine reads a pattern: it has the same options, and the matcher behind it is the same. */
const OPTIONS = { dot: true, matchBase: true, noext: true, posix: true, strictSlashes: false };

/** Matches paths from the directory that is listed. */
interface PathMatcher {
  matches(path: string): boolean;
  /** Whether files of a directory, which ends with a slash, or below it may match. */
  mayHold(directory: string): boolean;
}

export function pathMatcher(pattern: string): PathMatcher {
  const anywhere = pattern.includes("/") ? pattern : `**/${pattern}`;
  const expressions = micromatch
    .braces(anywhere, { expand: true, nodupes: true, keepEscaping: true })
    .map((expanded) => ({
      base: baseOf(expanded),
      depth: expanded.includes("**") ? Infinity : expanded.split("/").length,
      expression: micromatch.makeRe(expanded, OPTIONS),
    }));
  return {
    matches(path) {
      const name = toGlobName(path);
      return expressions.some(({ base, expression }) => name.startsWith(base) && expression.test(name));
    },
    mayHold(directory) {
      const name = toGlobName(directory);
      const level = name.split("/").length;
      return expressions.some(({ base, depth }) => level <= depth && (name.startsWith(base) || base.startsWith(name)));
    },
  };
}

/** How every path begins that the engine looks at for a pattern: with the directory before the first wildcard. */
function baseOf(pattern: string): string {
  const { base, isGlob } = micromatch.scan(pattern);
  return isGlob && base !== "" ? `${base.replace(/\\(.)/g, "$1")}/` : "";
}
