import type { CodeRuntime } from "@dispatch/tool-code";

/** Programs in a sandbox, which is looked for when the first one is run: that takes a second. */
export function lazyRuntime(onWarning: (text: string) => void): CodeRuntime {
  let opened: Promise<CodeRuntime> | undefined;
  let isClosed = false;
  return {
    async execute(execution) {
      opened ??= openRuntime(onWarning);
      const runtime = await opened;
      if (isClosed) await runtime.close();
      return runtime.execute(execution);
    },
    async close() {
      isClosed = true;
      await (await opened)?.close();
    },
  };
}

/** Deno in a wall of the kernel where the system allows one, Deno alone elsewhere, or QuickJS where there is no Deno. */
async function openRuntime(warn: (text: string) => void): Promise<CodeRuntime> {
  const { DenoNotFoundError, DenoRuntime, NoKernelWallError } = await import("@dispatch/tool-code/deno");
  try {
    return new DenoRuntime({ containment: "required" });
  } catch (error) {
    if (error instanceof DenoNotFoundError) {
      warn("programs need Deno or QuickJS, and neither is here: install quickjs-wasi, or Deno for this system");
      const { QuickJsRuntime } = await import("@dispatch/tool-code/quickjs");
      return new QuickJsRuntime();
    }
    if (!(error instanceof NoKernelWallError)) throw error;
    warn("programs run in Deno alone: this system allows no wall of the kernel around them");
    return new DenoRuntime({ containment: "process" });
  }
}
