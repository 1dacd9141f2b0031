/** Where lines come from: a person at a terminal, or a pipe. */
export interface Keyboard {
  /** Whether there is nothing more to come. */
  readonly ended: boolean;
  /**
   * Asks for a text of one line or several. `undefined` when there is none: the input has ended, the signal aborts, or
   * Ctrl-C, which is also sent on as `SIGINT`. One question at a time.
   */
  ask(question: string, options?: AskOptions): Promise<string | undefined>;
  /** Gives the input back. */
  close(): void;
}

/** How to ask. */
export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether the next text of the conversation is wanted, which may have been typed before. Default no: text typed
   * before the question was there is never taken for its answer.
   */
  readonly conversation?: boolean;
}
