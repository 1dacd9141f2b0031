import Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import type { BetaMessageParam } from "@anthropic-ai/sdk/resources/beta/messages";
import { NotOfferedError, type TortureOutcome, type TortureTool } from "@dispatch/check";
import { AuthorText } from "./author-text.ts";
import type { Peer } from "./peer.ts";
import { preparedCalls, type WireCall } from "./prepared-calls.ts";
import { sentValue } from "./sent.ts";

const envelope = { type: "message", role: "assistant", model: "stub", stop_sequence: null };
const usage = { input_tokens: 1, output_tokens: 1 };

/** A reply in one piece. */
function whole(id: string, stop: string, content: readonly unknown[]): Response {
  return Response.json({ id, ...envelope, content, stop_reason: stop, usage });
}

/** A reply as the API streams it: the arguments as text. */
function streamed(id: string, stop: string, block: Record<string, unknown>, delta: Record<string, unknown>): Response {
  const events = [
    { type: "message_start", message: { id, ...envelope, content: [], stop_reason: null, usage } },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

/** The reply that asks for the call: text of arguments comes streamed. */
function asks({ id, name, sent }: WireCall): Response {
  const use = { type: "tool_use", id, name };
  return typeof sent === "string"
    ? streamed("1", "tool_use", { ...use, input: {} }, { type: "input_json_delta", partial_json: sent })
    : whole("1", "tool_use", [{ ...use, input: sentValue(sent) ?? {} }]);
}

/** The reply that ends the run. */
function ends({ sent }: WireCall): Response {
  const text = { type: "text", text: "Done." };
  return typeof sent === "string"
    ? streamed("2", "end_turn", { type: "text", text: "" }, { type: "text_delta", text: "Done." })
    : whole("2", "end_turn", [text]);
}

interface Body {
  readonly messages: readonly BetaMessageParam[];
}

/** The result of the call in the second request. */
function told(body: Body | undefined): TortureOutcome {
  const content = body?.messages.at(-1)?.content;
  const result = Array.isArray(content) ? content.findLast((block) => block.type === "tool_result") : undefined;
  if (result?.type !== "tool_result") throw new Error("the run ended, and the model was told nothing of the call");
  const text = Array.isArray(result.content)
    ? result.content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n")
    : (result.content ?? "");
  return { failed: result.is_error === true, text };
}

/** The SDK of Anthropic: its tool runner. */
export const anthropic: Peer = {
  name: "anthropic",
  packageName: "@anthropic-ai/sdk",
  path: "`client.beta.messages.toolRunner` with `betaZodTool` and a stub `fetch`: one tool call, then what the second request holds for it; a call that is text arrives streamed, as the API sends it",
  options: "`signal` of the request, `maxRetries: 0`",
  notOffered:
    "timeouts of tools, approval, a schema of outputs, events of a call, a record of calls, results that are not text",
  subject: {
    name: "anthropic",
    prepare: (spec: TortureTool) => {
      if (spec.needsApproval) throw new NotOfferedError("no approval");
      if (spec.output !== undefined) throw new NotOfferedError("no schema of outputs");
      if (spec.timeoutMs !== undefined) throw new NotOfferedError("no timeouts of tools");
      const author = new AuthorText();
      const built = betaZodTool({
        name: spec.name,
        description: spec.description,
        inputSchema: spec.parameters as never,
        run: async (input: unknown, context) =>
          author.of(await spec.execute(input, { signal: context?.signal ?? undefined })),
      });
      return preparedCalls(spec.name, async (call, { signal, record, observe }) => {
        if (record !== undefined) throw new NotOfferedError("no record of calls");
        if (observe !== undefined) throw new NotOfferedError("no events of a call");
        const replies = [asks(call), ends(call)];
        const bodies: Body[] = [];
        const client = new Anthropic({
          apiKey: "none",
          maxRetries: 0,
          fetch: (_, init) => {
            bodies.push(JSON.parse(init?.body as string) as Body);
            return Promise.resolve(replies[bodies.length - 1] ?? Response.error());
          },
        });
        const runner = client.beta.messages.toolRunner(
          {
            model: "stub",
            max_tokens: 100,
            messages: [{ role: "user", content: "Go." }],
            tools: [built],
            max_iterations: 2,
            stream: typeof call.sent === "string",
          },
          { ...(signal && { signal }) },
        );
        await runner.runUntilDone();
        author.check();
        return told(bodies[1]);
      });
    },
  },
};
