import { expect, test } from "vitest";
import { useSharedDatabase } from "../test/shared-database.ts";
import type { Memory } from "./create-memory.ts";
import type { Permission } from "./permission.ts";

const { open } = useSharedDatabase();

async function cityWith(permission: Permission): Promise<Memory> {
  const memory = await open();
  await memory.steward.write({ label: "city", content: "The user lives in Paris", permission });
  return memory;
}
const found = async ({ manager }: Memory, options = {}): Promise<readonly string[]> =>
  (await manager.read("where does the user live", options)).map(({ label }) => label);
const move = { label: "home town", content: "The user lives in Lyon", supersedes: "CITY" };

test.each(["append", "readwrite"] as const)(
  "write() has a block with %s superseded: kept, found by its label or when asked for",
  async (permission) => {
    const memory = await cityWith(permission);
    expect(await memory.manager.write(move)).toMatchObject({ outcome: "applied" });
    expect(await found(memory)).toEqual(["home town"]);
    expect(new Set(await found(memory, { superseded: true }))).toEqual(new Set(["home town", "city"]));
    expect((await memory.manager.read("city"))[0]?.label).toBe("city");
    expect(await memory.steward.get("city")).toMatchObject({ content: "The user lives in Paris", version: 1 });
    expect(await memory.steward.history("city")).toHaveLength(1);
  },
);

test("write() refuses to supersede what is readonly, what is not there, and itself; nothing is written", async () => {
  const memory = await cityWith("readonly");
  for (const [supersedes, code] of [
    ["city", "readonly"],
    ["nowhere", "not_found"],
    ["home town", "invalid_value"],
    ["../x", "invalid_label"],
  ] as const)
    expect(await memory.manager.write({ ...move, supersedes })).toMatchObject({ outcome: "refused", code });
  expect(await memory.steward.get("home town")).toBeNull();
  expect(await found(memory)).toEqual(["city"]);
});

test("write() has a person asked before a familiar block is superseded", async () => {
  const memory = await cityWith("familiar");
  const queued = await memory.manager.write({ ...move, reason: "moved" });
  expect(queued).toMatchObject({
    outcome: "queued",
    mutation: { label: "home town", reason: "Supersedes city. moved" },
  });
  expect(await found(memory)).toEqual(["city"]);
  await memory.steward.approve(queued.outcome === "queued" ? queued.mutation.id : "");
  expect(await found(memory)).toEqual(["home town"]);
});

test("a proposal that waits does not gain what it supersedes by being made again", async () => {
  const memory = await cityWith("familiar");
  const plain = { label: "home town", content: "The user lives in Lyon", tier: "core" as const };
  const first = await memory.manager.write(plain);
  await memory.manager.write({ ...plain, supersedes: "city" });
  const [proposal] = await memory.steward.pending();
  expect(first).toMatchObject({ outcome: "queued", mutation: { id: proposal?.id } });
  await memory.steward.approve(proposal?.id ?? "");
  expect(new Set(await found(memory))).toEqual(new Set(["city", "home town"]));
});

test("undo() and forget() of the later block bring the earlier one back", async () => {
  const memory = await cityWith("readwrite");
  await memory.manager.write({ label: "home town", content: "Somewhere" });
  await memory.manager.write(move);
  expect(await found(memory)).toEqual(["home town"]);
  await memory.steward.undo(3);
  expect((await found(memory))[0]).toBe("city");
  await memory.manager.write(move);
  expect(await found(memory)).toEqual(["home town"]);
  await memory.steward.forget("home town");
  expect(await found(memory)).toEqual(["city"]);
});

test("write() tells of blocks that say nearly the same when it creates one and is asked to", async () => {
  const { manager, steward } = await open();
  await steward.write({ label: "user/city", content: "The user lives in Paris, near the canal", tier: "archival" });
  await steward.write({ label: "user/dog", content: "The user has a dog", tier: "archival" });
  const write = (label: string, content: string) => manager.write({ label, content, findSimilar: true });
  expect(await write("city", "The user lives in Paris near the canal")).toMatchObject({
    similar: [{ label: "user/city", preview: "The user lives in Paris, near the canal" }],
  });
  expect(await write("town", "The user lives in Paris, near the canal")).toMatchObject({
    similar: [{ likeness: 1 }, {}],
  });
  expect(await write("job", "Works as a carpenter")).not.toHaveProperty("similar");
  expect(await manager.write({ label: "town 2", content: "The user lives in Paris" })).not.toHaveProperty("similar");
});
