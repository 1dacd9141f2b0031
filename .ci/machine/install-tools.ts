import { runPnpm } from "./run-pnpm.ts";

/**
 * Installs exactly the tools that `.ci/pnpm-lock.yaml` names; a tenth of a second if they are there.
 *
 * @throws An `Error` with pnpm's output on failure.
 */
export async function installTools(): Promise<void> {
  const { ok, output } = await runPnpm(["--dir", ".ci", "install", "--frozen-lockfile"]);
  if (!ok) throw new Error(`Cannot install the tools of the gate: pnpm said:\n${output}`);
}
