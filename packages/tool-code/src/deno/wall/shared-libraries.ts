import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** The files a program needs to be loaded. */
export interface SharedLibraries {
  /** Absolute paths of the libraries, the loader included, as the loader looks for them. */
  readonly files: readonly string[];
  /** Absolute path of the loader. `undefined` for a program that is linked statically. */
  readonly loader: string | undefined;
}

const LDD = ["/usr/bin/ldd", "/bin/ldd"];
const LDD_TIMEOUT_MS = 5_000;

/**
 * The shared libraries that each of these executables is linked with, on Linux. Does not run them. One call of `ldd`, a
 * shell script, for all: it takes 5 ms beside 3 for each file.
 *
 * @throws {Error} When `ldd` cannot tell.
 */
export function sharedLibraries(executables: readonly string[]): readonly SharedLibraries[] {
  const ldd = LDD.find((file) => existsSync(file));
  if (ldd === undefined) throw new Error("Listing the libraries of an executable: ldd was not found in /usr/bin");
  const { stdout, stderr, status } = spawnSync(ldd, executables, {
    encoding: "utf8",
    timeout: LDD_TIMEOUT_MS,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
  });
  // It did not end in time, or could not be started.
  if (status === null) throw new Error("Listing the libraries of an executable: ldd did not end");
  // With a single file it does not name it.
  const named = executables.length === 1 ? `${executables[0]}:\n${stdout}` : stdout;
  return executables.map((executable) => librariesIn(`\n${named}`.split(`\n${executable}:\n`)[1], stderr));
}

/** Reads the part about one executable, whose list is empty, perhaps with a message, when it is linked statically. */
function librariesIn(listed: string | undefined, messages: string): SharedLibraries {
  const files: string[] = [];
  let loader: string | undefined;
  for (const line of listed?.split("\n") ?? []) {
    // The next executable.
    if (!/^\s/.test(line)) break;
    if (line.endsWith("=> not found")) throw new Error("Listing the libraries of an executable: one is not installed");
    const [, soname, file] = /^\s*(?:(\S+) => )?(\/.+) \(0x[0-9a-f]+\)$/.exec(line) ?? [];
    if (file === undefined) continue;
    if (soname === undefined || soname.startsWith("/")) loader = file;
    files.push(file);
  }
  if (files.length === 0 && !/not a dynamic executable|statically linked/.test(`${listed}${messages}`))
    throw new Error("Listing the libraries of an executable: ldd lists none");
  return { files, loader };
}
