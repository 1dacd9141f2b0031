import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createDurable, createMemoryEngine } from "@dispatch/durable";
import { openSqliteEngine } from "@dispatch/durable/sqlite";
import {
  createToolRegistry,
  createTranscript,
  defineTool,
  type AnyToolRegistry,
  type Approver,
  type CallPolicy,
} from "@dispatch/tools-interface";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createApprovalDesk, createApprovalHandler, type ApprovalDesk } from "./approvals.ts";

function paying(): { registry: AnyToolRegistry; paid: unknown[] } {
  const paid: unknown[] = [];
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    parameters: z.object({ amount: z.number(), note: z.string().default(() => `n${Math.random()}`) }),
    annotations: { destructive: true },
    execute: (params) => (paid.push(params), "paid"),
  });
  const program = defineTool({
    name: "execute_code",
    description: "Runs.",
    parameters: z.object({}),
    execute: (_, run) => run.dispatch?.({ id: "n1", name: "pay", arguments: { amount: 3 } }, { caller: "program" }),
  });
  return { registry: createToolRegistry().register([pay, program]), paid };
}

const call = { id: "toolu_01A09q90qw90lq91", name: "pay", arguments: { amount: 5 } };

async function firstKey(desk: ApprovalDesk): Promise<string> {
  return (await desk.waiting())[0]?.key ?? "";
}

