import { NotOfferedError, type TortureTool } from "@dispatch/check";
import {
  Agent,
  Runner,
  setSensitiveDataLoggingEnabled,
  tool,
  type AgentInputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type Session,
  Usage,
} from "@openai/agents";
import { z } from "zod";
import { askHost } from "./ask-host.ts";
import { errorText } from "./error-text.ts";
import type { Peer } from "./peer.ts";
import { preparedCalls, type WireCall } from "./prepared-calls.ts";
import { sentText } from "./sent.ts";

interface Details {
  readonly toolCall?: { readonly callId: string };
  readonly signal?: AbortSignal;
}

/** A model that asks for one call, then ends, and records the requests it received. */
class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly #call: Extract<AgentInputItem, { type: "function_call" }>;

  constructor({ id: callId, name, sent }: WireCall) {
    this.#call = { type: "function_call", callId, name, arguments: sentText(sent), status: "completed" };
  }

  getResponse(request: ModelRequest): Promise<ModelResponse> {
    this.requests.push(request);
    const text = { type: "output_text" as const, text: "Done." };
    const end = { type: "message" as const, role: "assistant" as const, status: "completed" as const, content: [text] };
    return Promise.resolve({ usage: new Usage(), output: [this.requests.length === 1 ? this.#call : end] });
  }

  getStreamedResponse(): never {
    throw new Error("Cannot stream: this model answers at once only");
  }
}

/** The text of the call's result in the second request. */
function toldText(request: ModelRequest | undefined): string {
  const items = Array.isArray(request?.input) ? request.input : [];
  const result = items.findLast((item) => item.type === "function_call_result");
  if (result === undefined) {
    throw new Error("the run ended, and the model was told nothing of the call");
  }
  const { output } = result;
  if (typeof output === "string") return output;
  const parts = Array.isArray(output) ? output : [output];
  return parts.map((part) => ("text" in part ? part.text : `[${part.type}]`)).join("\n");
}

/** A session that reports each function call result it is asked to store. */
function sessionOf(record: (entry: unknown) => unknown): Session {
  const kept: AgentInputItem[] = [];
  return {
    getSessionId: () => Promise.resolve("session"),
    getItems: () => Promise.resolve([...kept]),
    async addItems(items) {
      for (const item of items) if (item.type === "function_call_result") await record(item);
      kept.push(...items);
    },
    popItem: () => Promise.resolve(kept.pop()),
    clearSession: () => Promise.resolve(void kept.splice(0)),
  };
}

// Without it an error function does not receive the fault of the arguments.
setSensitiveDataLoggingEnabled(true);

/** The Agents SDK of OpenAI: an agent that is run. */
export const openaiAgents: Peer = {
  name: "openai_agents",
  packageName: "@openai/agents",
  path: "`Runner.run` of an agent with a scripted `Model`: one tool call, then what the second request holds for it",
  options:
    '`timeoutMs` and `errorFunction` of the tool, `outputSchema`, `toolNotFoundBehavior: "return_error_to_model"`, `setSensitiveDataLoggingEnabled(true)` (without it error functions are not told what was wrong), `signal`, `needsApproval` with `state.approve`/`reject`, `agent_tool_start`/`agent_tool_end`, a `Session` as the record (errors of a tool with `outputSchema` reject: its error function would have to answer data)',
  notOffered: "",
  subject: {
    name: "openai_agents",
    prepare: (spec: TortureTool) => {
      if (spec.output !== undefined && !(spec.output instanceof z.ZodObject)) {
        throw new NotOfferedError("a schema of outputs is a Zod object");
      }
      // Its results have no mark of failure: one is a failure when an error function wrote it or the tool did not run.
      const failed = new Set<string>();
      const executed = new Set<string>();
      const explain = (_: unknown, error: unknown, details?: Details): string => {
        failed.add(details?.toolCall?.callId ?? "");
        return errorText(error);
      };
      const built = tool({
        name: spec.name,
        description: spec.description,
        parameters: spec.parameters as never,
        ...(spec.output && { outputSchema: spec.output as never }),
        ...(spec.timeoutMs !== undefined && {
          timeoutMs: spec.timeoutMs,
          timeoutBehavior: "error_as_result" as const,
          timeoutErrorFunction: explain,
        }),
        needsApproval: spec.needsApproval ?? false,
        errorFunction: explain,
        execute: (input: unknown, _: unknown, details?: Details) => {
          executed.add(details?.toolCall?.callId ?? "");
          return spec.execute(input, { signal: details?.signal });
        },
      } as unknown as Parameters<typeof tool>[0]);
      return preparedCalls(spec.name, async (call, { signal, record, observe, approve }) => {
        const model = new ScriptedModel(call);
        const agent = new Agent({ name: "Agent", instructions: "Go.", model, tools: [built] });
        const runner = new Runner({ tracingDisabled: true, toolNotFoundBehavior: "return_error_to_model" });
        if (observe !== undefined) {
          runner.on("agent_tool_start", (...event) => observe(event) as never);
          runner.on("agent_tool_end", (...event) => observe(event) as never);
        }
        const run = { ...(signal && { signal }), ...(record && { session: sessionOf(record) }), maxTurns: 3 };
        let result = await runner.run(agent, "Go.", run);
        for (const interruption of result.interruptions) {
          if (await askHost(approve, interruption)) result.state.approve(interruption);
          else result.state.reject(interruption);
          result = await runner.run(agent, result.state, run);
        }
        return { failed: failed.has(call.id) || !executed.has(call.id), text: toldText(model.requests[1]) };
      });
    },
  },
};
