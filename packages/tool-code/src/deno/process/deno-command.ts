import path from "node:path";
import { importMapUrl } from "../harness/closed-modules.ts";
import { harnessUrl } from "../harness/harness-source.ts";
import type { NetworkAccess } from "../permissions/allowed-host.ts";

/** The resources a program may access. Fixed when its process starts. */
export interface Permissions {
  /** Real path of the only directory it may access; `undefined` for none. */
  readonly cwd: string | undefined;
  readonly readOnly: boolean;
  readonly network: NetworkAccess;
}

/** The arguments Deno is started with. Every permission is granted here or not at all: Deno never prompts. */
export function denoArguments({ cwd, readOnly, network }: Permissions, heapMb: number): readonly string[] {
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--no-remote",
    "--no-npm",
    "--cached-only",
    "--no-code-cache",
    "--deny-import",
    "--deny-run",
    "--deny-env",
    "--deny-ffi",
    "--deny-sys",
    ...(cwd === undefined
      ? ["--deny-read", "--deny-write"]
      : [`--allow-read=${cwd}`, readOnly ? "--deny-write" : `--allow-write=${cwd}`]),
    ...(network.allow.length === 0
      ? ["--deny-net"]
      : [`--allow-net=${network.allow.join(",")}`, `--deny-net=${network.deny.join(",")}`]),
    `--import-map=${importMapUrl()}`,
    `--v8-flags=--max-old-space-size=${heapMb}`,
    harnessUrl(),
  ];
}

/** Has Deno show that it runs. On macOS it starts its engine: a profile may allow it to start and not to run. */
export const DENO_TRIAL: readonly string[] =
  process.platform === "darwin"
    ? ["run", "--quiet", "--no-config", "--no-lock", "data:application/typescript,const a: number = 1;"]
    : ["--version"];

/** The whole environment of a process. Nothing of the host's environment is passed on. */
export function denoEnvironment(denoDir: string, platform: string = process.platform): NodeJS.ProcessEnv {
  return {
    DENO_DIR: denoDir,
    DENO_NO_PACKAGE_JSON: "1",
    DENO_NO_UPDATE_CHECK: "1",
    HOME: path.join(denoDir, "home"),
    NO_COLOR: "1",
    // Suppresses IPv6 addresses of names, with glibc 2.36 or later. Deno does not match `::ffff:127.0.0.1` against the
    // IPv4 ranges it must deny (as of 2.9.5), so the DNS server of an allowed name could send a program to this
    // machine.
    RES_OPTIONS: "no-aaaa",
    // Windows opens no socket without it.
    ...(platform === "win32" && { SystemRoot: process.env["SystemRoot"] }),
  };
}
