/** A path that cannot be judged for sure. The rule that asked then decides strictly. */
export class UncertainError extends Error {
  override readonly name = "UncertainError";
}

/** Characters that some systems read otherwise: controls, and a colon that names a drive or a stream. */
const ODD = /[\u0000-\u001F\u007F:]/;

/**
 * Whether a path is a directory or below it, by its text alone: links are not followed. `.` and `..` are resolved, `\` counts
 * as `/`. Relative paths begin at `root`.
 *
 * @throws {UncertainError} When it depends on the system: other case or Unicode form, odd characters, a path that begins at the
 *   root of the file system where `root` is unknown, and a text that is no path.
 */
export function isWithin(path: unknown, directory: string, root: string | undefined): boolean {
  const [inner, outer] = [partsOf(path, root), partsOf(directory, root)];
  const isExact = outer.every((part, index) => part === inner[index]);
  const isAlike = outer.every((part, index) => inner[index] !== undefined && folded(part) === folded(inner[index]));
  if (isExact !== isAlike)
    throw new UncertainError("the path differs from the directory in case or Unicode form alone");
  return isExact;
}

function partsOf(path: unknown, root: string | undefined): readonly string[] {
  if (typeof path !== "string" || path === "" || ODD.test(path)) throw new UncertainError("found no plain path");
  const text = path.replaceAll("\\", "/");
  if (text.startsWith("~")) throw new UncertainError("a path that begins with ~ is read by the system");
  if (!text.startsWith("/")) return resolved([...rootParts(root), ...text.split("/")], root === undefined);
  if (root === undefined) throw new UncertainError("the path begins at the root, and the working directory is unknown");
  return resolved(text.split("/"), false);
}

function rootParts(root: string | undefined): readonly string[] {
  return root === undefined ? [] : root.replaceAll("\\", "/").split("/");
}

/** @param isOpen - The directory above the first part is unknown. */
function resolved(parts: readonly string[], isOpen: boolean): readonly string[] {
  const found: string[] = [];
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    if (part !== "..") found.push(part);
    else if (found.pop() === undefined && isOpen) throw new UncertainError("the path leaves an unknown directory");
  }
  return found;
}

/** Trailing dots and spaces are dropped by Windows. */
function folded(part: string): string {
  return part
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[. ]+$/, "");
}
