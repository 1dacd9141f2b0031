import { appendFileSync, readFileSync } from "node:fs";

/** Where effects happen: a file with a line for each, which outlives the process that wrote it. */
export interface Destination {
  /** Lets an effect happen. */
  act(effectId: string, name: string): void;
  /** How often each effect has happened. */
  counts(): ReadonlyMap<string, number>;
}

/** Opens the destination in a file. One line is one write, so a killed process leaves it whole or not at all. */
export function openDestination(file: string): Destination {
  return {
    act: (effectId, name) => appendFileSync(file, `${effectId} ${name}\n`),
    counts() {
      const counts = new Map<string, number>();
      for (const line of read(file).split("\n")) {
        const [effectId = ""] = line.split(" ");
        if (effectId !== "") counts.set(effectId, (counts.get(effectId) ?? 0) + 1);
      }
      return counts;
    },
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
