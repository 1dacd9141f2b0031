import { createToolRegistry, defineTool, failure, success, type AnyToolRegistry } from "@dispatch/tools-interface";
import type { Destination } from "./destination.ts";

const parameters = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;

/**
 * Tools of every kind that a crash treats differently. Each lets one effect happen, but `look`, which has none, and
 * `program`, which calls the others.
 *
 * @param reach Is called at the moments at which a process may die.
 */
export function effectTools(destination: Destination, reach: (moment: string) => void): AnyToolRegistry {
  const act =
    (name: string) =>
    async (_: unknown, { effectId }: { readonly effectId: string }) => {
      reach("before the effect");
      destination.act(effectId, name);
      reach("after the effect");
      return `done ${effectId}`;
    };
  const charge = defineTool({ name: "charge", description: "Acts.", parameters, execute: act("charge") });
  const chargeAsked = defineTool({
    name: "charge_asked",
    description: "Acts, and can be asked.",
    parameters,
    execute: act("charge_asked"),
    reconcile: (_, { effectId }) =>
      destination.counts().has(effectId)
        ? success(`done ${effectId}`)
        : failure("it was not done", { effects: "none" }),
  });
  const set = defineTool({
    name: "set",
    description: "Sets.",
    parameters,
    annotations: { idempotent: true },
    execute: act("set"),
  });
  const look = defineTool({
    name: "look",
    description: "Looks.",
    parameters,
    annotations: { readOnly: true },
    execute: async (_, { effectId }) => {
      reach("while reading");
      return `done ${effectId}`;
    },
  });
  const program = defineTool({
    name: "program",
    description: "Calls the others.",
    parameters,
    resumable: true,
    async execute(params, run) {
      const { n } = params as { readonly n: number };
      const plan = await run.durable?.step("plan", () => [n * 10 + 1, n * 10 + 2]);
      const results: string[] = [];
      for (const part of plan ?? []) {
        reach("between calls");
        results.push(String(await run.dispatch?.({ name: "charge", arguments: { n: part } })));
      }
      results.push(String(await run.dispatch?.({ name: "charge_asked", arguments: { n } })));
      return results.join("\n");
    },
  });
  return createToolRegistry().register([charge, chargeAsked, set, look, program]);
}

/** The names of the tools, in the order in which calls take turns. */
export const TOOL_NAMES = ["charge", "charge_asked", "set", "look", "program", "charge"] as const;
