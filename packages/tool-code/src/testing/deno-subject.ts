import { checkOptions } from "@dispatch/tools-interface/internal";
import { DENO_OPTIONS, DenoRuntime, type DenoRuntimeOptions } from "../deno/deno-runtime.ts";
import type { AttackSubject } from "./attack-subject.ts";
import type { PlantedSecrets } from "./planted-secrets.ts";

/**
 * Programs in Deno, with `options` beside those of each case; by default no process is kept ready.
 *
 * @example
 * ```ts
 * const secrets = await plantSecrets();
 * const subject = denoSubject(secrets);
 * for (const { run } of attackCases) await run(subject);
 * await secrets.close();
 * ```
 */
export function denoSubject(
  secrets: PlantedSecrets,
  options: Omit<DenoRuntimeOptions, "cwd" | "readOnly" | "allowedHosts" | "tempDir"> = {},
): AttackSubject {
  const { cwd: _cwd, readOnly: _readOnly, allowedHosts: _hosts, tempDir: _temp, ...names } = DENO_OPTIONS;
  checkOptions("create a subject", options, names);
  return {
    name: "DenoRuntime",
    secrets,
    open: (caseOptions) => new DenoRuntime({ prewarm: 0, ...options, ...caseOptions }),
  };
}
