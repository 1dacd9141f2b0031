import { ToolError } from "@dispatch/tools-interface";

/**
 * Containment of programs in addition to Deno. `auto`: the strongest that the system allows. `required`: containment by
 * the kernel, without which no runtime is made. `process`: none.
 */
export type Containment = "auto" | "required" | "process";

/** The containment in use. */
export interface ContainmentReport {
  /** `kernel`: Deno and a wall of the kernel. `custom`: Deno and the host's own `wrap`. `process`: Deno alone. */
  readonly strength: "kernel" | "custom" | "process";
  /** Parts of the containment, such as `bubblewrap and a seccomp filter`. `undefined` if there is none. */
  readonly wall: string | undefined;
  /** Why a stronger wall could not be had, one sentence each. For the host: may hold paths. */
  readonly missing: readonly string[];
}

/**
 * `containment` is `required` and no wall of the kernel can be had. Code `no_kernel_wall`.
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

  constructor(missing: readonly string[]) {
    super(
      `Making a runtime with containment "required": found no wall of the kernel (${missing.join("; ")}), needed is unshare with user namespaces or bwrap on Linux, or sandbox-exec on macOS`,
      { code: "no_kernel_wall" },
    );
  }
}
