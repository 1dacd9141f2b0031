import type { JsonValue } from "../../json/json-snapshot.ts";
import type { QuestionState, Questions } from "../await-answer.ts";
import type { DurableWait, OpenWait } from "../durable-engine.ts";
import type { RestateClient } from "./restate-client.ts";
import { OBJECTS, type OpenWork, type WaitRecord } from "./restate-messages.ts";

/** The questions that Restate keeps. */
export class RestateWaits implements Questions {
  readonly #client: RestateClient;
  readonly #onChange: () => void;

  constructor(client: RestateClient, onChange: () => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  async find(key: string): Promise<QuestionState | undefined> {
    const found = (await this.#client.call(OBJECTS.wait, key, "find")) as WaitRecord | null;
    return found === null ? undefined : toState(found);
  }

  async ask(key: string, { kind, question, expiresAt }: DurableWait): Promise<QuestionState> {
    const asked: WaitRecord = { kind, question, since: Date.now(), expiresAt };
    return toState((await this.#client.call(OBJECTS.wait, key, "ask", asked)) as WaitRecord);
  }

  async lapse(key: string): Promise<void> {
    await this.#client.call(OBJECTS.wait, key, "lapse");
  }

  async answer(key: string, value: JsonValue): Promise<boolean> {
    const answer = { id: crypto.randomUUID(), value, now: Date.now() };
    const counts = (await this.#client.call(OBJECTS.wait, key, "answer", answer)) === true;
    this.#onChange();
    return counts;
  }

  /** Those that have not lapsed, oldest first. */
  toOpen(listed: OpenWork["waits"]): readonly OpenWait[] {
    const now = Date.now();
    const open = listed.filter(({ expiresAt = Infinity }) => expiresAt > now);
    return open.toSorted((a, b) => a.since - b.since).map(({ lapsed: _, answer: __, ...wait }) => wait);
  }
}

function toState({ expiresAt, answer, lapsed }: WaitRecord): QuestionState {
  if (answer !== undefined) return { expiresAt, answered: { lapsed: false, answer: answer.value } };
  return { expiresAt, answered: lapsed === true ? { lapsed: true } : undefined };
}
