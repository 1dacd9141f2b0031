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

/** What a run takes place with. */
export interface RunEnvironment {
  readonly model: Model;
  readonly workspace: Workspace;
  readonly session: Session;
  /** Directory for what changed files were before, where the session is saved. */
  readonly undo: string | undefined;
  close(): Promise<void>;
}

type Wishes = Pick<Options, "model" | "workspace" | "memory" | "sessions" | "resume" | "keep">;

/** Finds or makes everything a run takes place with. Real models get a saved session, others where a directory is named. */
export async function openRunEnvironment(wishes: Wishes, environment: NodeJS.ProcessEnv): Promise<RunEnvironment> {
  const userDirectory = defaultSessionDirectory(environment);
  return wishes.resume === undefined
    ? begin(wishes, userDirectory, environment)
    : goOn(wishes.resume, wishes, userDirectory, environment);
}

async function begin(wishes: Wishes, userDirectory: string, environment: NodeJS.ProcessEnv): Promise<RunEnvironment> {
  const model = await chooseModel(wishes.model, environment);
  const workspace =
    wishes.workspace === undefined ? await makeScratch(wishes.keep) : await useDirectory(wishes.workspace);
  const wanted = wishes.sessions ?? (model.real ? userDirectory : undefined);
  try {
    keepOutside(workspace, wanted, wishes.memory);
    if (wanted === undefined) return environmentOf({ model, workspace, session: createSession(), undo: undefined });
    const directory = openSessionDirectory(wanted);
    const session = createSavedSession(directory, { model: model.name, workspace: workspace.path });
    return environmentOf({ model, workspace, session, undo: undoOf(directory) });
  } catch (error) {
    await workspace.close();
    throw error;
  }
}

async function goOn(
  id: string,
  wishes: Wishes,
  userDirectory: string,
  environment: NodeJS.ProcessEnv,
): Promise<RunEnvironment> {
  const directory = openSessionDirectory(wishes.sessions ?? userDirectory);
  const { session, start } = await resumeSession(directory, findSession(directory, id));
  try {
    const model = await chooseModel(wishes.model ?? start.model, environment);
    const workspace = await useDirectory(wishes.workspace ?? start.workspace);
    keepOutside(workspace, directory, wishes.memory);
    return environmentOf({ model, workspace, session, undo: undoOf(directory) });
  } catch (error) {
    session.close();
    throw error;
  }
}

/** Nothing the agent remembers may lie where its file tools reach. */
function keepOutside({ path: workspace }: Workspace, sessions: string | undefined, memory: string | undefined): void {
  if (sessions !== undefined) refuseInside(workspace, sessions, "sessions");
  if (memory !== undefined) refuseInside(workspace, memory, "the memory");
}

function undoOf(directory: string): string {
  return path.join(directory, "undo");
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
