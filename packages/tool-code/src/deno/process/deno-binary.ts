import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { ToolError } from "@dispatch/tools-interface";
import { installedFile } from "../../installed-file.ts";

/**
 * There is no Deno to run programs with. Code `deno_not_found`.
 *
 * @example
 * ```ts
 * try {
 *   new DenoRuntime();
 * } catch (error) {
 *   if (error instanceof DenoNotFoundError) console.error("Use QuickJsRuntime on this platform");
 * }
 * ```
 */
export class DenoNotFoundError extends ToolError {
  override readonly name: string = "DenoNotFoundError";

  constructor(message: string) {
    super(message, { code: "deno_not_found" });
  }
}

/** The package that carries Deno for a platform; the names are those of Deno's own npm distribution. */
const PACKAGES: { readonly [platform: string]: string } = {
  "darwin-arm64": "@deno/darwin-arm64",
  "darwin-x64": "@deno/darwin-x64",
  "linux-arm64": "@deno/linux-arm64-glibc",
  "linux-x64": "@deno/linux-x64-glibc",
  "win32-arm64": "@deno/win32-arm64",
  "win32-x64": "@deno/win32-x64",
};

/** Where to look for Deno. */
export interface DenoBinaryOptions {
  /** A Deno executable to use instead of the installed package. */
  readonly denoPath?: string | undefined;
  /** Default: the platform of this process. */
  readonly platform?: string;
  /** Default: the architecture of this process. */
  readonly arch?: string;
  /** Whether the loader of glibc is there, which Deno needs on Linux. Default: whether it is. */
  readonly glibc?: boolean;
}

/**
 * Real path of the Deno executable. Nothing is run and nothing is downloaded.
 *
 * @throws {DenoNotFoundError} When there is none for this platform, or its package is not installed.
 */
export function findDeno({
  denoPath,
  platform = process.platform,
  arch = process.arch,
  glibc = hasGlibc(arch),
}: DenoBinaryOptions = {}): string {
  if (denoPath !== undefined) {
    if (!path.isAbsolute(denoPath) || !existsSync(denoPath)) {
      throw new DenoNotFoundError(
        "Looking for Deno: denoPath names no file, allowed is the absolute path of a Deno executable",
      );
    }
    return realpathSync(denoPath);
  }
  const name = PACKAGES[`${platform}-${arch}`];
  if (name === undefined) {
    throw new DenoNotFoundError(
      `Looking for Deno: there is no package of it for ${platform}-${arch}, set denoPath to a Deno executable`,
    );
  }
  if (platform === "linux" && !glibc) {
    throw new DenoNotFoundError(
      "Looking for Deno: it needs glibc, which this system does not have (Alpine has musl), use an image with glibc or set denoPath",
    );
  }
  const manifest = installedFile(`${name}/package.json`);
  const file = manifest && path.join(path.dirname(manifest), platform === "win32" ? "deno.exe" : "deno");
  if (file === undefined || !existsSync(file)) {
    throw new DenoNotFoundError(
      `Looking for Deno: the optional dependency ${name} is not installed beside this package or the program that was started, install it there or set denoPath`,
    );
  }
  return realpathSync(file);
}

/** The file the kernel starts a glibc program with. A musl system has another one. */
function hasGlibc(arch: string): boolean {
  return existsSync(arch === "arm64" ? "/lib/ld-linux-aarch64.so.1" : "/lib64/ld-linux-x86-64.so.2");
}
