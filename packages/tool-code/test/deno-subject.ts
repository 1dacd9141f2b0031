import type { AttackSubject, PlantedSecrets } from "@dispatch/check";
import { DenoRuntime, type DenoRuntimeOptions } from "../src/deno/index.ts";

/** Programs in Deno, with `options` beside those of each case; by default no process is kept ready. */
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
