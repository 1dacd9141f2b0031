/**
 * The result of a request that was refused. Nothing was changed.
 *
 * Codes of this package: `invalid_label`, `invalid_text`, `invalid_value`, `empty`, `too_large`, `readonly`, `invalid_import`,
 * `tier_mismatch`, `rejected_before`, `queue_full`, `memory_full`, `quota`, `label_taken`, `not_found`, `already_resolved`,
 * `expired`. A tool's failure keeps the code; a version other than the expected one has `conflict`, a failing store `memory_unavailable`.
 */
export interface Refusal {
  /** Discriminates the outcomes. */
  readonly outcome: "refused";
  /** Stable, machine-readable name of the reason. */
  readonly code: string;
  /** States for a model or a person: the attempt, the finding, and the alternative. */
  readonly reason: string;
}

/** A {@link Refusal} with this code and reason. */
export function refuse(code: string, reason: string): Refusal {
  return { outcome: "refused", code, reason };
}
