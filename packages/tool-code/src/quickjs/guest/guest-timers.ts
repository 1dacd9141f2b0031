import type { GuestHost } from "./guest-host.ts";

interface Timer {
  readonly id: number;
  readonly run: () => unknown;
  /** Repeats after so many milliseconds. */
  readonly everyMs: number | undefined;
  due: number;
}

/** The timers of the sandbox. */
export interface GuestTimers {
  /** Globals that programs see. */
  readonly globals: Readonly<Record<string, unknown>>;
  /** Runs the first timer that is due. Returns whether another one is. */
  fire(): boolean;
}

/**
 * Makes timers out of the host's one. Runs inside QuickJS, sent there as source, so it uses nothing from outside itself
 * and takes everything it needs before the program starts.
 */
export function guestTimers(host: GuestHost): GuestTimers {
  const { apply } = Reflect;
  const { max } = Math;
  const { performance, TypeError } = globalThis;
  const { now } = performance;
  const clock = (): number => apply(now, performance, []);
  /** The next one to fire is the last. */
  const queue: Timer[] = [];
  const byId = { __proto__: null } as unknown as Record<number, Timer | undefined>;
  let ids = 0;

  /** Where in the queue a timer belongs: behind those that are due at the same time. */
  function placeOf(due: number): number {
    let low = 0;
    let high = queue.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((queue[middle] as Timer).due > due) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function add(timer: Timer): void {
    byId[timer.id] = timer;
    const at = placeOf(timer.due);
    for (let index = queue.length; index > at; index -= 1) queue[index] = queue[index - 1] as Timer;
    queue[at] = timer;
    wake();
  }

  function wake(): void {
    const next = queue[queue.length - 1];
    host("wake", next === undefined ? -1 : max(next.due - clock(), 0));
  }

  function start(run: unknown, delay: unknown, args: readonly unknown[], repeats: boolean): number {
    if (typeof run !== "function") throw new TypeError("Setting a timer: the callback is not a function");
    const delayMs = max(Number(delay) || 0, 0);
    ids += 1;
    const id = ids;
    add({
      id,
      run: () => apply(run, undefined, args),
      everyMs: repeats ? max(delayMs, 1) : undefined,
      due: clock() + delayMs,
    });
    return id;
  }

  function stop(id: unknown): void {
    const timer = byId[Number(id)];
    if (timer === undefined) return;
    delete byId[timer.id];
    for (let at = 0; at < queue.length; at += 1) {
      if (queue[at] !== timer) continue;
      for (; at < queue.length - 1; at += 1) queue[at] = queue[at + 1] as Timer;
      queue.length -= 1;
    }
    wake();
  }

  return {
    globals: {
      setTimeout: (run: unknown, delay?: unknown, ...args: unknown[]) => start(run, delay, args, false),
      setInterval: (run: unknown, delay?: unknown, ...args: unknown[]) => start(run, delay, args, true),
      setImmediate: (run: unknown, ...args: unknown[]) => start(run, 0, args, false),
      clearTimeout: stop,
      clearInterval: stop,
      clearImmediate: stop,
    },
    fire() {
      const timer = queue[queue.length - 1];
      if (timer === undefined || timer.due > clock()) {
        wake();
        return false;
      }
      queue.length -= 1;
      if (timer.everyMs === undefined) delete byId[timer.id];
      else {
        timer.due = clock() + timer.everyMs;
        add(timer);
      }
      wake();
      timer.run();
      const next = queue[queue.length - 1];
      return next !== undefined && next.due <= clock();
    },
  };
}
