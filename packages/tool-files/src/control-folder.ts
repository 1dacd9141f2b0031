/** Characters some file systems ignore when they compare names (the list is Git's, `is_hfs_dotgit`). */
const IGNORED_IN_NAMES = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Whether a name is `.git`, or is taken for it by a file system that folds case, ignores invisible characters or has
 * short names and streams. Git runs commands out of that folder, so whoever writes there runs commands on the host.
 */
export function isGitFolder(name: string): boolean {
  // Nearly every name ends here: not with a dot, a G or a character that may be ignored does it begin.
  const first = name.charCodeAt(0);
  if (first !== 0x2e && first !== 0x67 && first !== 0x47 && first < 0x200c) return false;
  const folded = name
    .replace(IGNORED_IN_NAMES, "")
    .toLowerCase()
    .replace(/:.*$/s, "")
    .replace(/[ .]+$/, "");
  return folded === ".git" || folded === "git~1";
}
