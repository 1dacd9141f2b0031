import micromatch from "micromatch";
import { toGlobName } from "./glob-name.ts";

/** As the glob engine reads a pattern: it has the same options, and the matcher behind it is the same. */
const OPTIONS = { dot: true, matchBase: true, noext: true, posix: true, strictSlashes: false };

/** Whether a path, from the directory that is listed, matches a glob made by `globPattern`. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const anywhere = pattern.includes("/") ? pattern : `**/${pattern}`;
  const expressions = micromatch
    .braces(anywhere, { expand: true, nodupes: true, keepEscaping: true })
    .map((expanded) => ({ base: baseOf(expanded), expression: micromatch.makeRe(expanded, OPTIONS) }));
  return (path) => {
    const name = toGlobName(path);
    return expressions.some(({ base, expression }) => name.startsWith(base) && expression.test(name));
  };
}

/** How every path begins that the engine looks at for a pattern: with the directory before the first wildcard. */
function baseOf(pattern: string): string {
  const { base, isGlob } = micromatch.scan(pattern);
  return isGlob && base !== "" ? `${base.replace(/\\(.)/g, "$1")}/` : "";
}
