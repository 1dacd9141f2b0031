import { expect, onTestFinished, test } from "vitest";
import { openEngine } from "./open-engine.ts";
import { NO_POSTGRES, ownDatabase, postgres } from "./own-database.ts";

test("an engine opens although its connections are ended meanwhile", async ({ skip }) => {
  skip(postgres === undefined, NO_POSTGRES);
  const { url, end, remove } = await ownDatabase();
  onTestFinished(remove);
  // The tables of DBOS are there, so that the second time is the start of a worker, as most are.
  for (const ended of [0, 12]) {
    const open = new AbortController();
    const opening = openEngine(url, true).finally(() => open.abort());
    for (let count = 0; count < ended && !open.signal.aborted;) count += await end("%dbos%");
    const engine = await opening;
    expect(await engine.find("none")).toBeUndefined();
    await engine.close();
  }
});
