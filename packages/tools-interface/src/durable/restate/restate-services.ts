import {
  handlers,
  object,
  type ObjectContext,
  type ObjectSharedContext,
  type ServiceDefinition,
} from "@restatedev/restate-sdk";
import type { JsonValue } from "../../json/json-snapshot.ts";
import type { EntryRow } from "../entry-row.ts";
import { callObject, json } from "./call-object.ts";
import { OBJECTS, OPEN_KEY, type OpenWork, type WaitRecord } from "./restate-messages.ts";
import { step } from "./step-object.ts";

/** Of processes: each renews its lease, and has died when it did not. Restate's clock measures it, not a process's. */
const worker = object({
  name: OBJECTS.worker,
  handlers: {
    async renew(ctx: ObjectContext, leaseMs: number): Promise<boolean> {
      if ((await ctx.get<boolean>("dead")) === true) return false;
      const beat = ((await ctx.get<number>("beat")) ?? 0) + 1;
      ctx.set("beat", beat);
      ctx.genericSend({
        service: OBJECTS.worker,
        method: "expire",
        key: ctx.key,
        parameter: beat,
        inputSerde: json,
        delay: leaseMs,
      });
      return true;
    },
    async expire(ctx: ObjectContext, beat: number): Promise<void> {
      if ((await ctx.get<number>("beat")) === beat) ctx.set("dead", true);
    },
    async leave(ctx: ObjectContext): Promise<void> {
      ctx.set("dead", true);
    },
    isDead: handlers.object.shared(
      async (ctx: ObjectSharedContext): Promise<boolean> => (await ctx.get<boolean>("dead")) === true,
    ),
  },
});

/** Of questions. */
const wait = object({
  name: OBJECTS.wait,
  handlers: {
    async ask(ctx: ObjectContext, asked: WaitRecord): Promise<WaitRecord> {
      const known = await ctx.get<WaitRecord>("wait");
      if (known !== null) return known;
      ctx.set("wait", asked);
      await list(ctx, `wait ${ctx.key}`, { ...asked, key: ctx.key });
      return asked;
    },
    async answer(
      ctx: ObjectContext,
      { id, value, now }: { id: string; value: JsonValue; now: number },
    ): Promise<boolean> {
      const known = await ctx.get<WaitRecord>("wait");
      if (known === null) return false;
      if (known.answer !== undefined || known.lapsed === true) return known.answer?.id === id;
      if (known.expiresAt !== undefined && known.expiresAt <= now) return false;
      ctx.set("wait", { ...known, answer: { id, value } });
      await list(ctx, `wait ${ctx.key}`, null);
      return true;
    },
    async lapse(ctx: ObjectContext): Promise<void> {
      const known = await ctx.get<WaitRecord>("wait");
      if (known === null || known.answer !== undefined) return;
      ctx.set("wait", { ...known, lapsed: true });
      await list(ctx, `wait ${ctx.key}`, null);
    },
    find: handlers.object.shared((ctx: ObjectSharedContext): Promise<WaitRecord | null> => ctx.get<WaitRecord>("wait")),
  },
});

/** Of transcripts: an entry under its number, and each digest once. */
const transcript = object({
  name: OBJECTS.transcript,
  handlers: {
    async append(ctx: ObjectContext, row: EntryRow): Promise<void> {
      const [, digest] = row;
      if ((await ctx.get(`digest ${digest}`)) !== null) return;
      const number = ((await ctx.get<number>("count")) ?? 0) + 1;
      ctx.set("count", number);
      ctx.set(`digest ${digest}`, number);
      ctx.set(`entry ${number}`, row);
    },
    rows: handlers.object.shared(async (ctx: ObjectSharedContext): Promise<readonly EntryRow[]> => {
      const count = (await ctx.get<number>("count")) ?? 0;
      const rows: EntryRow[] = [];
      for (let number = 1; number <= count; number += 1) {
        const row = await ctx.get<EntryRow>(`entry ${number}`);
        if (row !== null) rows.push(row);
      }
      return rows;
    }),
  },
});

/** What is open, for listing. */
const open = object({
  name: OBJECTS.open,
  handlers: {
    async put(ctx: ObjectContext, { key, value }: { key: string; value: JsonValue }): Promise<void> {
      if (value === null) ctx.clear(key);
      else ctx.set(key, value);
    },
    all: handlers.object.shared(async (ctx: ObjectSharedContext): Promise<OpenWork> => {
      const steps: OpenWork["steps"][number][] = [];
      const waits: OpenWork["waits"][number][] = [];
      for (const key of await ctx.stateKeys()) {
        const value = await ctx.get(key);
        if (key.startsWith("step ")) steps.push(value as OpenWork["steps"][number]);
        else waits.push(value as OpenWork["waits"][number]);
      }
      return { steps, waits };
    }),
  },
});

/**
 * The virtual objects that keep calls in Restate. Serve them from one process or many, and register their address once:
 * `restate deployments register http://host:9080`. They need no tools: a process that runs calls need not serve them.
 *
 * @example
 * ```ts
 * // For `serve({ services, port: 9080 })` of `@restatedev/restate-sdk`.
 * const services = [...restateServices()];
 * ```
 */
export function restateServices(): readonly ServiceDefinition<string, unknown>[] {
  return [step, wait, worker, transcript, open];
}

function list(ctx: ObjectContext, key: string, value: unknown): Promise<unknown> {
  return callObject(ctx, OBJECTS.open, OPEN_KEY, "put", { key, value });
}
