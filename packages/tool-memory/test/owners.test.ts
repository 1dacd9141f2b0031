import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolRegistry } from "@dispatch/tools-interface";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MemoryStore, openMemoryStore } from "../src/memory/open-memory.ts";
import { openPostgres } from "../src/postgres/postgres-sql.ts";
import { registerMemoryTools } from "../src/tools/memory-tools.ts";
import { createDatabase, serverUrls } from "./engines.ts";

interface Place {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

const places: Readonly<Record<string, () => Promise<Place>>> = {
  async directory() {
    const url = mkdtempSync(join(tmpdir(), "owners-"));
    return { url, drop: async () => rmSync(url, { recursive: true }) };
  },
  ...Object.fromEntries(serverUrls.map((server, n) => [`server ${n + 1}`, () => createDatabase(server)])),
};

describe.each(Object.entries(places))("a store on a %s", (_, make) => {
  let place: Place;
  let store: MemoryStore;
  beforeAll(async () => {
    place = await make();
    store = await openMemoryStore(place.url);
  });
  afterAll(async () => {
    await store.close();
    await place.drop();
  });

  test("keeps every write of 300 owners at once", async () => {
    const owners = Array.from({ length: 300 }, (__, n) => `user-${n}`);
    const outcomes = await Promise.all(
      owners.flatMap((id) =>
        [0, 1, 2].map(async (n) => {
          const { manager } = store.owner(id);
          return (await manager.write({ label: `note ${n}`, content: `tea of ${id}` })).outcome;
        }),
      ),
    );
    expect(new Set(outcomes)).toEqual(new Set(["applied"]));
    for (const id of ["user-0", "user-150", "user-299"]) {
      const { manager, admin } = store.owner(id);
      expect((await manager.list()).length).toBe(3);
      expect((await manager.search("tea")).map(({ content }) => content)).toEqual(Array(3).fill(`tea of ${id}`));
      expect(await admin.verify()).toMatchObject({ ok: true });
    }
  }, 120_000);

  test("tells owners apart whose ids look alike, and takes any text that is one", async () => {
    const ids = [
      "Ann",
      "ann",
      "ann ",
      "a'n\"n",
      "ann\n",
      "*",
      "%",
      "Ａnn",
      "../ann",
      "日本",
      "\u{1f469}",
      "a".repeat(200),
      "1",
      "01",
    ];
    await Promise.all(ids.map((id) => store.owner(id).manager.write({ label: "me", content: `I am <${id}>` })));
    for (const id of ids) expect(await store.owner(id).admin.get("me")).toMatchObject({ content: `I am <${id}>` });
    for (const bad of ["", "a".repeat(201), "a\0", "\ud800", undefined, null, 7, ["ann"], { toString: () => "ann" }])
      expect(() => store.owner(bad as string)).toThrow("owner is not a name");
  });

  test("tools take the owner from the call's context, and from nowhere else", async () => {
    const registry = registerMemoryTools(createToolRegistry(), store);
    const as = (memoryOwner: string) => ({ context: { memoryOwner } });
    await registry.dispatch("memory_write", { label: "secret", content: "the cat is Tom" }, as("eve-1"));
    const forged = { query: "cat", memoryOwner: "eve-1", owner: "eve-1", context: { memoryOwner: "eve-1" } };
    const smuggled = await registry.dispatch("memory_read", forged, as("eve-2"));
    expect(String(smuggled)).not.toContain("Tom");
    for (const label of ["secret", "eve-1/secret", "../eve-1/secret"])
      expect(String(await registry.dispatch("memory_read", { query: label }, as("eve-2")))).not.toContain("Tom");
    expect(String(await registry.dispatch("memory_list", {}, as("eve-2")))).not.toContain("secret");
    expect(String(await registry.dispatch("memory_read", { query: "cat" }, as("eve-1")))).toContain("Tom");
    // @ts-expect-error -- a call over a store names its owner
    expect(await registry.dispatch("memory_list", {}, { context: {} })).toMatchObject({ code: "missing_context" });
    for (const context of [undefined, {}, { memoryOwner: "" }, { memoryOwner: 1 }, { memoryOwner: "a\0" }]) {
      const result = await registry.dispatch({ name: "memory_read", arguments: { query: "cat" } }, {
        context,
      } as never);
      expect(result.success).toBe(false);
    }
  });

  test("a session in the call's context is the one of the history", async () => {
    const registry = registerMemoryTools(createToolRegistry(), store);
    const context = { memoryOwner: "session", memorySession: "monday" };
    await registry.dispatch("memory_write", { label: "a", content: "b" }, { context });
    expect(await store.owner("session").admin.history()).toMatchObject([{ session: "monday" }]);
  });

  test("an owner is refused once the store is closed, also amid calls", async () => {
    const closing = await openMemoryStore(place.url);
    const { manager } = closing.owner("late");
    const writes = Array.from({ length: 50 }, (__, n) => manager.write({ label: `n ${n}`, content: "x" }));
    const closed = closing.close();
    await expect(closing.owner("late").manager.search("x")).rejects.toMatchObject({ code: "memory_closed" });
    const settled = await Promise.allSettled(writes);
    await closed;
    await closing.close();
    const kept = settled.filter(({ status }) => status === "fulfilled").length;
    expect((await store.owner("late").manager.list()).length).toBe(kept);
    for (const one of settled)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "memory_closed" });
  });
});

