import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import { startFakeProvider, type FakeProvider, type Reply } from "./fake-provider/fake-provider.ts";
import { runInTerminal, type TerminalRun } from "./in-terminal.ts";

/** The places of one test, which has a chat at a terminal. */
export interface TerminalChat {
  /** A directory of its own, removed at the end. */
  home: string;
  /** The worktree, in it. */
  worktree: string;
  /** The model's provider, closed at the end. */
  provider?: FakeProvider;
  /** The chat, killed at the end. */
  run?: TerminalRun;
}

/** Gives each test of the file such places. */
export function useTerminalChat(): TerminalChat {
  const chat: TerminalChat = { home: "", worktree: "" };
  beforeEach(async () => {
    chat.home = await mkdtemp(path.join(tmpdir(), "agent-chat-"));
    chat.worktree = path.join(chat.home, "work");
    await mkdir(chat.worktree);
  });
  afterEach(async () => {
    await chat.run?.kill();
    await chat.provider?.close();
    if (chat.home !== "") await rm(chat.home, { recursive: true, force: true });
  });
  return chat;
}

/** Begins a chat with a model of a fake provider. */
export async function chatAtTerminal(
  chat: TerminalChat,
  replies: readonly Reply[],
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<TerminalRun> {
  chat.provider = await startFakeProvider(...replies);
  const own = { ANTHROPIC_BASE_URL: chat.provider.url, ANTHROPIC_API_KEY: "test", TMPDIR: chat.home };
  chat.run = runInTerminal(["--workspace", chat.worktree, ...args], { ...own, ...env });
  await chat.run.seen(/› $/);
  return chat.run;
}
