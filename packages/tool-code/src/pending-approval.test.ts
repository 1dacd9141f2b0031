import { createApprovals } from "@dispatch/policy/approvals";
import { createToolRegistry, createTranscript, defineTool, type Approver } from "@dispatch/tools-interface";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { DenoRuntime } from "./deno/index.ts";
import { registerCodeTool } from "./index.ts";

const runtime = new DenoRuntime();
afterAll(() => runtime.close());

const secret = "a secret of at least 32 characters";
const code = `const a = await read({ id: 1 });
const [b, c] = await Promise.all([pay({ sum: a }), pay({ sum: 5 })]);
return [a, b, c];`;
const call = { id: "toolu_01A09q90qw90lq917835", name: "execute_code", arguments: { code } };

/** A host as it is after a start, with tools that record their effects. */
function start(done: string[]) {
  const read = defineTool({
    name: "read",
    description: "Reads.",
    parameters: z.object({ id: z.number() }),
    output: z.number(),
    execute: ({ id }) => (done.push(`read ${id}`), 7),
  });
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    parameters: z.object({ sum: z.number() }),
    output: z.string(),
    needsApproval: true,
    execute: ({ sum }) => (done.push(`pay ${sum}`), `paid ${sum}`),
  });
  return registerCodeTool(createToolRegistry().register([read, pay]), { runtime });
}

describe("a program that waits for a person", () => {
  test("goes on after a restart, and does nothing twice", async () => {
    const done: string[] = [];
    const approvals = createApprovals({ secret });
    const asked: Parameters<Approver>[0][] = [];
    const ask: Approver = (request) => (asked.push(request), { approved: false, pending: true });
    const transcript = createTranscript();
    const first = await start(done).dispatch(call, { transcript, approve: ask });
    expect(first).toMatchObject({ success: false, code: "approval_pending" });
    expect([done, asked.map(({ params }) => params)]).toEqual([["read 1"], [{ sum: 7 }, { sum: 5 }]]);

    const restored = createTranscript(JSON.parse(JSON.stringify(transcript.entries)));
    const [one, two] = asked.map((request) => approvals.grant(request));
    const second = await start(done).dispatch(call, {
      transcript: restored,
      approve: approvals.approver([one as string], ask),
    });
    expect(second).toMatchObject({ code: "approval_pending" });
    const third = await start(done).dispatch(call, {
      transcript: restored,
      approve: approvals.approver([two as string]),
    });
    expect(third.toString()).toBe('Returned: [7,"paid 7","paid 5"]');
    expect(done).toEqual(["read 1", "pay 7", "pay 5"]);
    expect((await start(done).dispatch(call, { transcript: restored })).toString()).toBe(third.toString());
    expect(done).toHaveLength(3);
  });

  test("reports that it was refused", async () => {
    const refused = await start([]).dispatch(call, { transcript: createTranscript(), approve: () => false });
    expect(refused).toMatchObject({ code: "code_tool" });
  });
});
