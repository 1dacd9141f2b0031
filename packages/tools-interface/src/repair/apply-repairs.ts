import { formatPath } from "../error/issue.ts";
import type { Proposal } from "./propose-repair.ts";

/** A change of one place: a new value, a field moved from elsewhere, or nothing but its end. */
type Change = Pick<Proposal, "path" | "value" | "from">;

type Container = Record<string | number, unknown>;

/** A copy of the parameters with all proposals applied. The original is never changed. */
export function applyRepairs(params: unknown, proposals: readonly Change[]): unknown {
  const copies = new Map<string, Container>();
  let root = params;

  /** The copy of the object or array at a path, linked into the copies of its parents. */
  const copyAt = (path: Change["path"]): Container => {
    const id = formatPath(path);
    const existing = copies.get(id);
    if (existing !== undefined) return existing;
    const key = path.at(-1);
    const above = key === undefined ? undefined : copyAt(path.slice(0, -1));
    const original = above === undefined || key === undefined ? root : above[key];
    const copy = (Array.isArray(original) ? [...original] : { ...(original as object) }) as Container;
    if (above === undefined || key === undefined) root = copy;
    else above[key] = copy;
    copies.set(id, copy);
    return copy;
  };

  for (const { path, value, from } of proposals) {
    const key = path.at(-1);
    if (key === undefined) return value;
    const container = copyAt(path.slice(0, -1));
    if (from !== undefined) {
      container[key] = container[from];
      delete container[from];
    } else if (value === undefined) delete container[key];
    else container[key] = value;
  }
  return root;
}
