/** A path that cannot be decided for sure. The rule that asked then decides strictly. */
export class UncertainError extends Error {
  override readonly name = "UncertainError";
}

/** Characters that some systems read otherwise: controls, and a colon that names a drive or a stream. */
const ODD = /[\u0000-\u001F\u007F-\u009F:]/;
const ASCII = /^[\u0020-\u007E]*$/;
/** Characters that HFS+ leaves out when it compares names, such as a zero-width space. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Whether a path is a directory or below it, by its text alone: links are not followed. `.` and `..` are resolved, `\` counts
 * as `/`. Relative paths begin at `root`.
 *
 * @throws {UncertainError} When it depends on the system: other case or Unicode form, odd characters, a path that begins at the
 *   root of the file system where `root` is unknown, and a text that is no path.
 */
export function isWithin(path: unknown, directory: string, root: string | undefined): boolean {
  const [inner, outer] = [anchored(path, root), anchored(directory, root)];
  const isExact = beginsWith(
    resolved(inner, (part) => part),
    resolved(outer, (part) => part),
  );
  const isAlike = beginsWith(resolved(folded(inner), trimmed), resolved(folded(outer), trimmed));
  if (isExact !== isAlike)
    throw new UncertainError("the path differs from the directory in case or Unicode form alone");
  return isExact;
}

function beginsWith(inner: readonly string[], outer: readonly string[]): boolean {
  return outer.every((part, index) => part === inner[index]);
}

/** A path with `/` alone, from its working directory on. */
interface Anchored {
  readonly text: string;
  /** The directory above the first part is unknown. */
  readonly isOpen: boolean;
}

function anchored(path: unknown, root: string | undefined): Anchored {
  if (typeof path !== "string" || path === "" || ODD.test(path)) throw new UncertainError("found no plain path");
  const text = path.replaceAll("\\", "/");
  if (text.startsWith("~")) throw new UncertainError("a path that begins with ~ is read by the system");
  if (!text.startsWith("/")) {
    return root === undefined
      ? { text, isOpen: true }
      : { text: `${root.replaceAll("\\", "/")}/${text}`, isOpen: false };
  }
  if (root === undefined) throw new UncertainError("the path begins at the root, and the working directory is unknown");
  return { text, isOpen: false };
}

/** The parts that lead to a file. `read` makes a part what a system takes it for. */
function resolved({ text, isOpen }: Anchored, read: (part: string) => string): readonly string[] {
  const found: string[] = [];
  for (const written of text.split("/")) {
    const part = read(written);
    if (part === "" || part === ".") continue;
    if (part !== "..") found.push(part);
    else if (found.pop() === undefined && isOpen) throw new UncertainError("the path leaves an unknown directory");
  }
  return found;
}

/**
 * The form in which systems that ignore case and Unicode form compare names: `ß` is `ss` there. Separators of other scripts
 * become `/`, as a tool that normalizes its arguments makes them.
 */
function folded({ text, isOpen }: Anchored): Anchored {
  if (ASCII.test(text)) return { text: text.toLowerCase(), isOpen };
  const one = text.normalize("NFKC").replaceAll(IGNORED, "").toUpperCase().toLowerCase().normalize("NFKC");
  return { text: one.replaceAll("\\", "/"), isOpen };
}

/** Trailing dots and spaces are dropped by Windows. */
function trimmed(part: string): string {
  const name = part.replace(/ +$/, "");
  return name === "." || name === ".." ? name : name.replace(/[. ]+$/, "");
}
