import { openToolbox, type ToolboxOptions } from "../agent/toolbox.ts";
import type { Inspection } from "../inspect/inspection.ts";
import { openDurableCalls } from "../supervision/durable-calls.ts";
import { createAgent, type Agent, type AgentParts } from "../supervision/supervised-agent.ts";

/** The parts that are there, and where the others are kept. */
export interface OpenAgentOptions
  extends Omit<AgentParts, "toolbox" | "durable">, Pick<ToolboxOptions, "memory" | "undo" | "addTools" | "prewarm"> {
  /** Directory of calls that outlive the process. `undefined`: they end with it. */
  readonly durable: string | undefined;
  /** The page to serve. `undefined`: none. */
  readonly inspection: Inspection | undefined;
  /** Facts above the page, by name. */
  readonly about: Readonly<Record<string, string>>;
}

/** An agent, and all that it works with. */
export interface OpenAgent {
  readonly agent: Agent;
  /** Address of the page, with its token. */
  readonly url: string | undefined;
  /** Ends the agent's work, then closes the page, the tools with their memory and sandbox, and the durable calls. Each call waits for that. */
  readonly close: () => Promise<void>;
}

/** Opens the durable calls, the tools, the agent and its page. What is open already is closed when the next one fails. */
export async function openAgent(options: OpenAgentOptions): Promise<OpenAgent> {
  const { durable: directory, inspection, about, memory, undo, addTools, prewarm, ...parts } = options;
  await using opening = new AsyncDisposableStack();
  const durable =
    directory === undefined
      ? undefined
      : opening.adopt(await openDurableCalls(directory, parts.session.id), (calls) => calls.close());
  const toolbox = opening.adopt(
    await openToolbox({ memory, undo, prewarm, ...(addTools && { addTools }), onWarning: parts.view.notice }),
    (tools) => tools.close(),
  );
  const agent = createAgent({ ...parts, toolbox, durable });
  const url = await inspection?.serve(agent, about);
  opening.defer(() => inspection?.close());
  // Before all others: the person may still see on the page how a run ends.
  opening.defer(() => agent.close());
  const opened = opening.move();
  let closed: Promise<void> | undefined;
  return { agent, url, close: () => (closed ??= opened.disposeAsync()) };
}