function temporaryFile(): string {
  const directory = mkdtempSync(path.join(tmpdir(), "desk-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return path.join(directory, "calls.db");
}

describe("createApprovalDesk()", () => {
  test("asks again about edited parameters that another rule asks about, in a durable call", async () => {
    const paid: unknown[] = [];
    const pay = defineTool({
      name: "pay",
      description: "Pays.",
      parameters: z.object({ amount: z.number(), to: z.string().default("anna") }),
      needsApproval: true,
      execute: (params) => (paid.push(params), `paid ${params.amount}`),
    });
    const policy: CallPolicy = ({ params }) =>
      (params as { amount: number }).amount > 100
        ? { decision: "ask", rules: ["large"], reason: "large" }
        : { decision: "default", rules: [] };
    const registry = createToolRegistry({ policy }).register(pay);
    const desk = createApprovalDesk({ registry });
    const edited = { id: "toolu_01A09q90qw90lq91", name: "pay", arguments: { amount: 5 } };
    const dispatch = () => registry.dispatch(edited, { approve: desk.approver({ session: "s" }), durable: session });
    const session = createDurable(createMemoryEngine()).session("s");
    await dispatch();
    const [first] = await desk.waiting();
    await desk.answer(first?.key ?? "", { approved: true, by: "Ada", params: { amount: 500 } });
    expect(await dispatch()).toMatchObject({ code: "approval_pending" });
    const [second] = await desk.waiting();
    expect(second).toMatchObject({ params: { amount: 500 }, policy: { rules: ["large"] } });
    await desk.answer(second?.key ?? "", { approved: true, by: "Ada" });
    expect(await dispatch()).toMatchObject({ success: true });
    expect(paid).toEqual([{ amount: 500, to: "anna" }]);
  });

  test.each([{ param: { amount: 1 } }, { Params: { amount: 1 } }, { pending: true }, { denied: true }])(
    "takes no answer with a field that it does not know: %j",
    async (more) => {
      const { registry, paid } = paying();
      const desk = createApprovalDesk({ registry });
      const approve = desk.approver({ session: "s" });
      await registry.dispatch(call, { approve });
      await expect(desk.answer(await firstKey(desk), { approved: true, by: "Ada", ...more })).rejects.toThrow(
        `found the option "${Object.keys(more)[0]}"`,
      );
      expect(await registry.dispatch(call, { approve })).toMatchObject({ code: "approval_pending" });
      expect(paid).toEqual([]);
    },
  );

  test.each([undefined, null, 5])("asks for no conversation that is no text: %j", (session) => {
    expect(() => createApprovalDesk().approver({ session } as never)).toThrow("session is no text");
  });

  test("asks once however often a call is dispatched, and one run uses the answer", async () => {
    const { registry, paid } = paying();
    const desk = createApprovalDesk({ registry });
    const approve = desk.approver({ session: "s" });
    for (let time = 0; time < 3; time += 1) {
      expect(await registry.dispatch(call, { approve })).toMatchObject({ code: "approval_pending", effects: "none" });
    }
    const waiting = await desk.waiting();
    expect(waiting).toMatchObject([
      {
        tool: "pay",
        session: "s",
        agent: "agent",
        callId: "toolu_01A09q90qw90lq91",
        parents: [],
        params: { amount: 5 },
        risk: { level: "high" },
      },
    ]);
    expect(waiting[0]?.detail[0]).toBe("amount: 5");
    const { key = "" } = waiting[0] ?? {};
    expect(await desk.answer(key, { approved: true, by: "Ada" })).toBe(true);
    expect(await desk.answer(key, { approved: false, by: "Bob" })).toBe(false);
    const runs = await Promise.all([1, 2, 3].map(async () => registry.dispatch(call, { approve })));
    expect(runs.filter(({ success }) => success)).toHaveLength(1);
    expect(paid).toEqual([{ amount: 5, note: (waiting[0]?.params as { note?: string } | undefined)?.note }]);
  });

  test("a no is a no with its reason, and only for this call", async () => {
    const { registry, paid } = paying();
    const desk = createApprovalDesk();
    const approve = desk.approver({ session: "s" });
    await registry.dispatch(call, { approve });
    await desk.answer(await firstKey(desk), { approved: false, by: "Ada", reason: "too dear" });
    expect(String(await registry.dispatch(call, { approve }))).toContain("too dear");
    expect(await desk.waiting()).toEqual([]);
    expect(paid).toEqual([]);
  });

  test("the same call of another session, another tool version or other arguments is another question", async () => {
    const { registry } = paying();
    const desk = createApprovalDesk();
    await registry.dispatch(call, { approve: desk.approver({ session: "a" }) });
    await desk.answer(await firstKey(desk), { approved: true, by: "Ada" });
    const pending = { code: "approval_pending" };
    expect(await registry.dispatch(call, { approve: desk.approver({ session: "b" }) })).toMatchObject(pending);
    const other = { ...call, arguments: { amount: 6 } };
    expect(await registry.dispatch(other, { approve: desk.approver({ session: "a" }) })).toMatchObject(pending);
    expect(await desk.waiting()).toHaveLength(2);
  });

  test("a yes to a call of one turn or agent is none to the same call of another", async () => {
    const { registry, paid } = paying();
    const desk = createApprovalDesk({ registry });
    const numbered = { id: "call_0", turn: "msg_1", name: "pay", arguments: { amount: 5 } };
    await registry.dispatch(numbered, { approve: desk.approver({ session: "s", agent: "bookkeeper" }) });
    await desk.answer(await firstKey(desk), { approved: true, by: "Ada" });
    const pending = { code: "approval_pending" };
    const approve = desk.approver({ session: "s", agent: "bookkeeper" });
    expect(await registry.dispatch({ ...numbered, turn: "msg_2" }, { approve })).toMatchObject(pending);
    const intern = desk.approver({ session: "s", agent: "intern" });
    expect(await registry.dispatch(numbered, { approve: intern })).toMatchObject(pending);
    expect(paid).toEqual([]);
    expect((await registry.dispatch(numbered, { approve })).success).toBe(true);
  });

  test("a yes to a nested call is none to the same call in another outer one", async () => {
    const { registry, paid } = paying();
    const desk = createApprovalDesk({ registry });
    const approve = desk.approver({ session: "s" });
    const outer = { id: "toolu_01A09q90qw90lq91", name: "execute_code", arguments: {} };
    await registry.dispatch(outer, { approve });
    await desk.answer(await firstKey(desk), { approved: true, by: "Ada" });
    await registry.dispatch({ ...outer, id: "toolu_02B09q90qw90lq92" }, { approve });
    expect(paid).toEqual([]);
    await registry.dispatch(outer, { approve });
    expect(paid).toMatchObject([{ amount: 3 }]);
  });

  test("shows the whole chain of a call that a program makes", async () => {
    const { registry } = paying();
    const desk = createApprovalDesk();
    await registry.dispatch(
      { id: "outer", name: "execute_code", arguments: {} },
      { approve: desk.approver({ session: "s" }) },
    );
    expect(await desk.waiting()).toMatchObject([
      {
        parents: [{ callId: "outer", name: "execute_code", caller: "program" }],
        risk: { reasons: expect.arrayContaining(["a program makes the call"]) },
      },
    ]);
  });

  test("edited parameters are checked when they are given, and recorded as edited", async () => {
    const { registry, paid } = paying();
    const desk = createApprovalDesk({ registry });
    const approve = desk.approver({ session: "s" });
    const transcript = createTranscript();
    await registry.dispatch(call, { approve });
    const key = await firstKey(desk);
    const wrong = desk.answer(key, { approved: true, by: "Ada", params: { amount: "much" } });
    await expect(wrong).rejects.toMatchObject({ code: "invalid_params" });
    expect(await desk.answer(key, { approved: true, by: "Ada", params: { amount: 2, note: "less" } })).toBe(true);
    await registry.dispatch(call, { approve, transcript });
    expect(paid).toEqual([{ amount: 2, note: "less" }]);
    expect(transcript.entries[0]).toMatchObject({
      arguments: { amount: 5 },
      result: {
        repairs: [
          { kind: "edited", path: ["amount"] },
          { kind: "edited", path: ["note"] },
        ],
      },
    });
  });

  test("asks somebody present at the same time as everybody else: the first answer counts", async () => {
    const { registry, paid } = paying();
    const desk = createApprovalDesk();
    const yes: Approver = async () => true;
    const there = await registry.dispatch(call, {
      approve: desk.approver({ session: "s", ask: yes, askedBy: "terminal" }),
    });
    expect(there.success).toBe(true);
    const stopped: boolean[] = [];
    const silent: Approver = ({ signal }) =>
      new Promise(() => signal.addEventListener("abort", () => stopped.push(true)));
    const later = { ...call, id: "toolu_02B19q90qw90lq92" };
    const running = registry.dispatch(later, { approve: desk.approver({ session: "s", ask: silent }) });
    await expect.poll(() => firstKey(desk)).not.toBe("");
    await desk.answer(await firstKey(desk), { approved: true, by: "page" });
    expect((await running).success).toBe(true);
    expect(stopped).toEqual([true]);
    const failing: Approver = () => Promise.reject(new Error("gone"));
    const third = { ...call, id: "toolu_03C29q90qw90lq93" };
    const unasked = await registry.dispatch(third, { approve: desk.approver({ session: "s", ask: failing }) });
    expect(unasked).toMatchObject({ code: "approval_pending" });
    expect(paid).toHaveLength(2);
  });

  test("waits for the patience that it is given, and a question lapses", async () => {
    const { registry } = paying();
    const desk = createApprovalDesk({ expiresInMs: 20 });
    const result = await registry.dispatch(call, { approve: desk.approver({ session: "s", patienceMs: 60_000 }) });
    expect(String(result)).toContain("nobody answered in time");
  });

  test("survives a restart, and runs once for two places that share a file", async () => {
    const file = temporaryFile();
    const { registry, paid } = paying();
    const open = async () => {
      const durable = createDurable(await openSqliteEngine(file));
      const desk = createApprovalDesk({ engine: durable.engine, registry });
      const session = durable.session("s");
      const dispatch = () => registry.dispatch(call, { approve: desk.approver({ session: "s" }), durable: session });
      return { durable, desk, dispatch };
    };
    const before = await open();
    expect(await before.dispatch()).toMatchObject({ code: "approval_pending" });
    await before.durable.close();
    const [one, two] = [await open(), await open()];
    const key = await firstKey(two.desk);
    const answers = [one, two].map(async ({ desk }) => desk.answer(key, { approved: true, by: "Ada" }));
    expect((await Promise.all(answers)).filter(Boolean)).toHaveLength(1);
    const results = await Promise.all([one.dispatch(), two.dispatch()]);
    expect(results.map(({ success }) => success)).toEqual([true, true]);
    expect(paid).toHaveLength(1);
    expect(await one.desk.waiting()).toEqual([]);
    await Promise.all([one.durable.close(), two.durable.close()]);
  });
});

describe("createApprovalHandler()", () => {
  async function served() {
    const { registry, paid } = paying();
    const desk = createApprovalDesk({ registry });
    const approve = desk.approver({ session: "s" });
    await registry.dispatch(call, { approve });
    const authorize = ({ headers }: Request): string | undefined =>
      headers.get("authorization") === "Bearer t" ? "Ada" : undefined;
    const handle = createApprovalHandler(desk, { authorize });
    const send = async (method: string, body?: unknown, headers: Record<string, string> = {}) => {
      const given = { authorization: "Bearer t", "content-type": "application/json", ...headers };
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const response = await handle(
        new Request("http://a.test/approvals", { method, headers: given, ...(body !== undefined && { body: text }) }),
      );
      return { status: response.status, body: (await response.json()) as { waiting?: { key: string }[] } };
    };
    return { registry, paid, approve, desk, send };
  }

  test("shows what waits and takes the first answer", async () => {
    const { registry, paid, approve, send } = await served();
    const { body } = await send("GET");
    const key = body.waiting?.[0]?.key ?? "";
    expect((await send("POST", { key, approved: true, params: { amount: "x" } })).status).toBe(422);
    expect((await send("POST", { key, approved: true })).status).toBe(200);
    expect((await send("POST", { key, approved: true })).status).toBe(409);
    expect((await send("POST", { key: "approval:s:none:1", approved: true })).status).toBe(409);
    await registry.dispatch(call, { approve });
    expect(paid).toHaveLength(1);
  });

  test.each<[number, string, unknown, Record<string, string>]>([
    [401, "GET", undefined, { authorization: "Bearer x" }],
    [401, "POST", { key: "KEY", approved: true }, { authorization: "" }],
    [401, "POST", { key: "KEY", approved: true }, { "sec-fetch-site": "cross-site" }],
    [401, "POST", { key: "KEY", approved: true }, { "sec-fetch-site": "same-site" }],
    [401, "POST", { key: "KEY", approved: true }, { origin: "http://evil.test" }],
    [400, "POST", { key: "KEY", approved: true }, { "content-type": "text/plain" }],
    [400, "POST", { key: "KEY", approved: "true" }, {}],
    [400, "POST", { key: "KEY", approved: 1 }, {}],
    [400, "POST", "{", {}],
    [400, "POST", { key: "KEY", approved: true, param: { amount: 1 } }, {}],
    [400, "POST", { key: "KEY", approved: true, by: "Eve" }, {}],
    [400, "POST", '{"key":"KEY","approved":false,"approved":true}', {}],
    [400, "POST", '{"key":"KEY","approved":true,"params":{"amount":9007199254740993}}', {}],
    [400, "POST", "[]", {}],
    [400, "POST", `{"key":"KEY","approved":true,"pad":"${"a".repeat(1_000_001)}"}`, {}],
    [405, "DELETE", undefined, {}],
  ])("answers %i to %s %j with %j and approves nothing", async (status, method, body, headers) => {
    const { desk, send } = await served();
    const key = await firstKey(desk);
    const named = JSON.parse(JSON.stringify({ body: body ?? null }).replace("KEY", key)) as { body: unknown };
    expect((await send(method, named.body ?? undefined, headers)).status).toBe(status);
    expect(await desk.waiting()).toHaveLength(1);
  });

  test("answers 401 where authorize throws no name, 500 where it throws", async () => {
    const desk = createApprovalDesk();
    const request = (): Request => new Request("http://a.test/");
    expect((await createApprovalHandler(desk, { authorize: () => "" })(request())).status).toBe(401);
    const broken = createApprovalHandler(desk, { authorize: () => Promise.reject(new Error("secret")) });
    const response = await broken(request());
    expect([response.status, await response.text()]).toEqual([500, '{"error":"It could not be answered"}']);
    expect(() => createApprovalHandler(desk, {} as never)).toThrow(TypeError);
  });
});
