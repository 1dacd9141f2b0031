import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { anthropicEvents } from "./fake-provider/anthropic-events.ts";
import { refuse, stream, type Reply } from "./fake-provider/fake-provider.ts";
import { CTRL_D, ENTER, type TerminalRun } from "./in-terminal.ts";
import { chatAtTerminal, useTerminalChat } from "./terminal-chat.ts";

const LIMIT = 12_000;
const STORY = "Once upon a time there was a long answer. ".repeat(60);

const here = useTerminalChat();

const says = (text: string): Reply => stream(anthropicEvents({ text }));

/** A chat whose model reads so many tokens. */
function chatWith(...replies: readonly Reply[]): Promise<TerminalRun> {
  const sessions = path.join(here.home, "sessions");
  return chatAtTerminal(here, replies, ["--sessions", sessions, "--context-tokens", String(LIMIT)]);
}

/** The messages of a request, as JSON. */
const sent = (request: number): string => JSON.stringify(here.provider?.asked[request]?.body.messages);

/** What `/usage` says of the context, in percent. */
async function meter(chat: TerminalRun): Promise<number> {
  const from = chat.raw.length;
  chat.type(`/usage${ENTER}`);
  await chat.seen(/tokens in .* out\n+context \d+ % of 12k tokens\n+› $/);
  return Number(/context (\d+) % of 12k tokens/.exec(chat.raw.slice(from))?.[1]);
}

async function savedSession(): Promise<string> {
  const directory = path.join(here.home, "sessions");
  const file = (await readdir(directory)).find((name) => name.endsWith(".jsonl")) ?? "";
  return readFile(path.join(directory, file), "utf8");
}

describe("a chat that is to be shorter", () => {
  test("replaces the conversation by a summary at /compact, and keeps what the person names", async () => {
    const chat = await chatWith(says(STORY), says("THE RECORD of it."), says("Gladly."));
    chat.type(`Tell me a story of the fox${ENTER}`);
    await chat.seen(/42 tokens in .*out; context \d+ % of 12k tokens\n+› $/);
    const before = await meter(chat);
    chat.type(`/compact the fox's name${ENTER}`);
    await chat.seen(/2 older messages are summarised for the model; all of them are kept\n[^]*› $/);
    expect(here.provider?.asked[1]?.body.tools ?? []).toEqual([]);
    expect(sent(1)).toContain("The user wants to keep above all: the fox's name");
    expect(await meter(chat)).toBeLessThan(before);
    chat.type(`Another${ENTER}`);
    await chat.seen(/Gladly\.[^]*› $/);
    expect(sent(2)).toContain("Tell me a story of the fox");
    expect(sent(2)).toContain("THE RECORD of it.");
    expect(sent(2)).not.toContain("Once upon a time");
    // The tokens of the summary count: three answers of 42.
    chat.type(`/usage${ENTER}`);
    await chat.seen(/126 tokens in/);
    chat.type(CTRL_D);
    expect(await chat.ended).toBe(0);
    expect(await savedSession()).toContain(STORY.slice(0, 500));
  });

  test("lists the calls at /compact when the model gives no summary, and goes on", async () => {
    const chat = await chatWith(says(STORY), refuse(400, "not today"), says("Gladly."));
    chat.type(`Tell me a story${ENTER}`);
    await chat.seen(/tokens in[^]*› $/);
    chat.type(`/compact${ENTER}`);
    await chat.seen(/2 older messages are summarised[^]*› $/);
    chat.type(`Another${ENTER}`);
    await chat.seen(/Gladly\.[^]*› $/);
    expect(sent(2)).toContain("Tell me a story");
    expect(sent(2)).not.toContain("Once upon a time");
    chat.type(CTRL_D);
    expect(await chat.ended).toBe(0);
  });

  test("sends nothing of the conversation after /clear, and the session keeps it", async () => {
    const chat = await chatWith(says(STORY), says("Who are you?"));
    chat.type(`Tell me a story of the fox${ENTER}`);
    await chat.seen(/tokens in[^]*› $/);
    const before = await meter(chat);
    chat.type(`/clear${ENTER}`);
    await chat.seen(/The model begins anew\. Memory, rules and files stay as they are[^]*› $/);
    expect(await meter(chat)).toBeLessThan(before);
    chat.type(`Hello${ENTER}`);
    await chat.seen(/Who are you\?[^]*› $/);
    expect(here.provider?.asked[1]?.body.messages).toMatchObject([{ role: "user" }]);
    expect(sent(1)).toContain("Hello");
    expect(sent(1)).not.toContain("fox");
    chat.type(CTRL_D);
    expect(await chat.ended).toBe(0);
    expect(await savedSession()).toContain("story of the fox");
  });
});
