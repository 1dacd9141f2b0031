import { expect, test } from "vitest";
import { engines, isServer } from "../../test/engines.ts";
import { toState } from "../block/memory-block.ts";
import { applyChange, replaceAll } from "../change/apply-change.ts";
import { createMemoryOn } from "../memory/open-memory.ts";
import { selectBlock } from "./block-rows.ts";
import { lockOwnerAndBlock, type OwnerAndBlock, lockOwner } from "./lock-owner.ts";

test.each(engines)(
  "$name: lockOwnerAndBlock() reads the block as the transaction it waited for left it",
  async (engine) => {
    const sql = await engine.open();
    const { admin, close } = await createMemoryOn(sql, { embedder: "none" });
    try {
      await admin.write({ label: "tea", content: "green" });
      let waiting: Promise<OwnerAndBlock> | undefined;
      await sql.transaction(async (tx) => {
        const locked = await lockOwner(tx, "default");
        waiting = sql.transaction((other) => lockOwnerAndBlock(other, "default", "tea"));
        // A server has begun the statement by then; an embedded database begins nothing before this has ended.
        const isBlocked = async () => (await tx.query("SELECT 1 AS one FROM pg_locks WHERE NOT granted")).length > 0;
        while (isServer(engine) && !(await isBlocked()));
        const block = await selectBlock(tx, "default", "tea");
        if (block === null) throw new Error("the block is not there");
        const change = { kind: "edited", block, is: toState(block), splice: replaceAll("green", "black") } as const;
        await applyChange(locked, change, { actor: { kind: "person", id: "ada" }, session: null }, null);
      });
      const found = await waiting;
      expect(found).toMatchObject({ locked: { seq: 2, blocks: 1 }, block: { content: "black", version: 2 } });
      expect((await sql.transaction((tx) => lockOwnerAndBlock(tx, "default", "coffee"))).block).toBeNull();
      expect((await sql.transaction((tx) => lockOwnerAndBlock(tx, "nobody yet", "tea"))).locked).toMatchObject({
        seq: 0,
      });
    } finally {
      await close();
    }
  },
);
