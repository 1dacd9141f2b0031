import type { AnyToolRegistry } from "./tool-registry.ts";

/** The options that a registry's `dispatchAll` takes: required when one of its tools needs context. */
export type DispatchArguments<Registry extends AnyToolRegistry> = Registry["dispatchAll"] extends (
  calls: never,
  ...options: infer Options
) => unknown
  ? Options
  : never;
