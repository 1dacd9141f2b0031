import { refuse, type Refusal } from "../text/refusal.ts";
import type { MemoryLimits } from "./memory-limits.ts";

const part = "[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N} _.:-]*(?<! )";
const grammar = new RegExp(`^${part}(?:/${part})*$`, "u");

/** A valid label. */
export interface Label {
  /** The label as shown: composed (NFC). */
  readonly text: string;
  /** Identifies the block: compatibility forms and case are folded, so that `Persona` cannot pose as `persona`. */
  readonly key: string;
}

/** Parses a label, or refuses it. */
export function toLabel(value: string, limits: Pick<MemoryLimits, "labelChars">): Label | Refusal {
  const text = value.normalize("NFC");
  if (text.length === 0 || text.length > limits.labelChars) {
    return refuse(
      "invalid_label",
      `Label refused: it has ${text.length} characters, allowed are 1 to ${limits.labelChars}; choose a short name such as user/preferences`,
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

/** The key of a label: equal for labels that differ only in case or compatibility form. */
export function toKey(label: string): string {
  return label.normalize("NFKC").toLowerCase().normalize("NFC");
}
