import { mkdirSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/** Default directory of sessions: `dispatch-agent` in the user's directory for state (XDG). */
export function defaultSessionDirectory(environment: { readonly XDG_STATE_HOME?: string | undefined }): string {
  const state = environment.XDG_STATE_HOME || path.join(homedir(), ".local", "state");
  return path.join(state, "dispatch-agent", "sessions");
}

/** Makes the directory, for its owner alone. Answers its path, links resolved. */
export function openSessionDirectory(directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return realpathSync(directory);
}

/**
 * The session that is meant.
 *
 * @param id A session's id, or `latest`.
 * @throws {Error} When there is none.
 */
export function findSession(directory: string, id: string): string {
  const ids = readdirSync(directory)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => path.basename(name, ".jsonl"))
    .toSorted();
  const found = id === "latest" ? ids.at(-1) : ids.find((known) => known === id);
  if (found !== undefined) return found;
  const latest = ids.slice(-5).join(", ");
  throw new Error(`Cannot resume ${id}: there is no such session${latest === "" ? "" : `, the latest are ${latest}`}`);
}

/**
 * Refuses a directory that the agent's own file tools could reach: the agent could rewrite its own past.
 *
 * @param workspace Absolute path, links resolved.
 * @param directory Need not be there.
 * @param what The directory's purpose, as in `sessions`.
 */
export function refuseInside(workspace: string, directory: string, what: string): void {
  if (isInside(workspace, directory))
    throw new Error(`Cannot keep ${what} in ${directory}: the agent works there, choose a directory outside`);
}

/**
 * Whether a directory is where the agent works, so that its file tools reach it.
 *
 * @param workspace Absolute path, links resolved.
 * @param directory Need not be there.
 */
export function isInside(workspace: string, directory: string): boolean {
  const way = path.relative(workspace, realPlace(path.resolve(directory)));
  return !(way === ".." || way.startsWith(`..${path.sep}`) || path.isAbsolute(way));
}

/** Where a path leads, links resolved as far as there is anything. */
function realPlace(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    const parent = path.dirname(place);
    return parent === place ? place : path.join(realPlace(parent), path.basename(place));
  }
}
