import { childOf } from "../sandbox/tree-path.ts";

/** A place in the order of paths. */
export interface PathPlace {
  readonly path: string;
  /** Whether a file of this path comes after the place too. */
  readonly inclusive: boolean;
}

/** Where the order of paths has an entry: a directory stands where its files do. */
export function orderKey(directory: string, name: string, isDirectory: boolean): string {
  return childOf(directory, name) + (isDirectory ? "/" : "");
}

/** Whether the file of a key comes after a place; of a directory, whether it may hold files that do. */
export function comesAfter(key: string, place: PathPlace | undefined): boolean {
  if (place === undefined || key > place.path) return true;
  return key.endsWith("/") ? place.path.startsWith(key) : place.inclusive && key === place.path;
}
