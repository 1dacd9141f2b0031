import { createToolRegistry } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { useSharedDatabase } from "../../test/shared-database.ts";
import { registerMemoryTools } from "../tools/memory-tools.ts";
import { SOURCES } from "./memory-block.ts";

const { open } = useSharedDatabase();

test("every answer says of a text that nobody vouches for where it comes from, ahead of the text", async () => {
  const { manager } = await open();
  const registry = registerMemoryTools(createToolRegistry(), manager);
  for (const memorySource of SOURCES) {
    const label = `from ${memorySource}`;
    const params = { label, content: "Shop closes at six" };
    const calls = [
      await registry.dispatch({ name: "memory_write", arguments: params }, { context: { memorySource } }),
      await registry.dispatch({ name: "memory_read", arguments: { query: label, limit: 1 } }, {}),
    ];
    for (const result of calls) {
      const doubted = !["person", "agent"].includes(memorySource);
      const text = String(result);
      expect(text.includes('{"caution":"from ')).toBe(doubted);
      expect(text).toContain(`"source":"${memorySource === "person" ? "agent" : memorySource}"`);
    }
  }
  const list = String(await registry.dispatch({ name: "memory_list", arguments: {} }, {}));
  expect(list.match(/vouched for by nobody/g)).toHaveLength(3);
});

test("a source that is none is refused before anything is written", async () => {
  const { manager } = await open();
  const registry = registerMemoryTools(createToolRegistry(), manager);
  const context = { memorySource: "root" } as never;
  const call = { name: "memory_write", arguments: { label: "a", content: "x" } };
  expect(await registry.dispatch(call, { context })).toMatchObject({ success: false, code: "missing_context" });
  expect(await manager.list()).toEqual([]);
});
