/** The time in which a call waits for a person. Questions at the same time count once. */
export class WaitingTime {
  #questions = 0;
  #since = 0;
  #ms = 0;

  /** So far, in milliseconds. */
  get ms(): number {
    return this.#ms + (this.#questions > 0 ? performance.now() - this.#since : 0);
  }

  begin(): void {
    if ((this.#questions += 1) === 1) this.#since = performance.now();
  }

  end(): void {
    if ((this.#questions -= 1) === 0) this.#ms += performance.now() - this.#since;
  }
}

/** A call that may wait for a person. */
export interface WaitingCall {
  readonly waiting: WaitingTime;
  /** The call during which it was made. */
  readonly parent?: WaitingCall | undefined;
}

/** A call waits for a person, and so do those that made it, until the returned function is called. */
export function beginWaiting(call: WaitingCall | undefined): () => void {
  const times: WaitingTime[] = [];
  for (let one = call; one !== undefined; one = one.parent) times.push(one.waiting);
  for (const time of times) time.begin();
  return () => {
    for (const time of times) time.end();
  };
}
