import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { expect, onTestFinished, test } from "vitest";
import { chatEvents } from "../../test/fake-provider/chat-events.ts";
import { startFakeProvider, stream } from "../../test/fake-provider/fake-provider.ts";
import type { Model } from "../agent/model.ts";
import { runTask } from "../agent/run-task.ts";
import { createOpenAiChatModel } from "../models/openai-chat-model.ts";
import { createSavedSession, resumeSession } from "../session/saved-session.ts";
import { openDurableCalls } from "./durable-calls.ts";

const call = { id: "toolu_01A09q90qw90lq91", name: "pay", arguments: {} };

test("a session that is taken up again finishes its call that waited, once, and goes on", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "durable-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const paid: unknown[] = [];
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    parameters: { type: "object", properties: {} } as const,
    needsApproval: true,
    execute: (_, { effectId }) => (paid.push(effectId), "paid"),
  });
  const registry = createToolRegistry().register(pay);
  const first = createSavedSession(directory, { model: "m", workspace: directory });
  // The process dies while somebody is asked: the model's message is kept, its call has no result.
  first.add({ role: "user", text: "Pay" });
  first.add({ role: "assistant", text: "", calls: [call] });
  const before = await openDurableCalls(directory, first.id);
  const asked = before.approverFrom(() => ({ approved: false, pending: true }), "nobody");
  await registry.dispatch(call, { approve: asked, durable: before.session });
  first.close();
  await before.close();

  const { session } = await resumeSession(directory, first.id ?? "", true);
  const durable = await openDurableCalls(directory, session.id);
  onTestFinished(async () => {
    session.close();
    await durable.close();
  });
  const [waiting] = (await durable.waiting()).approvals;
  expect(waiting).toMatchObject({ tool: "pay", session: session.id });
  await durable.desk.answer(waiting?.key ?? "", { approved: true, by: "Ada" });
  const model: Model = {
    name: "m",
    real: false,
    respond: async () => ({ text: "Done", calls: [] }),
  };
  const approve = durable.approverFrom(() => Promise.reject(new Error("asked again")), "terminal");
  const options = { model, registry, context: {}, session, approve, durable: durable.session };
  expect(await runTask(["And then?"], options)).toEqual({ outcome: "done" });
  expect(paid).toHaveLength(1);
  expect(session.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user", "assistant"]);
});

test("calls that a server numbers anew in every answer are durable: each runs, once", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "durable-"));
  const again = stream(chatEvents({ calls: [{ id: "call_0", name: "count", input: {} }] }));
  const provider = await startFakeProvider(again, again, stream(chatEvents({ text: "Counted." })));
  const session = createSavedSession(directory, { model: "m", workspace: directory });
  const durable = await openDurableCalls(directory, session.id);
  onTestFinished(async () => {
    session.close();
    await durable.close();
    await provider.close();
    rmSync(directory, { recursive: true, force: true });
  });
  let counted = 0;
  const count = defineTool({
    name: "count",
    description: "Counts.",
    parameters: { type: "object", properties: {} } as const,
    execute: () => String((counted += 1)),
  });
  const registry = createToolRegistry().register(count);
  const model = await createOpenAiChatModel("m", provider.url);
  const options = { model, registry, context: {}, session, durable: durable.session };
  expect(await runTask(["Count"], options)).toEqual({ outcome: "done" });
  expect(counted).toBe(2);
  const results = session.messages.flatMap((message) => (message.role === "tool" ? message.results : []));
  expect(results.map(String)).toEqual(["1", "2"]);
});
