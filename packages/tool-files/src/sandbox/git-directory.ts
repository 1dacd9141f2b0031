/** Characters some file systems ignore when they compare names (the list is Git's, `is_hfs_dotgit`). */
const IGNORED_IN_NAMES = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Nearly all names, in which only the case is folded. */
const PLAIN = /^[\w.-]*[\w-]$/;

/**
 * Folds a name as the most tolerant file system compares it: folds case, removes invisible characters, streams and
 * trailing dots and spaces, and expands Git's short name. Names that fold to the same may still be two files.
 */
export function foldedName(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase();
  return foldedCase(name.replace(IGNORED_IN_NAMES, ""))
    .replace(/:.*$/s, "")
    .replace(/[ .]+$/, "")
    .replace(/^git~1$/, ".git");
}

/** A text without the differences of case and composition that file systems ignore. */
export function foldedCase(text: string): string {
  // By way of upper case: characters without a lower case of their own may share an upper one, such as the long s and the s.
  return text.normalize("NFC").toUpperCase().toLowerCase();
}

/**
 * Whether a name is `.git`, or a file system that folds case, ignores invisible characters or has short names and
 * streams takes it for `.git`.
 *
 * `.git` is protected: Git runs commands that its files name, so an agent that writes there runs commands on the host.
 * Writes are refused by {@link refuseGit} and by `DEFAULT_PROTECTED_PATHS`; listing and searching leave it out.
 */
export function isGitDirectory(name: string): boolean {
  // Nearly every name ends here: it begins with none of a dot, a G and a character that may be ignored.
  const first = name.charCodeAt(0);
  if (first !== 0x2e && first !== 0x67 && first !== 0x47 && first < 0x200c) return false;
  return foldedName(name) === ".git";
}
