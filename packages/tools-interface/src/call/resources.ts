import type { CompiledSchema } from "../schema/compiled-schema.ts";

/** Says what a call touches. */
export type ResourceOf = (params: unknown) => string | readonly string[];

/**
 * The keys of what a call touches. `undefined`, which stands for anything, when the tool does not say, and also when the
 * parameters do not fit as they are: what a repaired call touches is not known before it is repaired.
 */
export function resourcesOf(
  params: unknown,
  validate: CompiledSchema["validate"],
  resource: ResourceOf | undefined,
): readonly string[] | undefined {
  if (resource === undefined) return undefined;
  try {
    const check = validate(params);
    if ("then" in check) {
      check.then(undefined, () => {});
      return undefined;
    }
    if (check.issues !== undefined) return undefined;
    const keys = resource(check.value);
    const list = typeof keys === "string" ? [keys] : keys;
    return Array.isArray(list) && list.every((key) => typeof key === "string") ? list : undefined;
  } catch {
    return undefined;
  }
}
