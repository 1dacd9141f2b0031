import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { findTool } from "./find-tool.ts";

const LDD_TIMEOUT_MS = 5_000;
/** Where the loader looks up libraries by name. */
const CACHE = "/etc/ld.so.cache";

/**
 * Absolute paths of the files that an executable needs to be loaded, on Linux, as the loader looks for them: the loader, the shared
 * libraries and their cache. None for one that is linked statically. Does not run it.
 *
 * @throws {Error} When `ldd` cannot tell.
 */
export function sharedLibraries(executable: string): readonly string[] {
  const { stdout, stderr, status } = spawnSync(findTool("ldd"), [executable], {
    encoding: "utf8",
    timeout: LDD_TIMEOUT_MS,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
  });
  // It did not end in time, or could not be started.
  if (status === null) throw new Error("Listing the libraries of an executable: ldd did not end");
  if (stdout.includes("=> not found")) throw new Error("Listing the libraries of an executable: one is not installed");
  const files = [...stdout.matchAll(/^\s*(?:\S+ => )?(\/.+) \(0x[0-9a-f]+\)$/gm)].map(([, file = ""]) => file);
  if (files.length === 0 && !/not a dynamic executable|statically linked/.test(stdout + stderr))
    throw new Error("Listing the libraries of an executable: ldd lists none");
  return files.length > 0 && existsSync(CACHE) ? [...files, CACHE] : files;
}
