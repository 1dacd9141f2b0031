import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import type { Model } from "../src/agent/model.ts";
import { createSession } from "../src/agent/session.ts";
import { openToolbox } from "../src/agent/toolbox.ts";
import { hostTools } from "../src/host-tools/host-tools.ts";
import { createInspection, type Inspection } from "../src/inspect/inspection.ts";
import { createScriptedModel, type Script } from "../src/scripted/scripted-model.ts";
import type { DurableCalls } from "../src/supervision/durable-calls.ts";
import { createAgent, type Agent } from "../src/supervision/supervised-agent.ts";
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
 * @param durable Keeps its calls.
 */
export async function openInspectedAgent(
  model: Script | Model,
  files: Record<string, string> = {},
  durable?: DurableCalls,
): Promise<InspectedAgent> {
  const workspace = await mkdtemp(path.join(tmpdir(), "inspect-test-"));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(workspace, name), text);
  const inspection = createInspection();
  const recorded = inspection.recordModel(typeof model === "function" ? createScriptedModel(model) : model);
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() }) as unknown as NodeJS.WriteStream;
  const view = inspection.recordView(createView(createScreen(sink)));
  const session = inspection.recordSession(createSession());
  // Most tests of the page run no program.
  const toolbox = await openToolbox({ addTools: hostTools({ canAsk: true }), prewarm: 0 });
  const limits = {
    maxTokens: Number.POSITIVE_INFINITY,
    maxMinutes: Number.POSITIVE_INFINITY,
    contextTokens: undefined,
  };
  const agent = createAgent({
    ...limits,
    model: recorded,
    toolbox,
    workspace,
    session,
    durable,
    approver: inspection.approver,
    view,
  });
  const url = await inspection.serve(agent, { model: recorded.name, workspace: "a directory of a test" });
  const [base = "", token = ""] = url.split("#token=");
  return {
    agent,
    inspection,
    workspace,
    url,
    base: base.replace(/\/$/, ""),
    token,
    async close() {
      await inspection.close();
      await toolbox.close();
      await rm(workspace, { recursive: true, force: true });
    },
  };
}
