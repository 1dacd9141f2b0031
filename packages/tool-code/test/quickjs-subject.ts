import type { AttackSubject, PlantedSecrets } from "@dispatch/check";
import { QuickJsRuntime } from "../src/quickjs/index.ts";

/** Programs in QuickJS, which has no files and no network to configure. All cases share one runtime. */
export function quickJsSubject(secrets: PlantedSecrets): AttackSubject & { readonly close: () => Promise<void> } {
  const runtime = new QuickJsRuntime();
  return {
    name: "QuickJsRuntime",
    secrets,
    lacks: ["Deno", "process", "Atomics", "WebAssembly", "Worker", "Blob", "addEventListener"],
    open: () => ({ execute: (execution) => runtime.execute(execution), close: () => Promise.resolve() }),
    close: () => runtime.close(),
  };
}
