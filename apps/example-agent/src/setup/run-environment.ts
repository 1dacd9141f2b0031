import path from "node:path";
import type { Model } from "../agent/model.ts";
import { createSession, type Session } from "../agent/session.ts";
import { chooseModel } from "../models/choose-model.ts";
import { createSavedSession, resumeSession } from "../session/saved-session.ts";
import { defaultSessionFolder, findSession, openSessionFolder, refuseInside } from "../session/session-directory.ts";
import type { Options } from "./options.ts";
import { makeScratch, useFolder, type Workspace } from "./workspace.ts";

/** What a run takes place with. */
export interface Setting {
  readonly model: Model;
  readonly workspace: Workspace;
  readonly session: Session;
  /** Folder for what changed files were before, where the session is saved. */
  readonly undo: string | undefined;
  close(): Promise<void>;
}

type Wishes = Pick<Options, "model" | "workspace" | "memory" | "sessions" | "resume" | "keep">;

/** Finds or makes everything a run takes place with. Real models get a saved session, others where a folder is named. */
export async function openSetting(wishes: Wishes, environment: NodeJS.ProcessEnv): Promise<Setting> {
  const userFolder = defaultSessionFolder(environment);
  return wishes.resume === undefined
    ? begin(wishes, userFolder, environment)
    : goOn(wishes.resume, wishes, userFolder, environment);
}

async function begin(wishes: Wishes, userFolder: string, environment: NodeJS.ProcessEnv): Promise<Setting> {
  const model = await chooseModel(wishes.model, environment);
  const workspace = wishes.workspace === undefined ? await makeScratch(wishes.keep) : await useFolder(wishes.workspace);
  const wanted = wishes.sessions ?? (model.real ? userFolder : undefined);
  try {
    keepOutside(workspace, wanted, wishes.memory);
    if (wanted === undefined) return settingOf({ model, workspace, session: createSession(), undo: undefined });
    const folder = openSessionFolder(wanted);
    const session = createSavedSession(folder, { model: model.name, workspace: workspace.path });
    return settingOf({ model, workspace, session, undo: undoOf(folder) });
  } catch (error) {
    await workspace.close();
    throw error;
  }
}

async function goOn(id: string, wishes: Wishes, userFolder: string, environment: NodeJS.ProcessEnv): Promise<Setting> {
  const folder = openSessionFolder(wishes.sessions ?? userFolder);
  const { session, start } = await resumeSession(folder, findSession(folder, id));
  try {
    const model = await chooseModel(wishes.model ?? start.model, environment);
    const workspace = await useFolder(wishes.workspace ?? start.workspace);
    keepOutside(workspace, folder, wishes.memory);
    return settingOf({ model, workspace, session, undo: undoOf(folder) });
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

function undoOf(folder: string): string {
  return path.join(folder, "undo");
}

function settingOf(parts: Omit<Setting, "close">): Setting {
  return {
    ...parts,
    async close() {
      parts.session.close();
      await parts.workspace.close();
    },
  };
}
