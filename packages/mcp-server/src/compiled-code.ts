import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import path from "node:path";
import process from "node:process";

/**
 * Keeps the compiled code of this program's modules for the next start, in the user's cache directory. Compiled code is run unchecked, so a directory
 * that another user or the model may write is not used. Node leaves it out where it cannot be written, or with `NODE_DISABLE_COMPILE_CACHE=1`.
 *
 * @param workspace - Path of the directory whose files the model may write.
 */
export function keepCompiledCode(workspace: string): void {
  try {
    const directory = path.join(cacheHome(), "dispatch-mcp-server");
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(directory);
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    if (isOwn && !isWithin(realpathSync(workspace), realpathSync(directory))) enableCompileCache(directory);
  } catch {
    // The program only starts slower.
  }
}

function isWithin(parent: string, directory: string): boolean {
  const relative = path.relative(parent, directory);
  return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

function cacheHome(): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (xdg !== undefined && path.isAbsolute(xdg)) return xdg;
  if (process.platform === "win32" && local !== undefined) return local;
  return path.join(homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache");
}
