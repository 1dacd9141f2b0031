import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { chooseSearchEngine, type SearchEngine, type SearchEnvironment } from "../host-tools/search-engine.ts";
import { findSkills, type Skill } from "../host-tools/skills.ts";
import { isInside } from "../session/session-directory.ts";
import type { Options } from "./options.ts";

/** The user's configuration of the agent's tools. */
export interface Configuration {
  readonly skills: readonly Skill[];
  /** `undefined`: the web is not searched. */
  readonly webSearch: SearchEngine | undefined;
  /** Notes for a person, one line each. */
  readonly notes: readonly string[];
}

type ConfigurationEnvironment = SearchEnvironment & { readonly XDG_CONFIG_HOME?: string | undefined };

/**
 * Reads the user's configuration. Skills are in the directories that are named, and in the user's own. Those of a
 * project, whose files are anybody's, count only if the user names them.
 *
 * @param workspace Absolute path, links resolved. The user's directory is left out when the agent itself could write
 * there.
 * @throws {Error} When a named resource cannot be used.
 */
export async function readConfiguration(
  { skills: named, webSearch }: Pick<Options, "skills" | "webSearch">,
  environment: ConfigurationEnvironment,
  workspace: string,
): Promise<Configuration> {
  const engine = chooseSearchEngine(webSearch, environment);
  for (const directory of named) {
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new Error(`Cannot use skills of ${directory}: there is no such directory`);
  }
  const own = path.join(environment.XDG_CONFIG_HOME || path.join(homedir(), ".config"), "dispatch-agent", "skills");
  const usesOwn = existsSync(own) && !isInside(workspace, own);
  const directories = [...named.map((directory) => path.resolve(directory)), ...(usesOwn ? [own] : [])];
  const { skills, leftOut } = await findSkills([...new Set(directories)]);
  const reached = named.filter((directory) => isInside(workspace, directory));
  const notes = reached.map(
    (directory) => `skills of ${directory} are where the agent works: it can change their files`,
  );
  return { skills, webSearch: engine, notes: [...notes, ...leftOut] };
}
