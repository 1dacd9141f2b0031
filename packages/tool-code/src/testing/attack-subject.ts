import type { CodeRuntime } from "../code-runtime.ts";
import type { PlantedSecrets } from "./planted-secrets.ts";

/** What a runtime of a case may let programs use. */
export interface AttackRuntimeOptions {
  /** Real path of the only directory programs may use, and where they run. None when absent. */
  readonly cwd?: string;
  /** Whether they may only read there. Default false. */
  readonly readOnly?: boolean;
  /** Hosts they may reach, each with a port. Default none. */
  readonly allowedHosts?: readonly string[];
  /** Where the runtime puts whatever it needs for the time of a run. */
  readonly tempDir: string;
}

/** A way to run programs, as the attacks see it. */
export interface AttackSubject {
  /** Name of the runtime. */
  readonly name: string;
  /** What it must not give away. One subject runs one case at a time. */
  readonly secrets: PlantedSecrets;
  /** Makes a runtime; the case closes it. Throws `NotOfferedError` when it cannot be made with such a options. */
  open(options: AttackRuntimeOptions): CodeRuntime | Promise<CodeRuntime>;
}

/** The runtime under test has nothing of the kind a case is topic, such as a network. Neither held nor escaped. */
export class NotOfferedError extends Error {
  override readonly name = "NotOfferedError";

  /** True for a `NotOfferedError` of any installed copy of this package. */
  static isInstance(value: unknown): value is NotOfferedError {
    return value instanceof Error && value.name === "NotOfferedError";
  }
}
