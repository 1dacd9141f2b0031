import { createToolRegistry } from "@dispatch/tools-interface";
import fc from "fast-check";
import { type MemoryBlock, PERMISSIONS, SOURCES, TRUST_LEVELS } from "../src/block/memory-block.ts";
import type { Memory } from "../src/memory/open-memory.ts";
import { createMemoryFilesTool } from "../src/tools/memory-files-tool.ts";
import { registerMemoryTools } from "../src/tools/memory-tools.ts";

const names = [
  "core/persona",
  "CORE/Persona",
  "ｃore/persona",
  "rules",
  "rules ",
  "notes",
  "notes/a",
  "log",
  "core%2Fpersona",
  "../rules",
  "'; --",
  "__proto__",
];
const value = fc.oneof(
  fc.constantFrom(...names),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom("core", "working", "archival"),
  fc.integer(),
  fc.constant(null),
);
const fields =
  "label content tier reason expect_version permission owner actor source trust query limit id version __proto__ command path".split(
    " ",
  );
const label = fc.constantFrom(...names);
const text = fc.oneof(fc.string({ unit: "binary", minLength: 1, maxLength: 30 }), fc.constantFrom("start", "I am Ada"));
const path = fc.oneof(
  label.map((name) => `/memories/${name}`),
  fc.constantFrom(
    "/memories",
    "/memories/",
    "/memories/../etc/passwd",
    "/memories/%2e%2e/rules",
    "/memories/notes/..",
    "rules",
  ),
);
const tier = fc.constantFrom("core", "working", "archival");
const command = fc.constantFrom("view", "create", "str_replace", "insert", "delete", "rename");
const file = fc.record({
  path,
  file_text: text,
  old_str: text,
  new_str: text,
  insert_line: fc.nat(3),
  insert_text: text,
  old_path: path,
  new_path: path,
});

/** One call by a model that means harm: mostly well formed, so that it gets far. */
const call = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ name: fc.constant("memory_write"), arguments: fc.record({ label, content: text }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ name: fc.constant("memory_write"), arguments: fc.record({ label, content: text, tier }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      name: fc.constant("memory"),
      arguments: fc.tuple(command, file).map(([asked, rest]) => ({ command: asked, ...rest })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      name: fc.constantFrom(
        "memory_write",
        "memory",
        "memory_read",
        "memory_list",
        "memory_approve",
        "memory_set_permission",
      ),
      arguments: fc.oneof(
        fc.dictionary(fc.constantFrom(...fields), value),
        fc.string({ maxLength: 40 }),
        fc.jsonValue({ maxDepth: 2 }),
      ),
    }),
  },
);

/** Calls of the agent's tools with hostile values, and the source that a host names with them. */
export const hostileCalls = fc.array(
  fc.record({ call, context: fc.constantFrom({}, ...SOURCES.map((memorySource) => ({ memorySource }))) }),
  { minLength: 1, maxLength: 20 },
);

/** A memory to attack: blocks of every permission, and another owner beside it. */
export async function createTarget(memory: Memory, other: Memory) {
  const { admin, manager } = memory;
  await admin.write({ label: "core/persona", content: "I am Ada", tier: "core" });
  await admin.write({ label: "rules", content: "Be kind", permission: "readonly" });
  await admin.write({ label: "log", content: "start", tier: "archival" });
  await admin.write({ label: "notes", content: "free", permission: "readwrite" });
  await other.admin.write({ label: "notes", content: "theirs" });
  const registry = registerMemoryTools(createToolRegistry(), manager).register([createMemoryFilesTool(manager)]);
  const theirs = JSON.stringify(await other.admin.export().then(({ blocks, events }) => [blocks, events]));
  const before = (await admin.export()).blocks;
  return {
    /** Runs calls and gives the codes of those that failed. */
    async attack(calls: readonly { readonly call: { name: string; arguments: unknown }; readonly context: object }[]) {
      const codes: (string | undefined)[] = [];
      for (const { call: asked, context } of calls) {
        const result = await registry.dispatch(asked, { context });
        if (!result.success) codes.push(result.code);
      }
      return codes;
    },
    /** Lists forbidden changes. */
    async findChanged(): Promise<readonly string[]> {
      const { blocks, events, mutations } = await admin.export();
      const changed = before
        .filter(
          (block) =>
            !holds(
              block,
              blocks.find(({ id }) => id === block.id),
            ),
        )
        .map((block) => `${block.label} changed`);
      const inCore = blocks.filter(({ tier: at, id }) => at === "core" && !before.some((block) => block.id === id));
      const byPerson = events.filter(({ actor }) => actor.kind === "person").length - before.length;
      const resolved = mutations.filter(({ status }) => status !== "pending" && status !== "superseded");
      const { ok } = await admin.verify();
      const now = JSON.stringify(await other.admin.export().then(({ blocks: b, events: e }) => [b, e]));
      return [
        ...changed,
        ...inCore.map((block) => `${block.label} is in core`),
        ...(byPerson === 0 ? [] : ["a person's event"]),
        ...resolved.map(({ id }) => `proposal ${id} is resolved`),
        ...(ok ? [] : ["the history does not hold"]),
        ...(now === theirs ? [] : ["another owner's memory changed"]),
      ];
    },
  };
}

/** Whether a block is what its permission allows the agent to have made of it. */
function holds(was: MemoryBlock, now: MemoryBlock | undefined): boolean {
  if (was.permission === "readwrite") return now === undefined || !gained(was, now);
  if (now === undefined) return false;
  if (was.permission === "append")
    return now.content.startsWith(was.content) && !gained(was, now) && now.label === was.label;
  return JSON.stringify(was) === JSON.stringify(now);
}

function gained(was: MemoryBlock, now: MemoryBlock): boolean {
  return (
    PERMISSIONS.indexOf(now.permission) > PERMISSIONS.indexOf(was.permission) ||
    TRUST_LEVELS.indexOf(now.trust) > TRUST_LEVELS.indexOf(was.trust) ||
    SOURCES.indexOf(now.source) < SOURCES.indexOf(was.source)
  );
}
