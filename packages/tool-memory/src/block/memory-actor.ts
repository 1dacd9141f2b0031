/** The author of a change. Bound when a memory is opened; no call can choose it. */
export interface MemoryActor {
  /** `agent` through the manager, `person` through the steward. */
  readonly kind: "agent" | "person";
  /** The name given when the memory was opened. */
  readonly id: string;
}
