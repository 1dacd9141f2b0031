import { DenoRuntime, type DenoRuntimeOptions } from "../deno/index.ts";
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
  return {
    name: "DenoRuntime",
    secrets,
    open: (caseOptions) => new DenoRuntime({ prewarm: 0, ...options, ...caseOptions }),
  };
}
