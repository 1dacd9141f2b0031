import type { CheckChange } from "../sandbox/sandbox-writes.ts";
import { contentVersion } from "../version/content-version.ts";
import { recallVersion } from "../version/version-cache.ts";
import { versionConflict } from "../version/version-conflict.ts";

/** The check of a change that is only for one version of a file. `undefined`: any version, and directories, too. */
export function versionCheck(attempt: string, key: string, ifVersion: string | undefined): CheckChange {
  if (ifVersion === undefined) return () => {};
  return (bytes, path, kind) => {
    if (kind === "file" && bytes !== undefined && contentVersion(bytes) === ifVersion) return;
    const now = kind === "file" ? bytes : undefined;
    throw versionConflict(attempt, { path, now, ifVersion, base: recallVersion(key, ifVersion) }, "");
  };
}
