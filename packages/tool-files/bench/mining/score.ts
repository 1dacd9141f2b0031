import { editBytes } from "../../src/edit/edit-bytes.ts";
import { FilesError } from "../../src/error/files-error.ts";
import type { Hunk } from "./hunk.ts";
import { PERTURBATIONS } from "./perturbations.ts";
import { Random } from "./random.ts";
import type { Trial } from "./trial.ts";

/** The results of the trials of one kind. */
export interface Score {
  /** How many there were. */
  tries: number;
  /** Edits that produced the intended file, or were refused where they had to be. */
  right: number;
  /** Edits refused that should have been applied. */
  refused: number;
  /** Edits that made anything else of the file. */
  wrong: number;
  /** Sources of the wrong ones. */
  readonly examples: string[];
}

/** Tries every hunk in every way. The same hunks give the same trials. */
export function scoreHunks(hunks: readonly Hunk[]): ReadonlyMap<string, Score> {
  const scores = new Map<string, Score>();
  for (const [kind, perturb] of Object.entries(PERTURBATIONS)) {
    const score: Score = { tries: 0, right: 0, refused: 0, wrong: 0, examples: [] };
    for (const [index, hunk] of hunks.entries()) {
      const trial = perturb(hunk, new Random(index + 1));
      if (trial === undefined) continue;
      const outcome = outcomeOf(trial);
      score.tries += 1;
      score[outcome] += 1;
      if (outcome !== "right") score.examples.push(`${outcome} ${index} ${hunk.source}:${hunk.start}`);
    }
    scores.set(kind, score);
  }
  return scores;
}

function outcomeOf({ file, old_text, new_text, intended }: Trial): "right" | "refused" | "wrong" {
  try {
    const { bytes } = editBytes(file, [{ old_text, new_text }], "Cannot edit");
    return intended !== undefined && bytes.equals(intended) ? "right" : "wrong";
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    return intended === undefined ? "right" : "refused";
  }
}
