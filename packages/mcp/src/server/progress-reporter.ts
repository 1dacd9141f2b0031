import type { ToolEvent, ToolObserver } from "@dispatch/tools-interface";
import { oneLine, describeArguments, describeProgress } from "@dispatch/tools-interface/display";

/**
 * Reports the progress of its call to a client.
 *
 * @param progress Higher each time.
 */
export type TellProgress = (progress: number, message: string) => void;

/** Turns the events of one call into reports. */
export interface ProgressReporter {
  readonly onEvent: ToolObserver;
  readonly close: () => void;
}

/** A client gives up a silent call, often after a minute; people take longer to decide. */
const HEARTBEAT_MS = 15_000;
/** A program makes thousands of calls: events that follow faster than this are omitted. */
const MIN_INTERVAL_MS = 20;
/** Characters of a message. */
const MAX_MESSAGE_CHARS = 200;

/** A reporter for one call. It counts its reports, which can only rise; the message says the rest. */
export function createProgressReporter(tell: TellProgress): ProgressReporter {
  let count = 0;
  let latest = "running";
  let told = -Infinity;
  const report = (): void => {
    told = performance.now();
    tell((count += 1), latest);
  };
  const heartbeat = setInterval(report, HEARTBEAT_MS).unref();
  return {
    onEvent(event) {
      const message = describe(event);
      if (message === undefined) return;
      latest = message.slice(0, MAX_MESSAGE_CHARS);
      if (performance.now() - told >= MIN_INTERVAL_MS) report();
    },
    close: () => clearInterval(heartbeat),
  };
}

function describe(event: ToolEvent): string | undefined {
  if (event.type === "call-start" && event.parentCallId !== undefined) {
    return oneLine(`${event.name} ${describeArguments(event.arguments)}`);
  }
  return event.type === "call-progress" ? describeProgress(event.update) : undefined;
}
