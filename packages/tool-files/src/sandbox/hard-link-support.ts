import { systemCode } from "../error/system-error.ts";

/** Error codes of `link` on file systems without hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Whether an error of `link` means that the file system lacks hard links. */
export function lacksHardLinks(error: unknown): boolean {
  return NO_LINKS.has(systemCode(error) ?? "");
}
