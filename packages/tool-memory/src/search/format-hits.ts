import { addCaution } from "../block/add-caution.ts";
import type { MemoryHit } from "../block/memory-block.ts";
import { ageOf } from "../text/age-of.ts";
import { toPromptJson } from "../text/prompt-json.ts";

/** The result of a search. */
export interface FoundHits {
  /** The blocks, best first. */
  readonly blocks: readonly MemoryHit[];
  /** A note to the model, if any. */
  readonly note?: string | undefined;
}

/** Formats the result of a search for a model: JSON in which no stored text can imitate another. */
export function formatHits({ blocks, note }: FoundHits): string {
  return toPromptJson({ blocks: blocks.map(toModelHit), ...(note !== undefined && { note }) });
}

/** A hit as a model reads it: its label, text, age and source, a caution before a text of low trust, and a note on left-out text. */
export function toModelHit({
  label,
  content,
  updatedAt,
  validFrom,
  source,
  trust,
  scope,
  similar,
  omitted = 0,
}: MemoryHit): object {
  const { caution } = addCaution({ source, trust });
  return {
    ...(caution !== undefined && { caution }),
    label,
    content,
    age: ageOf(updatedAt),
    ...(validFrom !== undefined && { valid_from: validFrom.slice(0, "2026-01-31".length) }),
    source,
    ...(scope !== undefined && { shared: scope }),
    ...(similar !== undefined && { similar: { say_the_same: similar.count, labels: similar.labels } }),
    ...(omitted > 0 && {
      cut: `${omitted} characters are left out; to see the rest, read with this label as the query and limit 1`,
    }),
  };
}
