/** Limits of the calls of all clients. */
export interface CallLimits {
  /** Calls that run at the same time. */
  readonly running: number;
  /** Calls that wait for a person at the same time. One client may hold half. */
  readonly waiting: number;
}

/**
 * Places of the calls that run and of those that wait for a person. A call gives its place up while it waits, and gets one again in turn, before
 * any new call. A waiting call is never ended to make room: a call that would ask is refused instead.
 */
export class CallSlots {
  readonly limits: CallLimits;
  #running = 0;
  #waiting = 0;
  /** Waiting calls, by client. */
  readonly #shares = new Map<unknown, number>();
  /** Calls that go on once a place is free, first come, first served. */
  readonly #queue = new Set<() => void>();

  constructor(limits: CallLimits) {
    this.limits = limits;
  }

  /** A place for a new call, if one is free. */
  enter(client: unknown, signal: AbortSignal): CallSlot | undefined {
    if (this.#running >= this.limits.running) return undefined;
    this.#running += 1;
    return new CallSlot(this, client, signal, true);
  }

  /** A place for a call that an earlier process began, in turn. */
  async enterInTurn(client: unknown, signal: AbortSignal): Promise<CallSlot> {
    return new CallSlot(this, client, signal, await this.take(signal));
  }

  /** Waits for a place. False: aborted before there was one. */
  take(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isTaken: boolean): void => {
        this.#queue.delete(enter);
        signal.removeEventListener("abort", stop);
        resolve(isTaken);
      };
      const enter = (): void => {
        this.#running += 1;
        end(true);
      };
      const stop = (): void => end(false);
      if (signal.aborted) stop();
      else if (this.#running < this.limits.running) enter();
      else {
        this.#queue.add(enter);
        signal.addEventListener("abort", stop, { once: true });
      }
    });
  }

  leave(): void {
    this.#running -= 1;
    const [next] = this.#queue;
    next?.();
  }

  /** @throws {Error} When this client, or all together, have as many waiting calls as they may. The model reads its text. */
  beginWait(client: unknown): void {
    const { waiting } = this.limits;
    const share = Math.max(1, Math.floor(waiting / 2));
    const own = this.#shares.get(client) ?? 0;
    if (own >= share)
      throw new Error(`${own} calls of this client wait for an answer, which is the limit. Answer them first`);
    if (this.#waiting >= waiting) {
      throw new Error(`${waiting} calls of all clients wait for an answer, which is the limit. Try again later`);
    }
    this.#waiting += 1;
    this.#shares.set(client, own + 1);
  }

  /** Ends what `beginWait` began. */
  endWait(client: unknown): void {
    const left = (this.#shares.get(client) ?? 0) - 1;
    this.#waiting -= 1;
    if (left > 0) this.#shares.set(client, left);
    else this.#shares.delete(client);
  }
}

/** The place of one call. */
export class CallSlot {
  readonly #slots: CallSlots;
  readonly #client: unknown;
  /** Aborts when the call is cancelled or has ended. */
  readonly #signal: AbortSignal;
  readonly #end = new AbortController();
  #isHeld: boolean;

  constructor(slots: CallSlots, client: unknown, signal: AbortSignal, isHeld: boolean) {
    this.#slots = slots;
    this.#client = client;
    this.#signal = AbortSignal.any([signal, this.#end.signal]);
    this.#isHeld = isHeld;
  }

  /**
   * Gives the place up while a person is asked, and resolves once the call has one again. A cancelled call goes on without: it only ends.
   *
   * @param ask - One question of the call at a time.
   * @throws {Error} When too many calls wait.
   */
  async whileAsking<T>(ask: () => Promise<T>): Promise<T> {
    this.#slots.beginWait(this.#client);
    this.#giveUp();
    try {
      return await ask();
    } finally {
      this.#isHeld = await this.#slots.take(this.#signal);
      this.#slots.endWait(this.#client);
      // The call ended at the moment that it got its place.
      if (this.#end.signal.aborted) this.#giveUp();
    }
  }

  /** Ends the call's part in the limits. */
  leave(): void {
    this.#end.abort();
    this.#giveUp();
  }

  #giveUp(): void {
    if (this.#isHeld) this.#slots.leave();
    this.#isHeld = false;
  }
}
