import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, defineTool, type ToolAnnotations } from "../index.ts";

interface Kind {
  readonly annotations?: ToolAnnotations;
  readonly hasResource?: boolean;
  readonly needsApproval?: boolean;
}

/** One tool for each row of the table in `docs/calls.md`, and for variants that read like one. */
const KINDS = {
  unsaid: {},
  harmless: { annotations: { destructive: false, openWorld: true } },
  reads: { annotations: { readOnly: true } },
  reads_one: { annotations: { readOnly: true }, hasResource: true },
  touches_one: { hasResource: true },
  changes: { annotations: { readOnly: false } },
  changes_one: { annotations: { readOnly: false }, hasResource: true },
  destroys: { annotations: { destructive: true } },
  destroys_one: { annotations: { destructive: true }, hasResource: true },
  asks: { needsApproval: true },
} satisfies Record<string, Kind>;

type Name = keyof typeof KINDS;
interface Called {
  readonly name: Name;
  readonly key: string;
  /** Turns of the event loop that the call takes. */
  readonly turns: number;
  /** Sent as text for a number, so that it needs repair. */
  readonly damaged: boolean;
}

/** The table of `docs/calls.md` once more, apart from the code: whether the later of two calls waits for the earlier. */
function waits(later: Called, earlier: Called): boolean {
  if (isAlone(later) || isAlone(earlier)) return true;
  const [one, other]: readonly Kind[] = [KINDS[later.name], KINDS[earlier.name]];
  const bothRead = one?.annotations?.readOnly === true && other?.annotations?.readOnly === true;
  if (bothRead) return false;
  if (one?.hasResource === true && other?.hasResource === true) return later.key === earlier.key;
  // A read of anything, beside a change of one thing.
  return (
    (one?.hasResource === true && earlier.name === "reads") || (other?.hasResource === true && later.name === "reads")
  );
}

function isAlone({ name, damaged }: Called): boolean {
  const { annotations, hasResource = false, needsApproval = false }: Kind = KINDS[name];
  if (annotations?.readOnly === true) return false;
  if (hasResource) return damaged;
  return annotations?.readOnly === false || annotations?.destructive === true || needsApproval;
}

/** The span of each call, in steps that count starts and ends. */
async function spansOf(calls: readonly Called[]): Promise<ReadonlyMap<number, readonly [number, number]>> {
  const spans = new Map<number, [number, number]>();
  let step = 0;
  const tools = Object.entries<Kind>(KINDS).map(([name, { annotations, hasResource, needsApproval }]) =>
    defineTool({
      name,
      description: "Takes some turns.",
      parameters: z.object({ index: z.number(), key: z.string(), turns: z.number() }),
      ...(annotations && { annotations }),
      ...(hasResource && { resource: ({ key }: { key: string }) => key }),
      ...(needsApproval && { needsApproval }),
      repair: "safe",
      async execute({ index, turns }) {
        const span: [number, number] = [(step += 1), Infinity];
        spans.set(index, span);
        for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        span[1] = step += 1;
        return "done";
      },
    }),
  );
  const sent = calls.map(({ name, key, turns, damaged }, index) => ({
    name,
    arguments: { index: damaged ? `${index}` : index, key, turns },
  }));
  const results = await createToolRegistry()
    .register(tools)
    .dispatchAll(sent, { maxConcurrency: 64, approve: () => true });
  expect(results.map(String)).toEqual(calls.map(() => "done"));
  return spans;
}

const called = fc.record({
  name: fc.constantFrom(...(Object.keys(KINDS) as Name[])),
  key: fc.constantFrom("a", "b"),
  turns: fc.integer({ min: 0, max: 4 }),
  damaged: fc.boolean(),
});

test("dispatchAll() lets a call wait for exactly those before it that the table says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(called, { maxLength: 12 }), async (calls) => {
      const spans = await spansOf(calls);
      for (const [later, call] of calls.entries()) {
        for (const [earlier, before] of calls.slice(0, later).entries()) {
          if (!waits(call, before)) continue;
          expect(spans.get(later)?.[0], `${call.name} after ${before.name}`).toBeGreaterThan(
            spans.get(earlier)?.[1] ?? 0,
          );
        }
      }
    }),
  );
});

test("dispatchAll() runs calls at once that need not wait for each other", async () => {
  await fc.assert(
    fc.asyncProperty(called, called, async (one, other) => {
      const calls = [
        { ...one, turns: 6, damaged: false },
        { ...other, turns: 6, damaged: false },
      ] as const;
      const spans = await spansOf(calls);
      const overlaps = (spans.get(1)?.[0] ?? Infinity) < (spans.get(0)?.[1] ?? 0);
      expect(overlaps, `${other.name} beside ${one.name}`).toBe(!waits(calls[1], calls[0]));
    }),
  );
});
