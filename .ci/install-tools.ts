import { runPnpm } from "./run-pnpm.ts";

/**
 * Installs exactly the tools that `.ci/pnpm-lock.yaml` names; a tenth of a second when they are there.
 *
 * @throws An `Error` with what pnpm said, when they cannot be installed.
 */
export async function installTools(): Promise<void> {
  const { ok, output } = await runPnpm(["--dir", ".ci", "install", "--frozen-lockfile"]);
  if (!ok) throw new Error(`Cannot install the tools of the gate: pnpm said:\n${output}`);
}
