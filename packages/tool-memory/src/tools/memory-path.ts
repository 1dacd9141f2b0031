/** The directory that contains every path. */
export const ROOT = "/memories";

/**
 * The label of a path below {@link ROOT}, empty for the root; `undefined` for any other path. Paths are not resolved: paths
 * with `..`, empty parts, backslashes or escapes are rejected, and no label can contain them.
 */
export function toPathLabel(path: string): string | undefined {
  if (path === ROOT || path === `${ROOT}/`) return "";
  if (!path.startsWith(`${ROOT}/`)) return undefined;
  const label = path.slice(ROOT.length + 1).replace(/\/$/, "");
  return /(?:^|\/)(?:\.{0,2})(?:\/|$)|[\\%\0]/.test(label) ? undefined : label;
}

/** The path of a label. */
export function toPath(label: string): string {
  return label === "" ? ROOT : `${ROOT}/${label}`;
}
