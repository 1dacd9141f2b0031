import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { root } from "../machine/run-command.ts";

/**
 * The address of the repository, the one setting that the manifests, the docs site and the SBOM need: `repository` in the root's
 * `package.json`, or else the repository whose CI runs this. `undefined`: not set yet.
 */
export function repositoryUrl(): string | undefined {
  const { repository } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { repository?: string };
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  const found = repository ?? (server === undefined || name === undefined ? undefined : `${server}/${name}`);
  return found?.replace(/\.git$|\/$/, "");
}
