import { readFileSync } from "node:fs";
import path from "node:path";

/** A question and notes about its subject, oldest first. */
export interface Fact {
  readonly question: string;
  readonly notes: readonly { readonly label: string; readonly content: string }[];
}

/** Reads `NAME.txt`: facts with an empty line between them, each a question and a line `label: content` for each note. */
export function readFacts(name: string): readonly Fact[] {
  const text = readFileSync(path.join(import.meta.dirname, `${name}.txt`), "utf8").replaceAll(/^#.*\n/gm, "");
  return text
    .trim()
    .split(/\n{2,}/)
    .map((fact) => {
      const [question = "", ...notes] = fact.split("\n");
      return { question, notes: notes.map(toNote) };
    });
}

function toNote(note: string): Fact["notes"][number] {
  const [label = "", content = ""] = note.split(/: (.*)/su);
  return { label, content };
}
