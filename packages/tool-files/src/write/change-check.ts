import type { CheckChange } from "../sandbox/sandbox.ts";
import { contentVersion, recallVersion } from "../version/content-version.ts";
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

/** Given as a check of a change, ends it just before it takes place. */
export function stopHere(): never {
  throw REHEARSED;
}

/** Does something with {@link stopHere} as its check: all that it looks at and asks for, and no change. */
export function rehearse(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (error !== REHEARSED) throw error;
  }
}

const REHEARSED = new Error("stopped before the change");
