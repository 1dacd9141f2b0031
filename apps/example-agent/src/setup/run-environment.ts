import path from "node:path";
import type { Model } from "../agent/model.ts";
import { createSession, type Session } from "../agent/session.ts";
import { chooseModel } from "../models/choose-model.ts";
import { createSavedSession, resumeSession } from "../session/saved-session.ts";
import {
  defaultSessionDirectory,
  findSession,
  openSessionDirectory,
  refuseInside,
} from "../session/session-directory.ts";
import type { Options } from "./options.ts";
import { makeScratch, useDirectory, type Workspace } from "./workspace.ts";

/** The model, the workspace and the session of a run. */
export interface RunEnvironment {
  readonly model: Model;
  readonly workspace: Workspace;
  readonly session: Session;
  /** Directory for earlier versions of changed files; `undefined` where the session is not saved. */
  readonly undo: string | undefined;
  /** Directory for the memory; `undefined` where it is thrown away at the end. */
  readonly memory: string | undefined;
  close(): Promise<void>;
}

type EnvironmentOptions = Pick<
  Options,
  "model" | "workspace" | "memory" | "durable" | "sessions" | "resume" | "maxSilence" | "keep"
>;

/**
 * Chooses the model, and opens the workspace and the session. Sessions of real models are always saved, those of the
 * scripted model only in a directory that the options name.
 */
export async function openRunEnvironment(options: EnvironmentOptions, env: NodeJS.ProcessEnv): Promise<RunEnvironment> {
  const userDirectory = defaultSessionDirectory(env);
  return options.resume === undefined
    ? begin(options, userDirectory, env)
    : resume(options.resume, options, userDirectory, env);
}

async function begin(
  options: EnvironmentOptions,
  userDirectory: string,
  env: NodeJS.ProcessEnv,
): Promise<RunEnvironment> {
  const model = await chooseModel(options.model, env, options.maxSilence);
  const workspace =
    options.workspace === undefined ? await makeScratch(options.keep) : await useDirectory(options.workspace);
  const sessions = options.sessions ?? (model.real ? userDirectory : undefined);
  try {
    keepOutside(workspace, { ...options, sessions });
    if (sessions === undefined)
      return environmentOf({ model, workspace, session: createSession(), undo: undefined, memory: memoryOf(options) });
    const directory = openSessionDirectory(sessions);
    const session = createSavedSession(directory, { model: model.name, workspace: workspace.path });
    return environmentOf({ model, workspace, session, undo: undoOf(directory), memory: memoryOf(options, directory) });
  } catch (error) {
    await workspace.close();
    throw error;
  }
}

async function resume(
  id: string,
  options: EnvironmentOptions,
  userDirectory: string,
  env: NodeJS.ProcessEnv,
): Promise<RunEnvironment> {
  const directory = openSessionDirectory(options.sessions ?? userDirectory);
  const { session, start } = await resumeSession(directory, findSession(directory, id), options.durable !== undefined);
  try {
    const model = await chooseModel(options.model ?? start.model, env, options.maxSilence);
    const workspace = await useDirectory(options.workspace ?? start.workspace);
    keepOutside(workspace, { ...options, sessions: directory });
    return environmentOf({ model, workspace, session, undo: undoOf(directory), memory: memoryOf(options, directory) });
  } catch (error) {
    session.close();
    throw error;
  }
}

/** The agent's own records must not lie where its file tools reach. */
function keepOutside(
  { path: workspace }: Workspace,
  { sessions, memory, durable }: Pick<Options, "sessions" | "memory" | "durable">,
): void {
  if (sessions !== undefined) refuseInside(workspace, sessions, "sessions");
  if (memory !== undefined && memory !== "none") refuseInside(workspace, memory, "the memory");
  if (durable !== undefined) refuseInside(workspace, durable, "durable calls");
}

function undoOf(directory: string): string {
  return path.join(directory, "undo");
}

/** Where the memory is kept: as the options say, else beside the saved sessions. */
function memoryOf({ memory }: EnvironmentOptions, sessions?: string): string | undefined {
  if (memory === "none") return undefined;
  return memory ?? (sessions === undefined ? undefined : path.join(sessions, "memory"));
}

function environmentOf(parts: Omit<RunEnvironment, "close">): RunEnvironment {
  return {
    ...parts,
    async close() {
      parts.session.close();
      await parts.workspace.close();
    },
  };
}
