/** The folder that every path is in. */
export const ROOT = "/memories";

/**
 * The label a path names, empty for the root; `undefined` for any other path. Paths are not resolved: `..`, empty parts,
 * backslashes and escapes name nothing, and a label can hold none of them.
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
