import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import type { Model } from "../src/agent/model.ts";
import { createSession } from "../src/agent/session.ts";
import { hostTools } from "../src/host-tools/host-tools.ts";
import { createInspection, type Inspection } from "../src/inspect/inspection.ts";
import { createScriptedModel, type Script } from "../src/scripted/scripted-model.ts";
import { openAgent } from "../src/start/open-agent.ts";
import type { Agent } from "../src/supervision/supervised-agent.ts";
import { createScreen } from "../src/terminal/screen.ts";
import { createView } from "../src/terminal/view.ts";

/** An agent with every tool, in a directory of its own, and the page that shows it. */
export interface InspectedAgent {
  readonly agent: Agent;
  readonly inspection: Inspection;
  /** Absolute path of the directory it works in. */
  readonly workspace: string;
  /** Address of the page, token and all. */
  readonly url: string;
  /** The same without the token. */
  readonly base: string;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * Starts one.
 *
 * @param model The model, or the script of a scripted one.
 * @param files Files of its directory, by name.
 * @param durable Directory that keeps its calls, those of the session `earlier`.
 */
export async function openInspectedAgent(
  model: Script | Model,
  files: Record<string, string> = {},
  durable?: string,
): Promise<InspectedAgent> {
  const workspace = await mkdtemp(path.join(tmpdir(), "inspect-test-"));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(workspace, name), text);
  const inspection = createInspection();
  const recorded = inspection.recordModel(typeof model === "function" ? createScriptedModel(model) : model);
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() }) as unknown as NodeJS.WriteStream;
  const {
    agent,
    url = "",
    close,
  } = await openAgent({
    model: recorded,
    workspace,
    session: inspection.recordSession({ ...createSession(), id: durable === undefined ? undefined : "earlier" }),
    approver: inspection.approver,
    view: inspection.recordView(createView(createScreen(sink))),
    inspection,
    about: { model: recorded.name, workspace: "a directory of a test" },
    durable,
    memory: undefined,
    undo: undefined,
    addTools: hostTools({ canAsk: true }),
    // Most tests of the page run no program.
    prewarm: 0,
    maxTokens: Number.POSITIVE_INFINITY,
    maxMinutes: Number.POSITIVE_INFINITY,
    contextTokens: undefined,
  });
  const [base = "", token = ""] = url.split("#token=");
  return {
    agent,
    inspection,
    workspace,
    url,
    base: base.replace(/\/$/, ""),
    token,
    async close() {
      await close();
      await rm(workspace, { recursive: true, force: true });
    },
  };
}
