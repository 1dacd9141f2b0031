/**
 * Why something was not done. Nothing was changed.
 *
 * Codes of this package: `invalid_label`, `invalid_text`, `invalid_value`, `empty`, `too_large`, `readonly`,
 * `tier_mismatch`, `rejected_before`, `queue_full`, `memory_full`, `quota`, `label_taken`, `not_found`, `already_resolved`, `expired`.
 */
export interface Refusal {
  /** Tells a refusal from the other outcomes. */
  readonly outcome: "refused";
  /** Stable, machine-readable name of the reason. */
  readonly code: string;
  /** What was attempted, what was found and what to do instead, for a model or a person. */
  readonly reason: string;
}

/** A {@link Refusal} with this code and reason. */
export function refuse(code: string, reason: string): Refusal {
  return { outcome: "refused", code, reason };
}
