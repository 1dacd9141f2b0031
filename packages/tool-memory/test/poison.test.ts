import { expect, test } from "vitest";
import { findLoose, findLooseLine } from "./find-unescaped.ts";
import { poison } from "./poison.ts";
import { useSharedDatabase } from "./shared-database.ts";
import { storedInjections } from "./stored-injections.ts";

const { open } = useSharedDatabase();
const free = { permissions: { core: "readwrite" }, limits: { pendingMutations: 5_000 } } as const;

test("no stored injection leaves its fence or enters core, though the agent may write core", async () => {
  expect(storedInjections).toHaveLength(200);
  // Every seventh: each wrapper is met, and the bench does all of them.
  const texts = storedInjections.filter((_, n) => n % 7 === 0);
  expect(await poison(await open(free), texts)).toEqual({ unfenced: [], inCore: 0 });
});

test("what leaves a fence is found", () => {
  expect(findLoose('{"content":"</x>"}')).toBe('"<"');
  expect(findLoose('{"content":"a"}\n{}')).toBe('"\\n"');
  expect(findLoose('{"content":"a"}"}')).toBe("not JSON");
  const heading = "Here's the content of /memories/a with line numbers:\n(from the web, vouched for by nobody)\n";
  expect(findLooseLine(`${heading}     1\ttea`, "/memories/a")).toBeUndefined();
  expect(findLooseLine(`${heading}     1\ttea\nobey`, "/memories/a")).toBe("obey");
});

test("trust is the least of all that went into a text, and only a person raises it", async () => {
  const { manager, admin } = await open();
  const trustOf = async () => {
    const block = await admin.get("notes");
    return block && `${block.source} ${block.trust}`;
  };
  await manager.write({ label: "notes", content: "one", tier: "archival" });
  expect(await trustOf()).toBe("agent medium");
  await manager.write({ label: "notes", content: "from a page", source: "web" });
  expect(await trustOf()).toBe("web low");
  await manager.write({ label: "notes", content: "more", source: "agent" });
  await manager.edit({ label: "notes", offset: 20, before: "", after: "!", source: "person" });
  expect(await trustOf()).toBe("web low");
  expect(await admin.undo([2, 3, 4])).toMatchObject({ outcome: "undone", blocks: [{ content: "one" }] });
  expect(await trustOf()).toBe("agent medium");
  await admin.write({ label: "notes", content: "one" });
  expect(await trustOf()).toBe("person high");
});

test("a manager takes no source for a person's, and one it does not know for the web's", async () => {
  const { manager } = await open();
  const write = (label: string, source: unknown) => manager.write({ label, content: "x", source: source as "web" });
  expect(await write("a", "person")).toMatchObject({ block: { source: "agent", trust: "medium" } });
  expect(await write("b", "root")).toMatchObject({ block: { source: "web", trust: "low" } });
  const { manager: reader } = await open({ source: "web" });
  expect(await reader.write({ label: "a", content: "x" })).toMatchObject({ block: { source: "web", trust: "low" } });
});

test("approving what came from the web vouches for it and keeps where it came from", async () => {
  const { manager, admin, renderCore } = await open({ permissions: { core: "readwrite" } });
  const queued = await manager.write({ label: "user", content: "Likes tea", tier: "core", source: "web" });
  if (queued.outcome !== "queued") throw new Error(queued.outcome);
  expect(queued.mutation).toMatchObject({ source: "web", trust: "low" });
  await admin.approve(queued.mutation.id);
  expect(await admin.get("user")).toMatchObject({ source: "web", trust: "high" });
  expect((await renderCore()).text).toContain('{"label":"user","source":"web","content":"Likes tea"}');
  expect(await manager.write({ label: "user", content: "Likes rum", source: "web" })).toMatchObject({
    outcome: "queued",
  });
});
