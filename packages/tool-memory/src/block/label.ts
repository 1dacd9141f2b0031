import { refuse, type Refusal } from "../text/refusal.ts";
import type { MemoryLimits } from "./memory-limits.ts";

const part = "[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N} _.:-]*(?<! )";
const grammar = new RegExp(`^${part}(?:/${part})*$`, "u");

/** A label that follows the grammar. */
export interface Label {
  /** As it is shown: composed (NFC). */
  readonly text: string;
  /** What tells it from others: compatibility forms and case folded, so that `Persona` cannot pose as `persona`. */
  readonly key: string;
}

/** Reads a label, or says why it is none. */
export function toLabel(value: string, limits: Pick<MemoryLimits, "labelCharacters">): Label | Refusal {
  const text = value.normalize("NFC");
  if (text.length === 0 || text.length > limits.labelCharacters) {
    return refuse(
      "invalid_label",
      `Label refused: it has ${text.length} characters, allowed are 1 to ${limits.labelCharacters}; choose a short name such as user/preferences`,
    );
  }
  if (!grammar.test(text)) {
    return refuse(
      "invalid_label",
      `Label refused: ${JSON.stringify(text)} is not a name, allowed are letters and digits, then also space _ - . : and parts separated by /, such as user/preferences; choose such a name`,
    );
  }
  return { text, key: toKey(text) };
}

/** What tells a label from others. */
export function toKey(label: string): string {
  return label.normalize("NFKC").toLowerCase().normalize("NFC");
}
