import { BusyClock } from "../engine/busy-clock.ts";
import { ProgramSession } from "../engine/program-session.ts";
import type { QuickJsEngine } from "../engine/quickjs-engine.ts";
import type { SessionRequest } from "../engine/session-message.ts";
import type { ExecutorObserver, ProgramExecutor } from "./program-executor.ts";

/** Runs programs in the host's own thread, which waits while one computes. For hosts that have no threads. */
export class InlineExecutor implements ProgramExecutor {
  readonly ready: Promise<void>;
  readonly #clock = new BusyClock();
  readonly #session: ProgramSession;
  readonly #heapMb: number;
  #observer: ExecutorObserver | undefined;
  #alive = true;

  constructor(engine: QuickJsEngine, heapMb: number) {
    this.#heapMb = heapMb;
    this.#session = new ProgramSession({
      engine,
      clock: this.#clock,
      // The program is between two of its steps now: handling the message must not run it.
      post: (message) => {
        const observer = this.#observer;
        queueMicrotask(() => observer?.onMessage(message));
      },
      shouldStop: () => this.#observer?.shouldStop() ?? false,
    });
    this.ready = this.#session.prepare(heapMb);
  }

  get alive(): boolean {
    return this.#alive;
  }

  run(request: SessionRequest, observer: ExecutorObserver): void {
    this.#observer = observer;
    this.#session.run(request).catch(() => observer.onExit(false));
  }

  send(json: string): void {
    this.#session.receive(json);
  }

  busyMs(): number {
    return this.#clock.busyMs();
  }

  release(): boolean {
    this.#observer = undefined;
    this.#session.stop();
    if (this.#alive) void this.#session.prepare(this.#heapMb).catch(() => (this.#alive = false));
    return this.#alive;
  }

  async kill(): Promise<void> {
    this.#alive = false;
    this.#observer = undefined;
    this.#session.stop();
  }
}
