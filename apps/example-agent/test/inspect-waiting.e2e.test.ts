import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { expect, onTestFinished, test } from "vitest";
import { openDurableCalls, type DurableCalls } from "../src/supervision/durable-calls.ts";
import { axeViolations } from "./axe-violations.ts";
import { withBrowser } from "./browser.ts";
import { openInspectedAgent } from "./inspected-agent.ts";

const { open } = withBrowser();
const call = { id: "toolu_01A09q90qw90lq91", name: "pay", arguments: { amount: 5, to: "<b>Ada</b>\u202Eevil" } };

/** A call of an earlier process that waits for an answer. */
async function leftBehind(directory: string): Promise<void> {
  const before = await openDurableCalls(directory, "earlier");
  await dispatch(before);
  await before.close();
}

const parameters = { type: "object", properties: { amount: { type: "number" }, to: { type: "string" } } } as const;
const pay = defineTool({
  name: "pay",
  description: "Pays.",
  parameters,
  needsApproval: true,
  execute: ({ amount, to }) => `paid ${JSON.stringify([amount, to])}`,
});

function dispatch(durable: DurableCalls | undefined) {
  if (durable === undefined) throw new Error("Cannot dispatch: the agent keeps no calls");
  const approve = durable.approverFrom(() => ({ approved: false, pending: true }), "nobody");
  return createToolRegistry().register(pay).dispatch(call, { approve, durable: durable.session });
}

test.each([true, false])(
  "the page shows what waits from an earlier process, and its answer lets the call run, changed: %s",
  async (isChanged) => {
    const directory = mkdtempSync(path.join(tmpdir(), "waiting-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    await leftBehind(directory);
    const inspected = await openInspectedAgent(() => ({}) as never, {}, directory);
    inspected.agent.toolbox.registry.register(pay);
    onTestFinished(() => inspected.close());
    const { page, complaints } = await open(inspected.url);
    const card = page.getByRole("group", { name: "pay waits for an approval" });
    await card.waitFor();
    expect(await card.innerText()).toContain("session earlier");
    expect(await card.innerText()).toContain("<b>Ada</b>");
    expect(await card.innerText()).not.toContain("\u202E");
    if (isChanged) {
      await card.getByRole("button", { name: "Change" }).click();
      await card.getByLabel("amount").fill("7");
      await card.getByRole("button", { name: "Show the changes" }).click();
      expect(await card.getByRole("group", { name: "Your changes" }).innerText()).toContain("+amount: 7");
      expect(await axeViolations(page)).toEqual([]);
    }
    await card.getByRole("button", { name: isChanged ? "Approve as changed" : "Approve" }).click();
    await card.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    const result = String(await dispatch(inspected.agent.durable));
    expect(result).toContain(`paid ${JSON.stringify([isChanged ? 7 : 5, call.arguments.to])}`);
    expect(result.includes('"amount" was edited from 5 to 7')).toBe(isChanged);
  },
);

test("the page shows a question of a session that goes on once: at its row, and above when it is left for later", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "waiting-"));
  const sent = { path: ".vscode/a.json", content: "{}" };
  const inspected = await openInspectedAgent(
    function* () {
      yield { text: "I pay.", calls: [{ ...call, name: "create_file", arguments: sent }] };
      return "Later, then.";
    },
    {},
    directory,
  );
  onTestFinished(async () => {
    await inspected.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const { page, complaints } = await open(inspected.url);
  const run = inspected.agent.run("Pay", AbortSignal.timeout(100_000));
  const row = page.getByRole("group", { name: "Let the agent call create_file?" });
  await row.getByRole("button", { name: "Later" }).waitFor();
  expect((await inspected.agent.durable?.waiting())?.approvals).toEqual([]);
  expect(await page.locator("#waiting").isHidden()).toBe(true);
  await row.getByRole("button", { name: "Later" }).click();
  expect(await run).toEqual({ outcome: "done" });
  const above = page.getByRole("group", { name: "create_file waits for an approval" });
  await above.waitFor();
  const [card, search] = await Promise.all([
    above.boundingBox(),
    page.getByRole("searchbox", { name: "Search" }).boundingBox(),
  ]);
  expect((search?.y ?? 0) - ((card?.y ?? 0) + (card?.height ?? 0))).toBeGreaterThan(8);
  expect(complaints).toEqual([]);
});
