import { statSync } from "node:fs";

/** A user and group of the host. */
export interface ProgramIdentity {
  readonly uid: number;
  readonly gid: number;
}

/** `nobody`. */
const NOBODY: ProgramIdentity = { uid: 65_534, gid: 65_534 };

/**
 * The user that programs run as when the host runs as root: the owner of `cwd`, or `nobody` without a `cwd`. `undefined`
 * when the host is not root, and when root owns `cwd`: programs then keep the host's user and lose its capabilities.
 */
export function programIdentity(cwd: string | undefined, hostUid = process.geteuid?.()): ProgramIdentity | undefined {
  if (hostUid !== 0) return undefined;
  if (cwd === undefined) return NOBODY;
  const { uid, gid } = statSync(cwd);
  return uid === 0 ? undefined : { uid, gid };
}
