import type { Proposal } from "./propose-repair.ts";

/** A change of one place: a new value, a field moved from elsewhere, or nothing but its end. */
type Change = Pick<Proposal, "path" | "value" | "from">;

type Container = Record<string | number, unknown>;

/** A copy of the parameters with all proposals applied. The original is never changed. */
export function applyRepairs(params: unknown, proposals: readonly Change[]): unknown {
  const root: Container = { params };
  const copies = new Set<unknown>();
  const copyOf = (value: unknown): Container => {
    if (copies.has(value)) return value as Container;
    const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Container;
    copies.add(copy);
    return copy;
  };
  for (const { path, value, from } of proposals) {
    let container = root;
    let key: string | number = "params";
    for (const next of path) {
      container = container[key] = copyOf(container[key]);
      key = next;
    }
    const changed = from === undefined ? value : container[from];
    if (from !== undefined) delete container[from];
    if (changed === undefined) delete container[key];
    else container[key] = changed;
  }
  return root["params"];
}
