import { createToolRegistry, defineTool, type AnyToolRegistry, type ToolCall } from "@dispatch/tools-interface";

/** The session of all calls. */
export const SESSION = "s";
/** The kind of all questions. */
export const APPROVAL = "approval";

/** The call that a hand makes. */
export function callOf(hand: number, n: number): ToolCall {
  return { id: `toolu_01A09q90qw${hand}x${n}`, name: "charge", arguments: { n, note: "x".repeat((n * 613) % 6_000) } };
}

/** A tool that must not be begun twice. Its output is the name of its effect. */
export function charging(act: (effectId: string) => void): AnyToolRegistry {
  const properties = { n: { type: "number" }, note: { type: "string" } } as const;
  const charge = defineTool({
    name: "charge",
    description: "Charges.",
    parameters: { type: "object", properties, required: ["n"] },
    execute: async (_, { effectId }) => (act(effectId), effectId),
  });
  return createToolRegistry().register(charge);
}