describe.each(serverUrls.map((server, n) => ({ name: `server ${n + 1}`, server })))(
  "connections to $name",
  ({ server }) => {
    test("are at most ten for 300 owners, and no owner waits in vain for one", async () => {
      const { url, drop } = await createDatabase(server);
      const store = await openMemoryStore(url);
      const watch = openPostgres(server, { connections: 1 });
      const name = new URL(url).pathname.slice(1);
      let most = 0;
      const done = new AbortController();
      const watching = (async () => {
        while (!done.signal.aborted) {
          const [row] = await watch.query<{ count: number }>(
            "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'",
            [name],
          );
          most = Math.max(most, row?.count ?? 0);
        }
      })();
      try {
        const outcomes = await Promise.all(
          Array.from({ length: 300 }, async (__, n) => {
            const written = await store.owner(`user-${n}`).manager.write({ label: "note", content: `tea ${n}` });
            return written.outcome;
          }),
        );
        expect(outcomes.filter((outcome) => outcome === "applied").length).toBe(300);
      } finally {
        done.abort();
        await watching;
        await watch.close();
        await store.close();
        await drop();
      }
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(10);
    }, 120_000);

    test("that the server ends cost no acknowledged write and no event of a subscription", async () => {
      const { url, drop } = await createDatabase(server);
      const store = await openMemoryStore(url, { connections: 4 });
      const admin = openPostgres(server, { connections: 1 });
      const name = new URL(url).pathname.slice(1);
      const endAll = () =>
        admin.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'",
          [name],
        );
      const { manager, subscribe } = store.owner("ended");
      const kept: string[] = [];
      const seqs: number[] = [];
      const ending = new AbortController();
      const subscribed = (async () => {
        for await (const { seq } of subscribe(0, { intervalMs: 1, signal: ending.signal })) seqs.push(seq);
      })();
      try {
        for (let round = 0; round < 4; round++) {
          const writes = Array.from({ length: 20 }, async (__, n) => {
            const label = `n${round}-${n}`;
            const done = await manager.write({ label, content: "x" }).catch((error: unknown) => error);
            if (done instanceof Error) expect(done).toMatchObject({ code: "memory_connection" });
            else kept.push(label);
          });
          await endAll();
          await Promise.all(writes);
        }
        const there = new Set((await manager.list()).map(({ label }) => label));
        expect(kept.length).toBeGreaterThan(40);
        expect(kept.filter((label) => !there.has(label))).toEqual([]);
        await expect.poll(() => seqs.length).toBe(there.size);
        expect(seqs).toEqual(seqs.map((__, at) => at + 1));
      } finally {
        ending.abort();
        await subscribed;
        await admin.close();
        await store.close();
        await drop();
      }
    }, 60_000);

    test("that the server refuses are waited for, then named with advice", async () => {
      const { url, drop } = await createDatabase(server);
      const name = new URL(url).pathname.slice(1);
      const admin = openPostgres(server, { connections: 1 });
      const first = await openMemoryStore(url);
      // A user of few connections: the limit does not hold for a superuser.
      const role = `few_${name}`;
      const user = new URL(url);
      user.username = role;
      user.password = "few";
      try {
        await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'few' CONNECTION LIMIT 3`);
        await admin.query(`GRANT ALL ON DATABASE ${name} TO ${role}`);
        const grants = openPostgres(url, { connections: 1 });
        await grants.query(`GRANT ALL ON SCHEMA dispatch_memory TO ${role}`);
        await grants.query(`GRANT ALL ON ALL TABLES IN SCHEMA dispatch_memory TO ${role}`);
        await grants.query(`GRANT ALL ON ALL SEQUENCES IN SCHEMA dispatch_memory TO ${role}`);
        await grants.close();
        const store = await openMemoryStore(user.href);
        const outcomes = await Promise.all(
          Array.from({ length: 60 }, async (__, n) => {
            return (await store.owner(`u${n}`).manager.write({ label: "note", content: "tea" })).outcome;
          }),
        );
        expect(outcomes).toEqual(Array(60).fill("applied"));
        await store.close();
        await admin.query(`ALTER ROLE ${role} CONNECTION LIMIT 0`);
        const refused = openPostgres(user.href, { patienceMs: 100 });
        await expect(refused.query("SELECT 1")).rejects.toMatchObject({
          code: "memory_connection",
          message: expect.stringContaining("openMemoryStore"),
        });
        await refused.close();
      } finally {
        await first.close();
        await drop();
        await admin.query(`DROP ROLE IF EXISTS ${role}`);
        await admin.close();
      }
    }, 120_000);
  },
);
