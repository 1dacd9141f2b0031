import path from "node:path";
import type { Model } from "./model.ts";
import { chooseModel } from "./models/choose-model.ts";
import type { Options } from "./options.ts";
import { createSavedSession, resumeSession } from "./session/saved-session.ts";
import { defaultSessionFolder, findSession, openSessionFolder, refuseInside } from "./session/session-folder.ts";
import { createSession, type Session } from "./session/session.ts";
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
  if (wishes.resume !== undefined) {
    const folder = openSessionFolder(wishes.sessions ?? userFolder);
    const { session, start } = await resumeSession(folder, findSession(folder, wishes.resume));
    const model = await chooseModel(wishes.model ?? start.model, environment);
    return checked({ model, workspace: await useFolder(wishes.workspace ?? start.workspace), session }, wishes, folder);
  }
  const model = await chooseModel(wishes.model, environment);
  const wanted = wishes.sessions ?? (model.real ? userFolder : undefined);
  const folder = wanted === undefined ? undefined : openSessionFolder(wanted);
  const workspace = wishes.workspace === undefined ? await makeScratch(wishes.keep) : await useFolder(wishes.workspace);
  const start = { model: model.name, workspace: workspace.path };
  const session = folder === undefined ? createSession() : createSavedSession(folder, start);
  return checked({ model, workspace, session }, wishes, folder);
}

/** Nothing the agent remembers may lie where its file tools reach. */
async function checked(
  parts: Pick<Setting, "model" | "workspace" | "session">,
  { memory }: Wishes,
  sessions: string | undefined,
): Promise<Setting> {
  const { workspace, session } = parts;
  const close = async (): Promise<void> => {
    session.close();
    await workspace.close();
  };
  try {
    if (sessions !== undefined) refuseInside(workspace.path, sessions, "sessions");
    if (memory !== undefined) refuseInside(workspace.path, path.resolve(memory), "the memory");
  } catch (error) {
    await close();
    throw error;
  }
  return { ...parts, undo: sessions === undefined ? undefined : path.join(sessions, "undo"), close };
}
