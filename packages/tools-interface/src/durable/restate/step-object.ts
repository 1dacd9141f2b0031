import { handlers, object, type ObjectContext, type ObjectSharedContext } from "@restatedev/restate-sdk";
import type { JsonValue } from "../../json/json-snapshot.ts";
import { callObject } from "./call-object.ts";
import {
  OBJECTS,
  OPEN_KEY,
  type End,
  type FoundRecord,
  type StepRecord,
  type Take,
  type Taken,
} from "./restate-messages.ts";

/** Of steps: Restate runs one handler of a key at a time, so of all processes that take a step one has it. */
export const step = object({
  name: OBJECTS.step,
  handlers: {
    async submit(ctx: ObjectContext, { intent, now }: { intent: JsonValue; now: number }): Promise<void> {
      if ((await ctx.get("step")) === null) await keep(ctx, { intent, since: now, hasBegun: false });
    },
    async take(ctx: ObjectContext, { intent, worker, token, begins, now }: Take): Promise<Taken> {
      const known = (await ctx.get<StepRecord>("step")) ?? { intent, since: now, hasBegun: false };
      if (known.result !== undefined) return { state: "done", result: known.result };
      if (known.refused?.includes(token)) return { state: "other" };
      // The same message again: the answer to the first one was lost.
      if (known.token === token) return { state: "mine", again: known.again };
      const isFree =
        known.worker === undefined || known.worker === worker
          ? !isBegunBy(known, worker)
          : await isDead(ctx, known.worker);
      if (!isFree) return { state: "other" };
      if (!begins) {
        await keep(ctx, { ...known, worker });
        return { state: "mine" };
      }
      const again = known.hasBegun ? known.intent : undefined;
      await keep(ctx, { ...known, worker, token, again, hasBegun: true });
      return { state: "mine", again };
    },
    async end(ctx: ObjectContext, { token, result, row }: End): Promise<Taken> {
      const known = await ctx.get<StepRecord>("step");
      if (known?.result !== undefined) return { state: "done", result: known.result };
      if (known?.token !== token) {
        if (known !== null) ctx.set("step", { ...known, refused: [...(known.refused ?? []), token] });
        return { state: "other" };
      }
      if (row !== undefined) await callObject(ctx, OBJECTS.transcript, row[0], "append", row);
      ctx.set("step", { ...known, result });
      await callObject(ctx, OBJECTS.open, OPEN_KEY, "put", { key: `step ${ctx.key}`, value: null });
      return { state: "done", result };
    },
    /** Gives a step that was taken, and not begun, to others. */
    async release(ctx: ObjectContext, worker: string): Promise<void> {
      const known = await ctx.get<StepRecord>("step");
      if (known?.worker === worker && !isBegunBy(known, worker)) await keep(ctx, { ...known, worker: undefined });
    },
    find: handlers.object.shared(async (ctx: ObjectSharedContext): Promise<FoundRecord | null> => {
      const known = await ctx.get<StepRecord>("step");
      if (known === null) return null;
      const { intent, result, hasBegun, worker } = known;
      if (result !== undefined) return { state: "done", intent, result };
      if (!hasBegun) return { state: "submitted", intent };
      return { state: worker !== undefined && !(await isDead(ctx, worker)) ? "running" : "broken", intent };
    }),
  },
});

/** Whether a process has begun the step, and not only taken it. */
function isBegunBy({ worker: owner, token }: StepRecord, worker: string): boolean {
  return owner === worker && token !== undefined && token.startsWith(worker);
}

async function keep(ctx: ObjectContext, record: StepRecord): Promise<void> {
  ctx.set("step", record);
  const { intent, since, worker, hasBegun } = record;
  const value = { key: ctx.key, intent, since, worker, hasBegun };
  await callObject(ctx, OBJECTS.open, OPEN_KEY, "put", { key: `step ${ctx.key}`, value });
}

function isDead(ctx: ObjectContext | ObjectSharedContext, worker: string): Promise<boolean> {
  return callObject(ctx, OBJECTS.worker, worker, "isDead", null) as Promise<boolean>;
}
