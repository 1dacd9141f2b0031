import path from "node:path";

const TOP_LEVEL = /^(?:packages|apps|\.[^/]+)\//;
const GRAB_BAG = /^(?:utils?|helpers?|types|common)$/;
const EXPORT_ALL = /^export \*/m;
const SILENT_SKIP = /\.(?:skipIf|runIf)\(/;
const MANIFEST = /^(?:packages|apps)\/[^/]+\/package\.json$/;
const PUBLISHED = /^packages\/[^/]+\/package\.json$/;
const SOURCE = "@dispatch/source";

/**
 * Says where a tree breaks a rule of the house that no linter knows, one sentence each; none when it keeps them all.
 *
 * @param files - Every file of the repository by its path, with `/` between directories; the text matters only of
 *   TypeScript files and of each `package.json`.
 */
export function findViolations(files: ReadonlyMap<string, string>): readonly string[] {
  const paths = [...files.keys()];
  const code = [...files].filter(([file]) => file.endsWith(".ts"));
  return [
    ...paths
      .filter(isForbiddenDirectory)
      .map((file) => `${file}: only packages, apps and dot-directories may be at the top`),
    ...paths.filter(isGrabBag).map((file) => `${file}: a file or directory is named for the one thing it holds`),
    ...code
      .filter(([, text]) => EXPORT_ALL.test(text))
      .map(([file]) => `${file}: an export names what it exports, \`export *\` does not`),
    ...code
      .filter(([, text]) => SILENT_SKIP.test(text))
      .map(([file]) => `${file}: a test is skipped by \`context.skip(condition, "reason")\`, which says why`),
    ...paths.filter((file) => MANIFEST.test(file)).flatMap((file) => untagged(files, file)),
    ...paths.filter((file) => PUBLISHED.test(file)).flatMap((file) => inPackage(files, file)),
  ];
}

function isForbiddenDirectory(file: string): boolean {
  return file.includes("/") && !TOP_LEVEL.test(file);
}

function isGrabBag(file: string): boolean {
  if (!/^(?:packages|apps|\.ci)\//.test(file) || file.endsWith(".bench.ts")) return false;
  const [name = "", ...directories] = file.split("/").toReversed();
  return [name.split(".")[0] ?? "", ...directories].some((part) => GRAB_BAG.test(part));
}

/** Without its tag a package is outside the boundaries that turbo checks. */
function untagged(files: ReadonlyMap<string, string>, file: string): readonly string[] {
  const turbo = path.posix.join(path.posix.dirname(file), "turbo.json");
  const tag = file.startsWith("apps/")
    ? /"tags": \["app"\]/
    : /"tags": \["(?:interface|feature|check|tool|command)"[\],]/;
  return tag.test(files.get(turbo) ?? "")
    ? []
    : [`${turbo}: it must tag the package as interface, feature, check, tool, command or app`];
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
  return drift;
}
