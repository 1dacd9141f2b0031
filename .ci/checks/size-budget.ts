import { statSync } from "node:fs";
import type { Outcome } from "../machine/run-command.ts";

/** The most KiB that a package's tarball may have, compressed. Raise one with the reason in the commit. */
const MAX_TARBALL_KIB: Readonly<Record<string, number>> = {
  "packages/agent": 15,
  "packages/check": 85,
  "packages/create-tool": 15,
  "packages/durable": 55,
  "packages/mcp-server": 1_040,
  "packages/mcp": 80,
  "packages/otel": 15,
  "packages/policy": 45,
  "packages/providers": 85,
  "packages/sandbox": 30,
  "packages/tool-code": 220,
  "packages/tool-files": 720,
  "packages/tool-memory": 260,
  "packages/tools-interface": 230,
};

/**
 * Holds a tarball to its budget.
 *
 * @param directory - Of the package, relative to the root.
 * @param tarball - Absolute path.
 */
export function checkSize(directory: string, tarball: string): Outcome {
  const kib = Math.ceil(statSync(tarball).size / 1024);
  const most = MAX_TARBALL_KIB[directory] ?? 0;
  const output = `Cannot publish ${directory}: its tarball has ${kib} KiB, at most ${most} are allowed by .ci/checks/size-budget.ts`;
  return { ok: kib <= most, output };
}
