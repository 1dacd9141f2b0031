import { ToolError } from "@dispatch/tools-interface";

/**
 * Containment of programs in addition to Deno. `auto`: the strongest that the system allows. `required`: all parts of the
 * kernel's containment, or on macOS its sandbox profile, without which no runtime is made. `process`: none.
 */
export type Containment = "auto" | "required" | "process";

/**
 * A part of the kernel's containment. `namespaces`: a program sees no file, process or network but its own; `filter`: it
 * cannot make dangerous system calls; `limits`: the kernel bounds its memory, files and processor time.
 */
export type ContainmentPart = "namespaces" | "filter" | "limits";

/** The containment in use. */
export interface ContainmentReport {
  /** `kernel`: Deno and a wall of the kernel. `custom`: Deno and the host's own `wrap`. `process`: Deno alone. */
  readonly strength: "kernel" | "custom" | "process";
  /** Parts of the containment, such as `bubblewrap and a seccomp filter`. `undefined` if there is none. */
  readonly wall: string | undefined;
  /** The parts of the kernel's containment that hold. Of the host's own `wrap` nothing is known. */
  readonly parts: readonly ContainmentPart[];
  /** Why a stronger wall could not be had, one sentence each. For the host: may hold paths. */
  readonly missing: readonly string[];
  /** How to get the parts that do not hold, one sentence each. */
  readonly advice: readonly string[];
}

/**
 * `containment` is `required` and a part of it cannot be had; the message says which, why, and what to do. Code
 * `no_kernel_wall`.
 *
 * @example
 * ```ts
 * try {
 *   new DenoRuntime({ containment: "required" });
 * } catch (error) {
 *   if (error instanceof NoKernelWallError) console.error(error.message);
 * }
 * ```
 */
export class NoKernelWallError extends ToolError {
  override readonly name: string = "NoKernelWallError";

  constructor({ parts, missing, advice }: Pick<ContainmentReport, "parts" | "missing" | "advice">) {
    const found = parts.length === 0 ? "no wall of the kernel" : `only ${parts.join(" and ")}`;
    super(
      `Making a runtime with containment "required": found ${found} (${missing.join("; ")}), needed are namespaces, filter and limits: ${advice.join("; ")}`,
      { code: "no_kernel_wall" },
    );
  }
}
