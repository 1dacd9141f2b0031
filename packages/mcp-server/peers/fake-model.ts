import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A model behind the APIs of three vendors, which calls one tool and then is done. */
export interface FakeModel {
  /** Without a path. */
  readonly url: string;
  /** The body of every request to a model, in order. */
  readonly requests: readonly Body[];
}

/** A request's JSON. */
export type Body = Readonly<Record<string, unknown>>;

/** The model's actions in one turn. */
type Turn = { readonly tool: string } | { readonly text: string };

const ARGUMENTS = { path: "a.txt" };

/**
 * Starts the model. It calls a tool once it is offered, and ends when it has the result.
 *
 * @param tools - Possible names of the tool, the best first: clients name the tools of a server in different ways, and
 * have their own.
 */
export async function startFakeModel(tools: readonly RegExp[]): Promise<FakeModel> {
  const requests: Body[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
      const answer = Object.entries(VENDORS).find(([path]) => request.url?.includes(path))?.[1];
      if (request.method !== "POST" || answer === undefined) return void response.writeHead(404).end("{}");
      const body = JSON.parse(text) as Body;
      requests.push(body);
      const offered = [...JSON.stringify(body["tools"] ?? []).matchAll(/"name":"([^"]*)"/g)].map(([, one = ""]) => one);
      const name = tools.map((tool) => offered.find((one) => tool.test(one))).find((one) => one !== undefined);
      const isDone = /"(?:tool_result|functionResponse)"|"role":"tool"|function_call_output/.test(text);
      const turn: Turn = name === undefined || isDone ? { text: "done" } : { tool: name };
      const isStream = body["stream"] === true || request.url?.includes("stream") === true;
      answer(response, turn, isStream);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

type Answer = (response: ServerResponse, turn: Turn, isStream: boolean) => void;

const VENDORS: Readonly<Record<string, Answer>> = {
  "/chat/completions": (response, turn, isStream) => {
    const call = (name: string) => ({
      index: 0,
      id: "call_1",
      type: "function",
      function: { name, arguments: JSON.stringify(ARGUMENTS) },
    });
    const message =
      "tool" in turn
        ? { role: "assistant", content: null, tool_calls: [call(turn.tool)] }
        : { role: "assistant", content: turn.text };
    const finish_reason = "tool" in turn ? "tool_calls" : "stop";
    const base = { id: "c1", created: 1, model: "fake" };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    if (!isStream) {
      const choices = [{ index: 0, message, finish_reason }];
      return json(response, { ...base, object: "chat.completion", choices, usage });
    }
    const chunk = { ...base, object: "chat.completion.chunk" };
    events(response, [
      { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage },
      "[DONE]",
    ]);
  },

  "/messages": (response, turn, isStream) => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const stop_reason = "tool" in turn ? "tool_use" : "end_turn";
    const block =
      "tool" in turn
        ? { type: "tool_use", id: "toolu_1", name: turn.tool, input: ARGUMENTS }
        : { type: "text", text: turn.text };
    const message = { id: "msg_1", type: "message", role: "assistant", model: "fake", usage, stop_sequence: null };
    if (!isStream) return json(response, { ...message, content: [block], stop_reason });
    const delta =
      "tool" in turn
        ? { type: "input_json_delta", partial_json: JSON.stringify(ARGUMENTS) }
        : { type: "text_delta", text: turn.text };
    const begun = "tool" in turn ? { ...block, input: {} } : { type: "text", text: "" };
    events(response, [
      { type: "message_start", message: { ...message, content: [], stop_reason: null } },
      { type: "content_block_start", index: 0, content_block: begun },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
      { type: "message_stop" },
    ]);
  },

  ":": (response, turn, isStream) => {
    const part = "tool" in turn ? { functionCall: { name: turn.tool, args: ARGUMENTS } } : { text: turn.text };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const candidates = [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }];
    const body = { candidates, usageMetadata, modelVersion: "fake", responseId: "r1" };
    if (isStream) events(response, [body]);
    else json(response, body);
  },
};

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

function events(response: ServerResponse, all: readonly (object | string)[]): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  for (const event of all) {
    const type = typeof event === "object" && "type" in event ? `event: ${String(event.type)}\n` : "";
    response.write(`${type}data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}
