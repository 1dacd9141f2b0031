import type { CodeRuntime } from "../code-runtime.ts";
import type { PlantedSecrets } from "./planted-secrets.ts";

/** The resources that the runtime of a case may let programs access. */
export interface AttackRuntimeOptions {
  /** Real path of the only directory programs may access, and their working directory. Default none. */
  readonly cwd?: string;
  /** Whether they may only read there. Default false. */
  readonly readOnly?: boolean;
  /** Hosts they may reach, each with a port. Default none. */
  readonly allowedHosts?: readonly string[];
  /** Where the runtime puts its temporary files. */
  readonly tempDir: string;
}

/** A way to run programs, as the attacks see it. */
export interface AttackSubject {
  /** Name of the runtime. */
  readonly name: string;
  /** The values that the runtime must not reveal. A subject runs one case at a time. */
  readonly secrets: PlantedSecrets;
  /**
   * Globals that programs do not have there, such as `Deno`. A program that uses one and fails because it is missing has
   * got nowhere, and its case holds. Default none.
   */
  readonly lacks?: readonly string[];
  /** Makes a runtime, which the case closes. Throws `NotOfferedError` when the runtime does not support the options. */
  open(options: AttackRuntimeOptions): CodeRuntime | Promise<CodeRuntime>;
}

/**
 * The runtime under test does not support a requirement of the case, such as a network. The attack neither held nor
 * escaped.
 *
 * @example
 * ```ts
 * const subject: AttackSubject = {
 *   name: "mine",
 *   secrets,
 *   open: ({ allowedHosts }) => {
 *     if (allowedHosts !== undefined) throw new NotOfferedError("network");
 *     return new QuickJsRuntime();
 *   },
 * };
 * ```
 */
export class NotOfferedError extends Error {
  override readonly name = "NotOfferedError";

  /** True for a `NotOfferedError` of any installed copy of this package. */
  static isInstance(value: unknown): value is NotOfferedError {
    return value instanceof Error && value.name === "NotOfferedError";
  }
}
