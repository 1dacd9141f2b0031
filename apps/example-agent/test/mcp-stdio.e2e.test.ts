import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { call, connectStdio, endAll, yes, type Era, type Reply } from "./mcp-connection.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const TOOLS = [
  "read_file",
  "write_file",
  "edit_file",
  "create_file",
  "list_files",
  "search_files",
  "undo_file_change",
  "memory_read",
  "memory_write",
  "memory_list",
  "read_output",
  "code_search",
  "ask_user_question",
  "execute_code",
];
let directory: string;
let client: Client;
let reply: Reply;
const asked: string[] = [];

afterEach(() => asked.splice(0));

describe.each(["legacy", "modern"] satisfies Era[])("mcp over stdio, %s clients", (era) => {
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mcp-test-"));
    await writeFile(path.join(directory, "a.txt"), "one\ntwo\n");
    await writeFile(path.join(directory, "pixel.png"), Buffer.from(PIXEL, "base64"));
    await writeFile(path.join(directory, "long.txt"), "x".repeat(99).concat("\n").repeat(20_000));
    const noted: Reply = (form) => {
      asked.push(form.message);
      return reply(form);
    };
    client = await connectStdio(["--workspace", directory, "--structured-output"], { era, reply: noted });
  });
  afterAll(async () => {
    await endAll();
    await rm(directory, { recursive: true, force: true });
  });

  test("lists every tool with its title, its hints and the schema of its data", async () => {
    expect(client.getProtocolEra()).toBe(era);
    expect(client.getInstructions()).toContain("worktree");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    for (const { name, title, description, inputSchema } of tools) {
      expect(title, name).toMatch(/^[A-Z][a-z ]+$/);
      expect(description, name).not.toBe("");
      expect(inputSchema, name).toMatchObject({ type: "object", properties: expect.anything() });
    }
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints).toMatchObject({
      read_file: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      write_file: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      execute_code: { readOnlyHint: false, destructiveHint: true },
    });
    const data = tools.filter(({ outputSchema }) => outputSchema !== undefined).map(({ name }) => name);
    // A kept output is a text, also if it was an output of another kind.
    expect(data).toEqual(TOOLS.filter((name) => name !== "read_output"));
  });

  test("runs calls; the official client holds their data against the schemas", async () => {
    await client.listTools();
    expect((await call(client, "read_file", { path: "a.txt" })).structuredContent).toMatchObject({ total_lines: 2 });
    expect(await call(client, "create_file", { path: "b/c.txt", content: "three\n" })).not.toHaveProperty("isError");
    const edits = [{ old_text: "two", new_text: "four" }];
    expect((await call(client, "edit_file", { path: "a.txt", edits })).text).toContain("+four");
    expect((await call(client, "list_files")).text).toContain("b/c.txt");
    expect((await call(client, "search_files", { query: "four" })).text).toContain("a.txt");
    const code = "const { content } = await read_file({ path: 'a.txt' }); return content.length";
    expect((await call(client, "execute_code", { code })).structuredContent).toMatchObject({ value: 9 });
    const kept = await call(client, "memory_write", { label: "notes/a", content: "remember" });
    expect(kept.text).toContain('"source":"tool"');
    expect((await call(client, "memory_read", { query: "remember" })).text).toContain("notes/a");
    expect((await call(client, "memory_list")).isError).toBeUndefined();
    expect((await call(client, "read_file", { path: "pixel.png" })).content).toContainEqual(
      expect.objectContaining({ type: "image", mimeType: "image/png" }),
    );
    expect(await readFile(path.join(directory, "a.txt"), "utf8")).toBe("one\nfour\n");
  });

  test("answers what is wrong: to the model what it can mend, to the client what it cannot", async () => {
    for (const args of [{}, { path: 3 }, { path: "../a.txt" }, { path: "/etc/passwd" }]) {
      const { isError, text } = await call(client, "read_file", args);
      expect(isError).toBe(true);
      expect(text).toMatch(/^Cannot /);
    }
    // A number in a text is mended, and said to be.
    expect((await call(client, "list_files", { recursive: "true" })).isError).toBeUndefined();
    for (const name of ["no_such_tool", "constructor", "__proto__", ""]) {
      await expect(call(client, name)).rejects.toMatchObject({ code: -32_602 });
    }
    expect((await call(client, "read_file", { path: "long.txt" })).text.length).toBeLessThan(110_000);
  });

  test("asks the client's person for approval, with all of what a yes is a yes to, and takes only a yes for one", async () => {
    const content = Array.from({ length: 300 }, (_, line) => `line ${line}`).join("\n");
    const replies: Reply[] = [
      () => ({ action: "accept", content: { approve: false, reason: "not this file" } }),
      () => ({ action: "decline" }),
      () => ({ action: "cancel" }),
      () => ({ action: "accept" }),
      () => ({ action: "accept", content: { approve: "true" } }),
      yes,
    ];
    reply = (form) => replies[asked.length - 1]?.(form) ?? { action: "cancel" };
    const file = { path: ".vscode/settings.json", content };
    const texts: string[] = [];
    for (let no = 0; no < 5; no += 1) {
      const { isError, text } = await call(client, "write_file", file);
      expect(isError).toBe(true);
      texts.push(text);
    }
    expect(texts[0]).toContain("not this file");
    expect(existsSync(path.join(directory, file.path))).toBe(false);
    expect((await call(client, "write_file", file)).isError).toBeUndefined();
    expect(await readFile(path.join(directory, file.path), "utf8")).toBe(content);
    expect(asked).toHaveLength(6);
    expect(asked[0]).toMatch(
      /^Let the agent call write_file\?\n\npath: \.vscode\/settings\.json\ncontent:\n {2}line 0\n/,
    );
    expect(asked[0]).toMatch(/line 299$/);
  });

  test("asks for the calls of a program too, and the program goes on where it was", async () => {
    reply = () => ({ action: "accept", content: { approve: asked.length === 1, reason: "once is enough" } });
    const code = `const write = (name) => write_file({ path: ".vscode/" + name, content: "{}" }).then(() => "done", (error) => error.message);
      await create_file({ path: "count.txt", content: "once" });
      return [await write("a.json"), await write("b.json")]`;
    const { structuredContent, text } = await call(client, "execute_code", { code });
    expect(structuredContent, text).toMatchObject({ value: ["done", expect.stringContaining("once is enough")] });
    expect(asked[0]).toMatch(/^Let the agent call write_file, from execute_code\?/);
    expect(asked).toHaveLength(2);
    expect(existsSync(path.join(directory, ".vscode/b.json"))).toBe(false);
  });

  test("puts what was proposed for core memory before the person", async () => {
    reply = () => ({ action: "accept", content: { approve: asked.length === 2 } });
    const no = await call(client, "memory_write", { label: "persona", content: "I obey", tier: "core" });
    expect(no.text).toContain("core memory persona: rejected");
    const ok = await call(client, "memory_write", { label: "persona", content: "I help", tier: "core" });
    expect(ok.text).toContain("core memory persona: approved");
    expect(asked[1]).toContain("+I help");
    expect((await call(client, "memory_read", { query: "help" })).text).toContain("I help");
  });

  test("puts the agent's own questions before the person", async () => {
    reply = () => ({ action: "accept", content: { choice: "no", other: "not today" } });
    const options = [{ label: "yes", description: "all of them" }, { label: "no" }];
    const { structuredContent } = await call(client, "ask_user_question", { question: "Delete them?", options });
    expect(structuredContent).toEqual({ answered: true, chosen: ["no"], words: "not today" });
    expect(asked).toEqual(["Delete them?\n\nyes: all of them"]);
  });

  test("says how far a call has come, and stops it when it is cancelled", async () => {
    const heard: number[] = [];
    const stop = new AbortController();
    const onprogress = ({ progress, message }: { progress: number; message?: string | undefined }): void => {
      heard.push(progress);
      if (message?.includes("b.txt") === true) stop.abort("enough");
    };
    const code = `await read_file({ path: "a.txt" });
      for (let file = 0; file < 300; file += 1) {
        await create_file({ path: "made/" + file, content: "" });
        await new Promise((resolve) => setTimeout(resolve, 150));
        if (file === 3) await create_file({ path: "b.txt", content: "" });
      }`;
    const running = client.callTool({ name: "execute_code", arguments: { code } }, { signal: stop.signal, onprogress });
    await expect(running).rejects.toThrow("enough");
    expect(heard.length).toBeGreaterThan(2);
    expect(heard).toEqual(heard.toSorted((one, other) => one - other).filter((one, at, all) => one !== all[at - 1]));
    // The program has ended: no file was made while there was time for some, and it was far from its last one.
    let made = "";
    const hasEnded = async (): Promise<boolean> => {
      const before = made;
      made = (await call(client, "list_files", { path: "made" })).text;
      return made === before;
    };
    await expect.poll(hasEnded, { interval: 1_000, timeout: 100_000 }).toBe(true);
    expect(made.split("\n").length).toBeLessThan(100);
  });
});
