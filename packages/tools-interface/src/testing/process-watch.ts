import process from "node:process";

/** What nobody handled while somebody watched. */
export interface ProcessWatch {
  /** Ends the watch and answers what was not handled meanwhile: reasons of rejections, and exceptions. */
  end(): readonly unknown[];
}

const EVENTS = ["unhandledRejection", "uncaughtException"] as const;

const watching = new Set<unknown[]>();
let restore = (): void => {};

function hear(reason: unknown): void {
  for (const heard of watching) heard.push(reason);
}

/**
 * Hears of every rejection and exception that nobody handles. Meanwhile nobody else does: a test runner would count it
 * against whatever test it believes to be running, or end the process. Of watches at the same time each hears of all.
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

/** Resolves when what is settled by now has been heard of: Node tells of unhandled rejections once a turn. */
export async function drainEventLoop(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
