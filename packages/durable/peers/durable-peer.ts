/** What a system says about a call in the end. */
export type Outcome = "done" | "failed" | "unknown";

/** The effect of a call at the destination, which nobody may repeat. */
export type Charge = (n: number) => Promise<string>;

/** A system that keeps calls over crashes. */
export interface DurablePeer {
  /**
   * Makes the calls 0 to `calls` that no process has made, and goes on with those that a dead process had begun. Calls
   * `ready` when its store is open: the process may die from then on.
   *
   * @returns The outcome that the system gives for each.
   */
  run(calls: number, charge: Charge, ready: () => void): Promise<readonly Outcome[]>;
}

/** Calls at the same time: one, so that a kill hits one call. */
const LANES = 1;

/** Makes the calls one after the other. */
export async function inLanes<Result>(calls: number, call: (n: number) => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let n = next++; n < calls; n = next++) results[n] = await call(n);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}
