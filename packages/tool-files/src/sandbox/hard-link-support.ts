import { systemCode } from "../error/system-error.ts";

/** What `link` answers on file systems that have no hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Whether an error of `link` says that there are no hard links here. */
export function lacksHardLinks(error: unknown): boolean {
  return NO_LINKS.has(systemCode(error) ?? "");
}
