/** Which case is to be run, and in which kind of host. */
export interface Order {
  /** Name of the case. */
  readonly name: string;
  /** Whether the host catches a call's rejection and shows the model its message. */
  readonly catching: boolean;
}

/** The verdict on one case. */
export interface Verdict {
  /** Whether it passed, failed, or is about something that the system has not. */
  readonly status: "passed" | "failed" | "not_offered";
  /** Why it did not pass, one line; empty when it passed. */
  readonly reason: string;
  /** Whether a call rejected: a host that catches may come off better. */
  readonly rejected: boolean;
  /** Whether something of it may still be going on in its process. */
  readonly spoiled: boolean;
}
