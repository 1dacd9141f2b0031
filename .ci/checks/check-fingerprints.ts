import { readFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { root, runCommand, type Outcome } from "../machine/run-command.ts";
import { changedTools, type FingerprintRecord, type Fingerprints } from "./fingerprint-record.ts";

/** The recorded fingerprints: absolute path. */
export const FINGERPRINTS = path.join(root, ".ci/tool-fingerprints.json");

/** Fails when the text that models read of a tool changed and no changeset is recorded for it. */
export async function checkFingerprints(): Promise<Outcome> {
  const changed = changedTools(await readRecord(), await readFingerprints());
  const output = changed.map(
    ([name, tool]) =>
      `${name}: name, description or parameters of ${tool} changed, which changes what models do; add a changeset with \`npx pnpm changeset\`, then record it with \`npx pnpm fingerprints CHANGESET\``,
  );
  return { ok: changed.length === 0, output: output.join("\n") };
}

export async function readRecord(): Promise<FingerprintRecord> {
  const text = await readFile(FINGERPRINTS, "utf8").catch(() => "{}");
  return JSON.parse(text) as FingerprintRecord;
}

/** The fingerprints of the tools as they are in the sources. */
export async function readFingerprints(): Promise<Fingerprints> {
  const script = path.join(root, ".ci/print-fingerprints.ts");
  const options = ["--conditions=@dispatch/source", "--disable-warning=ExperimentalWarning", script];
  const { ok, output } = await runCommand(process.execPath, options);
  if (!ok) throw new Error(`Cannot read the fingerprints of the tools: ${output}`);
  return JSON.parse(output) as Fingerprints;
}
