import type { CodeRuntime } from "@dispatch/tool-code";
import { DenoNotFoundError, DenoRuntime, NoKernelWallError } from "@dispatch/tool-code/deno";
import { QuickJsRuntime } from "@dispatch/tool-code/quickjs";

/** How to open a runtime. */
export interface OpenRuntimeOptions {
  /** Called when programs have less than a wall of the kernel around them. Default: the process emits a warning. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** A Deno executable. Default: the installed package. */
  readonly denoPath?: string;
  /** Sandboxes that are started before a program needs them. Default: 1. */
  readonly prewarm?: number | undefined;
}

/**
 * Opens the runtime of programs: Deno, with kernel containment required wherever the system allows it, or QuickJS where
 * there is no Deno.
 */
export function openRuntime({ onWarning, denoPath, prewarm }: OpenRuntimeOptions = {}): CodeRuntime {
  const deno = { ...(denoPath !== undefined && { denoPath }), ...(prewarm !== undefined && { prewarm }) };
  const warn = onWarning ?? ((text: string): void => process.emitWarning(text));
  try {
    return new DenoRuntime({ ...deno, containment: "required" });
  } catch (error) {
    if (error instanceof DenoNotFoundError) {
      warn("programs run in QuickJS: there is no Deno for this system. They have the tools, but no modules");
      return new QuickJsRuntime();
    }
    if (!(error instanceof NoKernelWallError)) throw error;
    warn("programs run in Deno alone: this system allows no wall of the kernel around them");
    return new DenoRuntime({ ...deno, containment: "process" });
  }
}
