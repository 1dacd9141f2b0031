import { readFile } from "node:fs/promises";
import path from "node:path";
import { root, runCommand, type Outcome } from "../machine/run-command.ts";
import { findBrokenLinks } from "./broken-links.ts";
import { findViolations } from "./house-rules.ts";

/** Holds the rules of the house against every file that git tracks or would track, and follows the links of its pages. */
export async function checkHouseRules(): Promise<Outcome> {
  const listed = await runCommand("git", [
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
    "--deduplicate",
  ]);
  if (!listed.ok) return listed;
  const files = await Promise.all(listed.output.split("\0").filter(Boolean).map(readListed));
  const tree = new Map(files.filter((file) => file !== undefined));
  const violations = [...findViolations(tree), ...findBrokenLinks(tree)];
  return { ok: violations.length === 0, output: violations.join("\n") };
}

/** A tracked file that was deleted, and not yet from the index, is not there to be judged. */
async function readListed(file: string): Promise<readonly [string, string] | undefined> {
  try {
    return [file, await readFile(path.join(root, file), "utf8")];
  } catch {
    return undefined;
  }
}
