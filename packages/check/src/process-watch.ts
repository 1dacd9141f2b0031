import process from "node:process";

/** Records unhandled rejections and exceptions. */
export interface ProcessWatch {
  /** Ends the watch. Answers with the reasons of unhandled rejections and the unhandled exceptions so far. */
  end(): readonly unknown[];
}

const EVENTS = ["unhandledRejection", "uncaughtException"] as const;

const watching = new Set<unknown[]>();
let restore = (): void => {};

function hear(reason: unknown): void {
  for (const heard of watching) heard.push(reason);
}

/**
 * Records every unhandled rejection and exception of the process. Other listeners are removed meanwhile: a test runner would
 * blame the test it believes to be running, or end the process. Concurrent watches each record all of them.
 */
export function watchProcess(): ProcessWatch {
  const heard: unknown[] = [];
  if (watching.size === 0) restore = takeOver();
  watching.add(heard);
  return {
    end() {
      if (watching.delete(heard) && watching.size === 0) restore();
      return heard;
    },
  };
}

function takeOver(): () => void {
  const others = EVENTS.map((event) => [event, process.rawListeners(event)] as const);
  for (const event of EVENTS) process.removeAllListeners(event).on(event, hear);
  return () => {
    for (const [event, listeners] of others) {
      process.off(event, hear);
      for (const listener of listeners) process.on(event, listener);
    }
  };
}

/** Resolves when the rejections so far have been reported: Node reports them once an iteration of the event loop. */
export async function drainEventLoop(): Promise<void> {
  for (let iteration = 0; iteration < 3; iteration += 1) await new Promise((resolve) => setImmediate(resolve));
}
