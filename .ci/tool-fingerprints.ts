/**
 * `npx pnpm fingerprints CHANGESET` records the fingerprints of the packages' tools, once a changeset describes the change
 * to the models that use them. `CHANGESET` is its name in `.changeset`, without `.md`.
 */
import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { FINGERPRINTS, readFingerprints, readRecord } from "./checks/check-fingerprints.ts";
import { recordFingerprints } from "./checks/fingerprint-record.ts";
import { root } from "./machine/run-command.ts";

const [changeset] = process.argv.slice(2);
try {
  const text = await readChangeset(changeset);
  const record = recordFingerprints(await readRecord(), await readFingerprints(), changeset ?? "", text);
  await writeFile(FINGERPRINTS, `${JSON.stringify(record, undefined, 2)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function readChangeset(name: string | undefined): Promise<string> {
  const known = globSync("*.md", { cwd: path.join(root, ".changeset") }).map((file) => path.basename(file, ".md"));
  if (name !== undefined && known.includes(name)) return readFile(path.join(root, ".changeset", `${name}.md`), "utf8");
  const found = name === undefined ? "no changeset was named" : `there is no changeset ${name}`;
  const allowed = known.length === 0 ? "" : `name one of ${known.join(", ")}, or `;
  throw new Error(`Cannot record the fingerprints: ${found}; ${allowed}make one with \`npx pnpm changeset\``);
}
