import { escapeInvisible } from "../text/escape-invisible.ts";
import { toPromptJson } from "../text/prompt-json.ts";
import { refuse, type Refusal } from "../text/refusal.ts";
import { whyMisleading } from "./label-look.ts";
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
      `Label refused: ${quote(text)} is not a name, allowed are letters and digits, then also space _ - . : and parts separated by /, such as user/preferences; choose such a name`,
    );
  }
  return { text, key: toKey(text) };
}

/**
 * Refuses the label of a new block when it could pass for another label; `undefined` when it could not. Blocks of earlier
 * versions keep such labels and are found by them.
 */
export function checkNewLabel(label: string): Refusal | undefined {
  const reason = whyMisleading(label);
  if (reason === undefined) return undefined;
  return refuse(
    "invalid_label",
    `Label refused: ${quote(label)} could pass for another label, as ${escapeInvisible(reason)}; allowed are words of one script that look like no other, such as user/preferences; choose such a name`,
  );
}

/** A label as errors and answers name it: quoted, with invisible characters escaped. */
export function quote(label: string): string {
  return toPromptJson(label);
}

/** The key of a label: equal for labels that differ only in case or compatibility form. */
export function toKey(label: string): string {
  return label.normalize("NFKC").toLowerCase().normalize("NFC");
}
