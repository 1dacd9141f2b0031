import { createTranscript, type MemoryTranscript } from "@dispatch/tools-interface";
import type { Message } from "./conversation.ts";

/** A conversation and the record of its calls. */
export interface Session {
  /** Names a session that is saved. */
  readonly id: string | undefined;
  readonly messages: readonly Message[];
  readonly transcript: MemoryTranscript;
  /** Appends to the conversation. Once it returns, a saved session has it on disk. */
  add(message: Message): void;
  close(): void;
}

/** A session that ends with its process. */
export function createSession(): Session {
  const messages: Message[] = [];
  return {
    id: undefined,
    messages,
    transcript: createTranscript(),
    add: (message) => void messages.push(message),
    close: () => {},
  };
}

/** Whether the model still has something to answer. */
export function isUnfinished({ messages }: Session): boolean {
  const last = messages.at(-1);
  return last !== undefined && (last.role !== "assistant" || last.calls.length > 0);
}
