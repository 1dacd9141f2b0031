/** A wait whose timer is set only when the wait outlives the current iteration of the event loop. */
export interface LazyTimer {
  /** Sets the timer. Called once, in the next iteration of the event loop, unless the wait has ended by then. */
  arm(): void;
  /** Index among the waits not armed yet, -1 for all others; written by this file alone. */
  position: number;
}

const pending: LazyTimer[] = [];
let scheduled = false;

/**
 * Arms a timer in the next iteration of the event loop, unless {@link endWait} is called first. The timeout counts from
 * there.
 *
 * Most tools answer within the current iteration. A timer of its own would cost such a call 300 ns, more than validating
 * and running a small tool, so all of them share one.
 */
export function beginWait(timer: LazyTimer): void {
  timer.position = pending.length;
  pending.push(timer);
  if (scheduled) return;
  scheduled = true;
  setTimeout(armAll, 0);
}

/** Removes a timer that is not armed yet. The last one takes its index, at a tenth of the cost of `Set.delete`. */
export function endWait(timer: LazyTimer): void {
  const last = pending.pop();
  if (last === undefined || last === timer) return;
  pending[timer.position] = last;
  last.position = timer.position;
}

function armAll(): void {
  scheduled = false;
  for (const timer of pending.splice(0)) {
    timer.position = -1;
    try {
      timer.arm();
    } catch {
      // One wait that cannot be armed must not leave the others without a timeout.
    }
  }
}
