import type { Meant } from "../shop-programs.ts";

/** A program, and the value that its author meant. */
export type ValueIdiom = readonly [name: string, code: string, value: unknown];
/** A program, and the value and output that its author meant. */
export type MeantIdiom = readonly [name: string, code: string, meant: Meant];

/** The tool that programs of `LAST_VALUES` call: one more than `n`, or 41. */
export const answerN = async (_: string, params: unknown): Promise<number> => ((params as { n?: number }).n ?? 40) + 1;
