import { valid } from "./the-tool.ts";

/** One side of a comparison: makes about so many calls and answers how long one took, in nanoseconds. */
export type Side = (calls: number) => Promise<number>;

/**
 * A side whose calls are made one after the other.
 *
 * @throws An `Error` when a call does not return the tool's result: an error would be quicker or slower.
 */
export function sideOf(call: () => unknown): Side {
  return async (calls) => {
    assertAnswer(await call());
    const start = process.hrtime.bigint();
    for (let made = 0; made < calls; made += 1) await call();
    return Number(process.hrtime.bigint() - start) / calls;
  };
}

/** @throws An `Error` when the path that the tool answers is nowhere in `answer`. */
export function assertAnswer(answer: unknown): void {
  const text = JSON.stringify(answer) ?? "";
  if (!text.includes(valid.path)) throw new Error(`Cannot time a call: it answered ${text.slice(0, 200)}`);
}
