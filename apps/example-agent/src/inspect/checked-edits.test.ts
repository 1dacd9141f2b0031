import { existsSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openInspectedAgent } from "../../test/inspected-agent.ts";
import { call, turn } from "../scripted/scripted-model.ts";
import { editableCall } from "../supervision/editable-call.ts";

const { signal } = new AbortController();
const SENT = { path: ".github/workflows/a.yml", content: "on: push\n" };

test("a waiting call is answered by its own changes alone: not by another call's, older or forged ones, and never twice", async () => {
  const agent = await openInspectedAgent(function* () {
    yield turn("", call("create_file", SENT));
    return "Done.";
  });
  onTestFinished(() => agent.close());
  const { base, token } = agent;
  const headers = { authorization: `Bearer ${token}`, origin: base, "content-type": "application/json" };
  const post = async (to: string, body: object) => {
    const response = await fetch(`${base}/api/${to}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, ...((await response.json()) as { key?: string; error?: string }) };
  };
  const run = agent.agent.run("Do it", signal);
  /** The ids of the open questions, once there are so many. */
  const openIds = (count: number) =>
    vi.waitFor(
      async () => {
        const ids = Array.from({ length: 9 }, (_, at) => `e${at + 1}`);
        const found = await Promise.all(ids.map((id) => fetch(`${base}/api/edits/${id}`, { headers })));
        const open = ids.filter((_, at) => found[at]?.ok);
        expect(open).toHaveLength(count);
        return open;
      },
      { timeout: 60_000 },
    );
  await openIds(1);
  const editable = editableCall(agent.agent.toolbox.registry, "create_file", SENT);
  const decided = agent.inspection.approver.decide({ text: "Another?", detail: [], edit: editable, signal });
  const [first = "", second = ""] = await openIds(2);
  const edit = async (id: string, name: string) =>
    (await post(`edits/${id}`, { arguments: { ...SENT, path: `.github/workflows/${name}.yml` } })).key ?? "";
  const [old, own, others] = [await edit(first, "old"), await edit(first, "own"), await edit(second, "other")];
  for (const edited of [old, others, "", "__proto__", crypto.randomUUID()]) {
    expect(await post(`approvals/${first}`, { approved: true, edited }), edited).toMatchObject({ status: 409 });
  }
  for (const wrong of [{ approved: false }, { approved: true, always: "t" }]) {
    expect(await post(`approvals/${first}`, { ...wrong, edited: own })).toMatchObject({ status: 400 });
  }
  expect(await post("edits/__proto__", { arguments: SENT })).toMatchObject({ status: 409 });
  const deep = `{"arguments":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  const answer = await fetch(`${base}/api/edits/${first}`, { method: "POST", headers, body: deep });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(agent.agent.session.transcript.entries).toEqual([]);

  expect(await post(`approvals/${first}`, { approved: true, edited: own })).toMatchObject({ status: 200 });
  expect(await post(`approvals/${first}`, { approved: true, edited: own })).toMatchObject({ status: 409 });
  expect(await post(`edits/${first}`, { arguments: SENT })).toMatchObject({ status: 409 });
  await run;
  const names = ["a", "old", "own", "other"];
  expect(names.filter((name) => existsSync(path.join(agent.workspace, `.github/workflows/${name}.yml`)))).toEqual([
    "own",
  ]);
  await post(`approvals/${second}`, { approved: true });
  expect(await decided).not.toHaveProperty("edited");
});
