import { Worker } from "node:worker_threads";
import { onTestFinished, vi } from "vitest";

/** Has a function called once the next work has been given to a thread, in a later turn of the event loop. */
export function whenAThreadWorks(then: () => void): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with the thread below
  const { postMessage } = Worker.prototype;
  const spy = vi.spyOn(Worker.prototype, "postMessage").mockImplementation(function give(this: Worker, ...given) {
    spy.mockRestore();
    postMessage.apply(this, given);
    setImmediate(then);
  });
  onTestFinished(() => spy.mockRestore());
}
