import path from "node:path";
import { childrenOf, lineOf, parse, walk, type SyntaxNode } from "./syntax.ts";
import { findUndocumented } from "./undocumented.ts";

const MAX_LINES = 300;
const TOP_LEVEL = /^(?:packages|apps|\.[^/]+)\//;
const GRAB_BAG = /^(?:utils?|helpers?|types|common)$/;
const TESTED_WITH = /^(?:test|it|describe|suite|bench)$/;
const NOT_RUN = /^(?:skip|only|todo|fails)$/;
const MANIFEST = /^(?:packages|apps)\/[^/]+\/package\.json$/;
const PUBLISHED = /^packages\/[^/]+\/package\.json$/;
const SOURCE = "@dispatch/source";

/**
 * Says where a tree breaks a rule of the house that no linter knows, one sentence each; none when it keeps them all.
 *
 * @param files - Every file of the repository by its path, with `/` between folders; the text matters only of
 *   TypeScript files and of each `package.json`.
 */
export function findViolations(files: ReadonlyMap<string, string>): readonly string[] {
  const paths = [...files.keys()];
  const code = [...files].filter(([file]) => file.endsWith(".ts"));
  return [
    ...paths.filter(isForbiddenFolder).map((file) => `${file}: only packages, apps and dot-folders may be at the top`),
    ...paths.filter(isGrabBag).map((file) => `${file}: a file or folder is named for the one thing it holds`),
    ...code.flatMap(([file, text]) => [...tooLong(file, text), ...inSyntax(file, text)]),
    ...paths.filter((file) => MANIFEST.test(file)).flatMap((file) => untagged(files, file)),
    ...paths.filter((file) => PUBLISHED.test(file)).flatMap((file) => inPackage(files, file)),
  ];
}

function isForbiddenFolder(file: string): boolean {
  return file.includes("/") && !TOP_LEVEL.test(file);
}

function isGrabBag(file: string): boolean {
  if (!/^(?:packages|apps|\.ci)\//.test(file) || file.endsWith(".bench.ts")) return false;
  const [name = "", ...folders] = file.split("/").toReversed();
  return [name.split(".")[0] ?? "", ...folders].some((part) => GRAB_BAG.test(part));
}

function tooLong(file: string, text: string): readonly string[] {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return lines > MAX_LINES ? [`${file}: it has ${lines} lines, allowed are ${MAX_LINES}`] : [];
}

function inSyntax(file: string, text: string): readonly string[] {
  return [...walk(parse(text))].flatMap((node) => {
    const modifier = notRun(node);
    const isStar = node.type === "ExportAllDeclaration";
    if (modifier === undefined && !isStar) return [];
    const what = isStar
      ? "an export names what it exports, `export *` does not"
      : `no test is left out, .${modifier} does`;
    return [`${file}:${lineOf(text, node.start)}: ${what}`];
  });
}

/** The modifier by which `test.skip`, `describe.concurrent.only` and the like leave tests out. */
function notRun(node: SyntaxNode): string | undefined {
  if (node.type !== "MemberExpression") return undefined;
  const modifier = String(childrenOf(node, "property")[0]?.["name"]);
  if (!NOT_RUN.test(modifier)) return undefined;
  let [object] = childrenOf(node, "object");
  while (object?.type === "MemberExpression") [object] = childrenOf(object, "object");
  return TESTED_WITH.test(String(object?.["name"])) ? modifier : undefined;
}

/** Without its tag a package is outside the boundaries that turbo checks. */
function untagged(files: ReadonlyMap<string, string>, file: string): readonly string[] {
  const turbo = path.posix.join(path.posix.dirname(file), "turbo.json");
  const tag = file.startsWith("apps/") ? /"tags": \["app"\]/ : /"tags": \["(?:interface|tool)"\]/;
  return tag.test(files.get(turbo) ?? "") ? [] : [`${turbo}: it must tag the package as interface, tool or app`];
}

interface Manifest {
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly publishConfig?: { readonly exports?: unknown };
}

function inPackage(files: ReadonlyMap<string, string>, file: string): readonly string[] {
  const manifest = JSON.parse(files.get(file) ?? "") as Manifest;
  const exports = Object.entries(manifest.exports ?? {});
  const published = exports.map(([subpath, target]) => {
    if (typeof target === "string") return [subpath, target] as const;
    return [subpath, Object.fromEntries(Object.entries(target).filter(([condition]) => condition !== SOURCE))] as const;
  });
  const drift =
    JSON.stringify(Object.fromEntries(published)) === JSON.stringify(manifest.publishConfig?.exports)
      ? []
      : [`${file}: publishConfig.exports must be exports without "${SOURCE}", in the same order`];
  const entries = exports.flatMap(([, target]) => {
    const source = typeof target === "string" ? undefined : target[SOURCE];
    return source === undefined ? [] : [path.posix.join(path.posix.dirname(file), source)];
  });
  const undocumented = entries.flatMap((entry) => findUndocumented(files, entry));
  const sentences = undocumented.map(({ file: at, line, name }) => `${at}:${line}: ${name} is public and has no TSDoc`);
  return [...drift, ...new Set(sentences)];
}
