import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Writes the licenses of the packages that files come from. Nothing when all are the package's own.
 */
export function writeLicenses(target: string, files: readonly string[]): void {
  const packages = new Set(
    files.flatMap((file) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file) ?? []),
  );
  const texts = [...packages].toSorted().map((directory) => {
    const manifest = JSON.parse(readFileSync(path.join(directory, "package.json"), "utf8")) as Record<string, string>;
    const { name, version, license, author } = manifest;
    const [file] = globSync("{LICENSE,LICENCE,license}*", { cwd: directory });
    const text =
      file === undefined ? `${license}, by ${author}` : readFileSync(path.join(directory, file), "utf8").trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  if (texts.length > 0)
    writeFileSync(target, `Parts of these packages are in the files here.\n\n${texts.join("\n---\n\n")}`);
}
