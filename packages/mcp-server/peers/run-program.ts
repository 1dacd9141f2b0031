import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";

const require = createRequire(import.meta.url);

/**
 * Runs the program of a package with a home of its own, and nothing of this process's environment.
 *
 * @param binary - Where its binary is in the package for this platform, `NAME-OS-CPU`. `undefined`: the package's own
 * program, in JavaScript.
 * @throws {Error} With its output, when it fails.
 */
export function runProgram(
  name: string,
  binary: string | undefined,
  args: readonly string[],
  home: string,
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const own = path.join(import.meta.dirname, "node_modules", name, "package.json");
  const [file, options] =
    binary === undefined ? [process.execPath, [programOf(own), ...args]] : [binaryOf(own, name, binary), args];
  const env = { PATH: process.env["PATH"], HOME: home, TMPDIR: home, CI: "1", NO_COLOR: "1", ...environment };
  return new Promise((resolve, reject) => {
    const child = execFile(file, options, { cwd, env, timeout: 240_000 }, (error, stdout, stderr) => {
      // Some print what was asked for on stderr.
      if (error === null) resolve(stdout + stderr);
      else reject(new Error(`Cannot run ${name}: ${error.message}\n${stdout}\n${stderr}`));
    });
    child.stdin?.end();
  });
}

function programOf(manifest: string): string {
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: string | Record<string, string> };
  return path.join(path.dirname(manifest), typeof bin === "string" ? bin : (Object.values(bin)[0] ?? ""));
}

/** The binary is in an optional dependency, and the package's install script, which would link it, is not run. */
function binaryOf(manifest: string, name: string, binary: string): string {
  const platform = `${name.replace(/-ai$/, "")}-${process.platform}-${process.arch}`;
  const place = createRequire(require.resolve(manifest)).resolve(`${platform}/package.json`);
  return path.join(path.dirname(place), binary);
}
