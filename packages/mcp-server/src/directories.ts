import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/**
 * The directory to work in, absolute, links resolved.
 *
 * @throws {Error} When there is none, or it is the whole file system, or is or holds the home directory.
 */
export function workspaceAt(directory: string): string {
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) {
    const why = found === undefined ? "there is no such directory" : "it is not a directory";
    throw new Error(`Cannot work in ${directory}: ${why}. Name one with --workspace`);
  }
  const resolved = realpathSync(directory);
  const home = realHome();
  if (resolved === path.parse(resolved).root || home === resolved || home.startsWith(resolved + path.sep)) {
    const what = home === resolved ? "is the home directory" : "holds the home directory";
    const why = resolved === path.parse(resolved).root ? "is the whole file system" : what;
    throw new Error(`Cannot work in ${directory}: it ${why}. Name a directory in it with --workspace`);
  }
  return resolved;
}

/** @throws {Error} When the tools could reach the memory as a file. */
export function memoryAt(directory: string, workspace: string): string {
  const resolved = resolveExisting(path.resolve(directory));
  if (resolved === workspace || resolved.startsWith(workspace + path.sep)) {
    throw new Error(`Cannot keep the memory in ${directory}: the agent works there, choose a directory outside`);
  }
  return resolved;
}

/** With the links of the existing part resolved, those that lead to nothing yet included. */
function resolveExisting(place: string): string {
  if (statSync(place, { throwIfNoEntry: false }) !== undefined) return realpathSync(place);
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    return resolveExisting(path.resolve(realpathSync(path.dirname(place)), readlinkSync(place)));
  const parent = path.dirname(place);
  return parent === place ? place : path.join(resolveExisting(parent), path.basename(place));
}

function realHome(): string {
  try {
    return realpathSync(homedir());
  } catch {
    return homedir();
  }
}
