/** A wait that may get too long. */
export interface Wait {
  /** Called once in the turn of the event loop after the wait began, unless it was over by then. */
  arm(): void;
  /** Where the wait stands among those not armed yet; kept by this file alone. */
  position: number;
}

const young: Wait[] = [];
let scheduled = false;

/**
 * Arms a wait in the next turn of the event loop; {@link endWait} before that takes it back.
 *
 * Most tools answer without leaving the current turn. For them a timer of their own (measured at 300 ns, more than
 * validating and running a small tool) would be set and cleared for nothing. So a wait gets its timer and its abort
 * listener only once it has outlived a turn, and its timeout counts from there.
 */
export function beginWait(wait: Wait): void {
  wait.position = young.length;
  young.push(wait);
  if (scheduled) return;
  scheduled = true;
  setTimeout(armAll, 0);
}

/** Ends a wait that was not armed yet. The last one takes its place: measured at a tenth of a `Set.delete`. */
export function endWait(wait: Wait): void {
  const last = young.pop();
  if (last === undefined || last === wait) return;
  young[wait.position] = last;
  last.position = wait.position;
}

function armAll(): void {
  scheduled = false;
  for (const wait of young.splice(0)) wait.arm();
}
