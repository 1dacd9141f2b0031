import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { fileChange, type FileChange } from "./file-change.ts";

const run = promisify(execFile);
const TEXT = /\.(ts|js|mjs|cjs|md|json|css|html|txt|py|h|cc)$/;
/** Files of a package that are looked at. */
const MAX_FILES = 400;

/** Changes of files between versions of a published package, each compared with the one before it. */
export async function packageChanges(name: string, versions: readonly string[]): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  let previous: string | undefined;
  for (const version of versions) {
    const folder = await unpacked(name, version);
    if (previous !== undefined) changes.push(...changesBetween(`${name}@${version}`, previous, folder));
    previous = folder;
  }
  return changes;
}

/** A package as published, kept in the temporary folder from one run to the next. */
async function unpacked(name: string, version: string): Promise<string> {
  const cache = join(tmpdir(), "dispatch-edit-corpus");
  const folder = join(cache, `${name.replace("/", "+")}@${version}`);
  if (existsSync(folder)) return join(folder, "package");
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  await run("npm", ["pack", `${name}@${version}`, "--silent", "--pack-destination", draft], { cwd: draft });
  const archive = readdirSync(draft).find((file) => file.endsWith(".tgz"));
  if (archive === undefined) throw new Error(`Cannot unpack ${name}@${version}: npm made no archive`);
  await run("tar", ["-xzf", archive, "--no-same-owner"], { cwd: draft });
  await rename(draft, folder);
  return join(folder, "package");
}

function changesBetween(source: string, before: string, after: string): FileChange[] {
  const paths = readdirSync(before, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT.test(entry.name) && !/\.min\./.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(before.length + 1))
    .toSorted()
    .slice(0, MAX_FILES);
  return paths.flatMap((path) => {
    if (!existsSync(join(after, path))) return [];
    const change = fileChange(`${source}/${path}`, readFileSync(join(before, path)), readFileSync(join(after, path)));
    return change === undefined ? [] : [change];
  });
}
