import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolRegistry } from "@dispatch/tools-interface";
import { expect, onTestFinished, test } from "vitest";
import * as memory from "./index.ts";
import * as localEmbedder from "./search/local-embedder.ts";

async function opened(): Promise<memory.MemoryStore> {
  const root = mkdtempSync(join(tmpdir(), "memory-options-"));
  const store = await memory.openMemoryStore(join(root, "memory"));
  onTestFinished(async () => {
    await store.close();
    rmSync(root, { recursive: true });
  });
  return store;
}

const ada = async (use: (memory: memory.OwnerMemory) => unknown): Promise<unknown> =>
  use((await opened()).owner("ada"));

type Case = readonly [misspelt: string, meant: string, use: (options: never) => unknown];
const NOWHERE = "/nowhere/at/all";
const given = (name: string, use: (options: object) => unknown) => (options: never) => use({ [name]: options });

/** A public function that takes options, or a method of what it makes, with a misspelt option. */
const TAKES_OPTIONS: Readonly<Record<string, Case>> = {
  createMemory: ["aprove", "approve", (options) => memory.createMemory({} as never, options)],
  openMemory: ["permission", "permissions", (options) => memory.openMemory(NOWHERE, options)],
  "openMemory, permissions": ["cor", "core", given("permissions", (options) => memory.openMemory(NOWHERE, options))],
  "openMemory, limits": ["block", "blocks", given("limits", (options) => memory.openMemory(NOWHERE, options))],
  "openMemory, retention": [
    "expireDay",
    "expireDays",
    given("retention", (options) => memory.openMemory(NOWHERE, options)),
  ],
  openMemoryStore: ["coreTrusts", "coreTrust", (options) => memory.openMemoryStore(NOWHERE, options)],
  "store.owner": ["sesion", "session", async (options) => (await opened()).owner("ada", options)],
  "manager.search": ["limt", "limit", async (options) => ada((own) => own.manager.search("tea", options))],
  "manager.write": ["expectVersions", "expectVersion", async (more) => ada((own) => own.manager.write(more))],
  "manager.edit": ["expectVersions", "expectVersion", async (more) => ada((own) => own.manager.edit(more))],
  "manager.move": ["newLable", "newLabel", async (more) => ada((own) => own.manager.move(more))],
  "manager.remove": ["expectVersions", "expectVersion", async (more) => ada((own) => own.manager.remove(more))],
  "manager.list": ["teir", "tier", async (options) => ada((own) => own.manager.list(options))],
  "admin.write": ["permision", "permission", async (more) => ada((own) => own.admin.write(more))],
  "admin.move": ["teir", "tier", async (to) => ada((own) => own.admin.move("a", to))],
  "admin.remove": ["reasn", "reason", async (options) => ada((own) => own.admin.remove("a", options))],
  "admin.approve": ["versoin", "version", async (options) => ada((own) => own.admin.approve("1", options))],
  "admin.setPermission": [
    "reasn",
    "reason",
    async (options) => ada((own) => own.admin.setPermission("a", "readonly", options)),
  ],
  "admin.history": ["actr", "actor", async (options) => ada((own) => own.admin.history("a", options))],
  "admin.undo": ["actr", "actor", async (target) => ada((own) => own.admin.undo(target))],
  "admin.forget": ["lable", "label", async (target) => ada((own) => own.admin.forget(target))],
  "admin.import": ["restor", "restore", async (options) => ada((own) => own.admin.import([], options))],
  renderCore: ["maxToken", "maxTokens", async (options) => ada((own) => own.renderCore(options))],
  recall: ["budgt", "budget", async (options) => ada((own) => own.recall([], options))],
  log: ["conversaton", "conversation", async (options) => ada((own) => own.log([], options))],
  subscribe: ["interval", "intervalMs", async (options) => ada((own) => own.subscribe(0, options))],
  createMemoryTools: ["howToAprove", "howToApprove", (options) => memory.createMemoryTools({} as never, options)],
  registerMemoryTools: [
    "howToAprove",
    "howToApprove",
    (options) => memory.registerMemoryTools(createToolRegistry(), {} as never, options),
  ],
  createMemoryFilesTool: ["teir", "tier", (options) => memory.createMemoryFilesTool({} as never, options)],
  createTrustTracker: ["source", "sources", (options) => memory.createTrustTracker(options)],
  openAiEmbedder: ["dimension", "dimensions", (options) => memory.openAiEmbedder(options)],
};
const TAKES_NONE = ["localEmbedder", "replayEvents", "toJsonLines"];

test.each(Object.entries(TAKES_OPTIONS))("%s names the option that was meant", async (_, [misspelt, meant, use]) => {
  const attempt = async (): Promise<unknown> => use({ [misspelt]: undefined } as never);
  await expect(attempt()).rejects.toThrow(`found the option "${misspelt}", did you mean "${meant}"`);
});

test("every public function is among those above", () => {
  const functions = Object.entries({ ...memory, ...localEmbedder }).flatMap(([name, value]) =>
    typeof value === "function" && !((value as { prototype?: unknown }).prototype instanceof Error) ? [name] : [],
  );
  const listed = Object.keys(TAKES_OPTIONS).filter((name) => functions.includes(name));
  expect(functions.toSorted()).toEqual([...listed, ...TAKES_NONE].toSorted());
});
