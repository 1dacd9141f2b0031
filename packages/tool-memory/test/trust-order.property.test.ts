import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MemoryBlock, PERMISSIONS, isBelow, toProvenance } from "../src/block/memory-block.ts";
import type { Memory } from "../src/memory/open-memory.ts";
import { engines, isServer } from "./engines.ts";
import { findRisen } from "./trust-attacks.ts";
import { useEngine } from "./use-engine.ts";

const label = fc.constantFrom("a", "b", "c", "d");
const tier = fc.constantFrom("core" as const, "working" as const, "archival" as const);
const long = ["common", ...Array.from({ length: 10 }, (_, n) => n), "end"].map((line) => `${line} long`).join("\n");
const content = fc.constantFrom("common one", "common two", "common one\ncommon three", "common four\nfive\nsix", long);
const supersedes = fc.option(label, { nil: undefined, freq: 2 });

/** An operation in the name of a source. */
const operation = fc.record({
  by: fc.constantFrom("person" as const, "agent" as const, "web" as const),
  op: fc.constantFrom("write", "write", "edit", "move", "remove", "permission", "approve", "approve", "reject", "undo"),
  label,
  newLabel: label,
  tier,
  content,
  supersedes,
  permission: fc.constantFrom(...PERMISSIONS),
  n: fc.nat(5),
});
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;

async function act({ manager }: Memory, { by, ...asked }: Operation): Promise<void> {
  const source = by === "web" ? "web" : "agent";
  if (asked.op === "write") {
    const existing = await manager.get(asked.label);
    // Every line tells who wrote it, so that no line is known because another source wrote it too.
    const text = asked.content.replace(/$/gm, ` by ${by}`);
    await manager.write({
      label: asked.label,
      content: text,
      tier: existing?.tier ?? asked.tier,
      supersedes: asked.supersedes,
      source,
    });
  } else if (asked.op === "edit") {
    const text = (await manager.get(asked.label))?.content ?? "";
    const offset = asked.n % 2 === 0 ? text.length : 0;
    await manager.edit({
      label: asked.label,
      offset,
      before: text.slice(offset, offset + 6),
      after: "common!",
      source,
    });
  } else if (asked.op === "move") {
    await manager.move({
      label: asked.label,
      newLabel: asked.newLabel,
      tier: asked.n > 2 ? asked.tier : undefined,
      source,
    });
  } else if (asked.op === "remove") {
    await manager.remove({ label: asked.label, source });
  }
}

/** What a person does, adding to `shown` the lines that the person writes or sees before approving. */
async function decideOn({ admin }: Memory, asked: Operation, shown: Set<string>): Promise<void> {
  const see = (text: string): void => text.split("\n").forEach((line) => shown.add(line));
  const existing = await admin.get(asked.label);
  if (asked.op === "write" || asked.op === "edit") {
    see(asked.content);
    await admin.write({
      label: asked.label,
      content: asked.content,
      tier: existing?.tier ?? asked.tier,
      supersedes: asked.supersedes,
    });
  } else if (asked.op === "permission") await admin.setPermission(asked.label, asked.permission);
  else if (asked.op === "move") await admin.move(asked.label, { newLabel: asked.newLabel });
  else if (asked.op === "remove") await admin.remove(asked.label);
  else if (asked.op === "undo") {
    const events = await admin.history(undefined, { limit: 6 });
    await admin.undo(events[asked.n % Math.max(events.length, 1)]?.seq ?? 0);
  } else {
    const pending = await admin.pending();
    const one = pending[asked.n % Math.max(pending.length, 1)];
    if (one === undefined) return;
    if (asked.op === "reject") return void (await admin.reject(one.id, "no"));
    for (const line of one.diff.split("\n")) if (/^[ +]/.test(line)) shown.add(line.slice(1));
    await admin.approve(one.id);
  }
}

const look = async ({ manager, admin }: Memory) => ({
  blocks: (await admin.export()).blocks,
  found: new Set((await manager.search("common", { limit: 50 })).map(({ id }) => id)),
});

/** Whether a block of higher trust is what it was, but for what its permission lets this source do. */
function holds(was: MemoryBlock, now: MemoryBlock | undefined, by: "agent" | "web"): boolean {
  if (by === "agent" && was.permission === "readwrite") return true;
  if (now === undefined || now.label !== was.label || now.tier !== was.tier || now.permission !== was.permission)
    return false;
  if (was.permission === "append" && now.content.startsWith(was.content)) return true;
  return now.content === was.content && now.trust === was.trust;
}

describe.each(engines)("$name", (engine) => {
  const { open } = useEngine(engine);

  test("no operation of lower trust changes what a person reads of higher trust, and no trust rises unseen", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 14 }), async (operations) => {
        const memory = await open({ embedder: "none" });
        const shown = new Set<string>();
        let before = await look(memory);
        for (const asked of operations) {
          if (asked.by === "person") await decideOn(memory, asked, shown);
          else await act(memory, asked);
          const after = await look(memory);
          if (asked.by !== "person") {
            const { by } = asked;
            const higher = before.blocks.filter(({ trust }) => isBelow(toProvenance(by).trust, trust));
            for (const was of higher) {
              const now = after.blocks.find(({ id }) => id === was.id);
              expect({ asked, was, now, holds: holds(was, now, by) }).toMatchObject({ holds: true });
              if (before.found.has(was.id) && now !== undefined && now.content.includes("common"))
                expect({ asked, was, found: after.found.has(was.id) }).toMatchObject({ found: true });
              if (by === "web" && !before.found.has(was.id)) expect(after.found.has(was.id)).toBe(false);
            }
          }
          expect(findRisen(after.blocks, shown)).toEqual([]);
          before = after;
        }
        expect(await memory.admin.verify()).toMatchObject({ ok: true });
      }),
      { numRuns: Number(process.env["DISPATCH_TEST_RUNS"] ?? (isServer(engine) ? 15 : 40)) },
    );
  });
});
