import { statSync } from "node:fs";
import type { Outcome } from "../machine/run-command.ts";

/** The most KiB that a package's tarball may have, compressed. Raise one with the reason in the commit. */
const MAX_TARBALL_KIB: Readonly<Record<string, number>> = {
  "packages/agent": 30,
  "packages/check": 230,
  "packages/create-tool": 30,
  "packages/durable": 100,
  "packages/mcp-server": 1_040,
  "packages/mcp": 160,
  "packages/otel": 30,
  "packages/policy": 80,
  "packages/providers": 160,
  "packages/tool-code": 420,
  "packages/tool-files": 1_040,
  "packages/tool-memory": 500,
  "packages/tools-interface": 500,
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
