import type { CompiledSchema } from "../schema/compiled-schema.ts";

/** Names the resources that a call touches. */
export type ResourceOf = (params: unknown) => string | readonly string[];

/**
 * The keys of the resources that a call touches. `undefined` stands for any resource: the tool does not name them, or the
 * parameters need repair, so that they are unknown until then.
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
