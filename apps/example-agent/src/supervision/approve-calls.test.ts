import { describe, expect, test } from "vitest";
import { approveCallsBy } from "./approve-calls.ts";
import type { ApprovalPrompt, Approver, Decision } from "./approver.ts";

const { signal } = new AbortController();

/** A person with these decisions, and the questions they were asked. */
function saying(...decisions: readonly Decision[]): { approver: Approver; asked: ApprovalPrompt[] } {
  const asked: ApprovalPrompt[] = [];
  const decide = async (prompt: ApprovalPrompt): Promise<Decision> => {
    asked.push(prompt);
    return decisions[asked.length - 1] ?? { approved: false };
  };
  return { approver: { name: "double", decide }, asked };
}

describe("approveCallsBy()", () => {
  const settled = { effectId: "", fingerprint: "", annotations: {}, defaults: [], repairs: [], parents: [] };
  const request = { ...settled, callId: "1", name: "write_file", digest: "", expiresAt: 0, signal };

  test("shows the whole call and who makes it, and passes the answer on", async () => {
    const { approver, asked } = saying({ approved: true }, { approved: false, reason: "no thanks" });
    const open = new Set<string>();
    const view = {
      callerOf: (id: string) => (id === "1" ? "execute_code" : undefined),
      waits: (id: string) => (open.add(id), () => void open.delete(id)),
    };
    const approve = approveCallsBy(approver, view);
    expect(await approve({ ...request, params: { path: "a", content: "x\ny" } })).toEqual({ approved: true });
    expect(asked[0]).toMatchObject({
      text: "Let the agent call write_file, from execute_code?",
      detail: ["path: a", "content:", "  x", "  y"],
    });
    const second = await approve({ ...request, callId: "2", params: {} });
    expect(second).toEqual({ approved: false, reason: "no thanks" });
    expect(asked[1]?.text).toBe("Let the agent call write_file?");
    expect(open.size).toBe(0);
  });
});
