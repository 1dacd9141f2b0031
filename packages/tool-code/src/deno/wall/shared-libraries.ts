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
 * The shared libraries that an executable is linked with, on Linux. Does not run the executable.
 *
 * @throws {Error} When `ldd` cannot tell.
 */
export function sharedLibraries(executable: string): SharedLibraries {
  const ldd = LDD.find((file) => existsSync(file));
  if (ldd === undefined) throw new Error("Listing the libraries of an executable: ldd was not found in /usr/bin");
  const { stdout, status, stderr } = spawnSync(ldd, [executable], {
    encoding: "utf8",
    timeout: LDD_TIMEOUT_MS,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
  });
  if (/not a dynamic executable|statically linked/.test(`${stdout}${stderr}`)) return { files: [], loader: undefined };
  if (status !== 0) throw new Error(`Listing the libraries of an executable: ldd failed with status ${String(status)}`);
  const files: string[] = [];
  let loader: string | undefined;
  for (const line of stdout.split("\n")) {
    if (line.endsWith("=> not found")) throw new Error("Listing the libraries of an executable: one is not installed");
    const [, soname, file] = /^\s*(?:(\S+) => )?(\/.+) \(0x[0-9a-f]+\)$/.exec(line) ?? [];
    if (file === undefined) continue;
    if (soname === undefined || soname.startsWith("/")) loader = file;
    files.push(file);
  }
  return { files, loader };
}
