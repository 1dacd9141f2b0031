// Uses every entry of the four packages and prints, as JSON, the result for each package: "works" or its error.
import { mkdtemp, mkdir, writeFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createCodeTool, registerCodeTool } from "@dispatch/tool-code";
import { DenoRuntime } from "@dispatch/tool-code/deno";
import { QuickJsRuntime } from "@dispatch/tool-code/quickjs";
import { createFileTools, registerFileTools } from "@dispatch/tool-files";
import { openMemory, registerMemoryTools } from "@dispatch/tool-memory";
import { localEmbedder } from "@dispatch/tool-memory/local-embedder";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { runEdge } from "./edge.js";

export async function runAll() {
  const directory = await mkdtemp(path.join(tmpdir(), "dispatch-bundle-"));
  const run = async (work) => {
    try {
      const limit = new Promise((_, reject) =>
        setTimeout(() => reject(new Error("it took longer than 20 s")), 20_000).unref(),
      );
      return (await Promise.race([work(directory), limit])) ?? "works";
    } catch (error) {
      return `${error.name} ${error.code ?? ""}: ${error.message}`;
    }
  };
  try {
    return {
      "tools-interface": await run(useInterface),
      "tool-files": await run(useFiles),
      "tool-memory": await run(useMemory),
      "tool-code/deno": await run(useDeno),
      "tool-code/quickjs": await run(useQuickJs),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function expect(result, wanted) {
  const text = String(result);
  if (!result.success || !wanted.test(text)) throw new Error(`found ${text}, expected ${wanted}`);
}

async function useInterface() {
  const failed = await runEdge();
  if (failed.length > 0) throw new Error(failed.join("; "));
}

async function useFiles(directory) {
  const worktreePath = path.join(directory, "worktree");
  await mkdir(worktreePath);
  await writeFile(
    path.join(worktreePath, "latin1.txt"),
    Buffer.from("caf\xe9 na\xefve d\xe9j\xe0 vu ".repeat(20_000), "latin1"),
  );
  await writeFile(
    path.join(worktreePath, "long.txt"),
    Array.from({ length: 40_000 }, (_, n) => `line ${n % 50}`).join("\n"),
  );
  for (let n = 0; n < 40; n += 1) await writeFile(path.join(worktreePath, `a${n}.md`), `needle ${n}\n`);
  const context = { worktreePath };
  for (const options of [{}, { ripgrep: false }]) {
    const registry = registerFileTools(createToolRegistry(), options);
    const call = (name, params) => registry.dispatch(name, params, { context, approve: () => true });
    expect(await call("list_files", { pattern: "**/*.md" }), /a39\.md/);
    expect(await call("search_files", { query: "needle 3" }), /a3\.md/);
    expect(await call("search_files", { query: "d.j. vu", regex: true, encoding: "latin1" }), /./);
    expect(await call("read_file", { path: "latin1.txt", limit: 1 }), /caf/);
  }
  const registry = registerFileTools(createToolRegistry(), { tools: ["edit_file", "apply_patch"] });
  const edit = { path: "long.txt", edits: [{ old_text: "line 1", new_text: "LINE", replace_all: true }] };
  expect(await registry.dispatch("edit_file", edit, { context }), /Applied 1 edit/);
  const patch = "*** Begin Patch\n*** Update File: a1.md\n@@\n-needle 1\n+thread\n*** End Patch";
  expect(await registry.dispatch("apply_patch", { patch }, { context }), /a1\.md/);
  if (createFileTools === undefined) throw new Error("no createFileTools");
}

async function useMemory(directory) {
  for (const url of [":memory:", path.join(directory, "memory")]) {
    const memory = await openMemory(url);
    const registry = registerMemoryTools(createToolRegistry(), memory.manager);
    await registry.dispatch("memory_write", { label: "tea", content: "The user drinks green tea" });
    expect(await registry.dispatch("memory_read", { query: "green tea" }), /green tea/);
    await memory.close();
  }
  const refusal = await openMemory("postgres://nobody@127.0.0.1:1/none").then(
    () => "opened",
    (error) => `${error.code}`,
  );
  if (!/memory_driver|memory_connection/.test(refusal)) throw new Error(`a server: ${refusal}`);
  const embed = await localEmbedder()
    .embed(["a"], { signal: new AbortController().signal })
    .then(
      () => "memory_embedder",
      (error) => error.code,
    );
  if (embed !== "memory_embedder") throw new Error(`the embedder: ${embed}`);
}

const useDeno = () => useRuntime(() => new DenoRuntime({ denoPath: globalThis.process.env.DENO_PATH || undefined }));
const useQuickJs = () => useRuntime(() => new QuickJsRuntime());

async function useRuntime(create) {
  const double = defineTool({
    name: "double",
    description: "Doubles",
    parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    execute: ({ n }) => n * 2,
  });
  const runtime = create();
  try {
    const registry = createToolRegistry().register(double);
    registerCodeTool(registry, { runtime });
    const code = "const a: number = (await double({ n: 20 })) as number; return a + 2;";
    const result = await registry.dispatch("execute_code", { code });
    if (!result.success || !String(result).includes("42"))
      throw new Error(`found ${result} ${JSON.stringify(result.error?.cause ?? result.metadata)}`);
    if (createCodeTool === undefined) throw new Error("no createCodeTool");
  } finally {
    await runtime.close();
  }
}
