/**
 * `npx pnpm fingerprints CHANGESET` records the fingerprints of the packages' tools, once a changeset describes the change
 * to the models that use them. `CHANGESET` is its name in `.changeset`, without `.md`.
 */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { FINGERPRINTS, readFingerprints, readRecord } from "./checks/check-fingerprints.ts";
import { recordFingerprints } from "./checks/fingerprint-record.ts";
import { root } from "./machine/run-command.ts";

const [changeset] = process.argv.slice(2);
if (changeset === undefined) {
  throw new Error("Cannot record the fingerprints: no changeset was named, make one with `npx pnpm changeset`");
}
const text = await readFile(path.join(root, ".changeset", `${changeset}.md`), "utf8");
const record = recordFingerprints(await readRecord(), await readFingerprints(), changeset, text);
await writeFile(FINGERPRINTS, `${JSON.stringify(record, undefined, 2)}\n`);
