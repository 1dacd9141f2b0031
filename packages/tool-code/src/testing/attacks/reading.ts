import { attackCase, type AttackCase } from "../attack-case.ts";
import { waysToLoad } from "./ways-to-load.ts";
import { moreWaysToRead, waysToRead } from "./ways-to-read.ts";

/** A file outside is read: every way to read in code that is loaded in every way, then more ways to read. */
export const readingCases: readonly AttackCase[] = [
  ...waysToLoad.flatMap((load) =>
    waysToRead.map((read) =>
      attackCase("reading", `${read.name} in ${load.name}`, (trial) =>
        trial.attack(load.program(read.body(trial.secrets.directory))),
      ),
    ),
  ),
  ...moreWaysToRead.map((read) =>
    attackCase("reading", read.name, (trial) => trial.attack(read.body(trial.secrets.directory))),
  ),
  attackCase("reading", "any file without a directory of its own", async (trial) => {
    trial.runtimeOptions = { tempDir: trial.tempDir };
    await trial.denied(`return Deno.readTextFileSync(${JSON.stringify(`${trial.secrets.directory}/secret.txt`)});`);
    await trial.denied("return [...Deno.readDirSync('.')].length;");
  }),
];
