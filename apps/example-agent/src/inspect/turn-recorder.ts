import type { AssistantTurn, Message } from "../agent/conversation.ts";
import type { ModelRequest } from "../agent/model.ts";
import { cutText, type CutText, type TurnEntry } from "./entry.ts";
import type { Feed } from "./feed.ts";

/** A tool as a model sees it. */
interface SentTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
}

/** One message of a request, as text. */
interface SentMessage extends CutText {
  readonly role: Message["role"];
}

/** The request of a turn, in no provider's format. */
interface SentRequest {
  readonly instructions: string;
  readonly tools: readonly SentTool[];
  readonly messages: readonly SentMessage[];
}

/** Puts the turns of the model into the feed, and keeps the request of each. */
export interface TurnRecorder {
  /** Id of the entry of the latest turn. */
  readonly current: string | undefined;
  begin(request: ModelRequest): void;
  /** @param answer - `undefined` when there is none: the turn failed or was stopped. */
  end(answer: AssistantTurn | undefined): void;
  /**
   * A turn of an earlier process.
   *
   * @param at - When its answer was whole, Unix time in milliseconds.
   */
  restored(answer: AssistantTurn, at: number): void;
  /** The request of a turn, as long as the feed has the turn. */
  sent(id: string): SentRequest | undefined;
}

interface Kept {
  readonly instructions: string;
  readonly tools: readonly SentTool[];
  readonly messages: readonly Message[];
}

/** A recorder of turns. */
export function createTurnRecorder(feed: Feed): TurnRecorder {
  const requests = new Map<string, Kept>();
  let number = 0;
  let current: string | undefined;

  const put = (turn: Partial<TurnEntry> & Pick<TurnEntry, "state">): string => {
    const id = feed.nextId();
    feed.put({ kind: "turn", id, at: Date.now(), number: (number += 1), ...turn });
    return id;
  };
  const forgetOld = (): void => {
    for (const id of requests.keys()) {
      if (feed.get(id) !== undefined) return;
      requests.delete(id);
    }
  };
  return {
    get current() {
      return current;
    },
    begin({ instructions, conversation, registry }) {
      current = put({ state: "running", messages: conversation.length });
      forgetOld();
      // A copy: messages are added to the conversation later, and old ones may be left out of it.
      requests.set(current, { instructions, tools: registry.toArray(), messages: [...conversation] });
    },
    end(answer) {
      feed.change("turn", current ?? "", (turn): TurnEntry => {
        const durationMs = Date.now() - turn.at;
        if (answer === undefined) return { ...turn, state: "failed", durationMs };
        return { ...turn, state: "done", durationMs, ...(answer.usage !== undefined && { usage: answer.usage }) };
      });
    },
    restored({ usage }, at) {
      current = put({ state: "done", at, ...(usage !== undefined && { usage }) });
    },
    sent(id) {
      const kept = requests.get(id);
      if (kept === undefined) return undefined;
      const { instructions, tools, messages } = kept;
      return { instructions, tools, messages: messages.map(toSentMessage) };
    },
  };
}

function toSentMessage(message: Message): SentMessage {
  return { role: message.role, ...cutText(textOf(message)) };
}

function textOf(message: Message): string {
  if (message.role === "user") return message.text;
  if (message.role === "tool") return message.results.map(String).join("\n\n");
  const calls = message.calls.map(({ name, arguments: sent }) => {
    return `${name} ${typeof sent === "string" ? sent : JSON.stringify(sent)}`;
  });
  return [...(message.text === "" ? [] : [message.text]), ...calls].join("\n");
}
