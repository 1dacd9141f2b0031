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

/**
 * Refuses a text that cannot be stored; `undefined` when it can. A stored text must come back identical, so a text that
 * PostgreSQL would refuse (U+0000) or change (half of a surrogate pair) is refused here.
 *
 * @param name the name of the field, for the refusal.
 * @param maxChars the allowed length in UTF-16 code units.
 */
export function checkText(name: string, text: string, maxChars: number): Refusal | undefined {
  if (typeof text !== "string") return refuse("invalid_text", `${name} refused: it is no text; send a text`);
  if (text.length > maxChars) {
    return refuse(
      "too_large",
      `${name} refused: it has ${text.length} characters, allowed are ${maxChars}; shorten it`,
    );
  }
  if (text.includes("\0")) {
    return refuse("invalid_text", `${name} refused: it holds the character U+0000, allowed is any other; leave it out`);
  }
  if (!text.isWellFormed()) {
    return refuse(
      "invalid_text",
      `${name} refused: it holds half of a surrogate pair, allowed is well-formed Unicode; send the whole character or leave it out`,
    );
  }
  return undefined;
}
