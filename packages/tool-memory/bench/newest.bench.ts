// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import { openOn, sqlite } from "../test/engines.ts";
import { readFacts } from "./read-facts.ts";

/**
 * How often the newest note of a changed fact is the first hit, and the older note where the later one is of another
 * subject. All notes are in one memory, the later ones written after all the earlier ones. Prints one line a figure:
 * `METRIC name value unit`; with `--missed` also the questions that went wrong.
 */
const changed = readFacts("changed-facts");
const kept = readFacts("kept-facts");
const sql = await sqlite.open();
try {
  const { manager, settled, close } = await openOn(sql, { owner: "newest" });
  const facts = [...changed, ...kept];
  const versions = Math.max(...facts.map(({ notes }) => notes.length));
  for (let version = 0; version < versions; version++) {
    for (const { notes } of facts) {
      const note = notes[version];
      if (note === undefined) continue;
      const { outcome } = await manager.write({ ...note, tier: "archival" });
      if (outcome !== "applied") throw new Error(`a note was not written: ${note.label}`);
    }
  }
  await settled();
  const first = async (question: string, label: string | undefined): Promise<boolean> => {
    const hits = await manager.search(question, { limit: 10 });
    const found = hits[0]?.label === label;
    if (!found && process.argv.includes("--missed"))
      console.log(
        question,
        "->",
        hits.slice(0, 3).map((hit) => `${hit.label} ${hit.score}`),
      );
    return found;
  };
  let [newest, older] = [0, 0];
  for (const { question, notes } of facts.slice(0, changed.length))
    newest += Number(await first(question, notes.at(-1)?.label));
  for (const { question, notes } of facts.slice(changed.length))
    older += Number(await first(question, notes[0]?.label));
  metric("memory.newest_first", newest / changed.length, "share");
  metric("memory.newest_first.kept", older / kept.length, "share");
  metric("memory.newest_first.facts", changed.length, "facts");
  await close();
} finally {
  await sql.close();
}
