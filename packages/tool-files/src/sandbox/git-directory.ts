/** Characters some file systems ignore when they compare names (the list is Git's, `is_hfs_dotgit`). */
const IGNORED_IN_NAMES = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * A name as the most forgiving file system compares it: case folded, invisible characters, streams and trailing dots
 * and spaces left out, and Git's short name written out. Names that fold to the same may still be two files.
 */
export function foldedName(name: string): string {
  // By way of upper case, since what has no lower case of its own may share an upper one: the long s and the s.
  return name
    .replace(IGNORED_IN_NAMES, "")
    .normalize("NFC")
    .toUpperCase()
    .toLowerCase()
    .replace(/:.*$/s, "")
    .replace(/[ .]+$/, "")
    .replace(/^git~1$/, ".git");
}

/**
 * Whether a name is `.git`, or is taken for it by a file system that folds case, ignores invisible characters or has
 * short names and streams. Git runs commands out of that directory, so whoever writes there runs commands on the host.
 */
export function isGitDirectory(name: string): boolean {
  // Nearly every name ends here: not with a dot, a G or a character that may be ignored does it begin.
  const first = name.charCodeAt(0);
  if (first !== 0x2e && first !== 0x67 && first !== 0x47 && first < 0x200c) return false;
  return foldedName(name) === ".git";
}
