import { failure, type ToolFailure } from "../result/tool-result.ts";

/** Default of `maxRunningCalls`. A call in flight takes about 6 KB: as many fit into a host of 256 MB. */
export const DEFAULT_MAX_RUNNING = 10_000;
/** Calls that begin in one turn of the event loop: each may stand within the one before, on one stack. */
const CALLS_A_TURN = 128;
/** From here on the count begins anew with the next turn: to watch each turn would cost a call that is alone in it. */
const CALLS_UNWATCHED = CALLS_A_TURN / 2;

let running = 0;
let begun = 0;
let turn: Promise<void> | undefined;
/** As it was when the program started: a test may replace the timers. */
const soon = typeof setImmediate === "function" ? setImmediate : (end: () => void) => setTimeout(end, 0);

/** Counts a call whose checks begin, and with -1 one that is answered. */
export function countRunning(change: 1 | -1): void {
  running += change;
}

/** Whether so many calls run in this process that no further one may begin. */
export function isFull(most: number): boolean {
  return running >= most;
}

/**
 * The wait of a call that so many others precede in one turn of the event loop, and of any other function that a tool or a
 * host may await without end, such as one that asks again until something has changed. They could otherwise stay in that
 * turn, in which no timer fires and nothing can be cancelled. `undefined` for nearly all calls.
 */
export function nextTurn(): Promise<void> | undefined {
  begun += 1;
  if (begun === CALLS_UNWATCHED) soon(() => (begun = turn === undefined ? 0 : begun));
  if (begun <= CALLS_A_TURN) return undefined;
  turn ??= new Promise((resolve) => {
    soon(() => {
      begun = 0;
      turn = undefined;
      resolve();
    });
  });
  countRunning(1);
  return turn.then(() => countRunning(-1));
}

/** Waits until the event loop has turned, in the midst of work that takes long. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => void soon(resolve));
}

/** Answers a call that begins while as many run as may. */
export function tooManyCalls(
  name: string,
  most: number,
  where: "in the call around it" | "in this process",
): ToolFailure {
  return failure(
    `Cannot call ${name}: ${most} calls run ${where} at the same time, no more are allowed. Nothing was done; wait for some of them first`,
    { code: "too_many_calls", stopped: true, effects: "none" },
  );
}
