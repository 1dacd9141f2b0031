import { startChild } from "../test/child.ts";
import { createDatabase } from "../test/engines.ts";

/**
 * Four processes write to a server, each to ten owners of its own, in 64 partitions: `node owners.bench.ts [WRITES]`, by
 * default 2,000 each. The server is that of `DISPATCH_TEST_POSTGRES_URL`; `.ci/with-postgres.ts` starts one.
 */
const [writes = "2000"] = process.argv.slice(2);
const server = process.env["DISPATCH_TEST_POSTGRES_URL"];
if (server === undefined) {
  console.log("No server is named, so none was measured");
  console.log("METRIC memory.owners.servers 0 servers");
} else {
  const { url, drop } = await createDatabase(server);
  try {
    // Makes the tables, so that only writing is measured.
    await startChild(new URL("../test/write-owners.ts", import.meta.url), url, "first", "1", "1").ended;
    const started = performance.now();
    const children = Array.from({ length: 4 }, (_, n) =>
      startChild(new URL("../test/write-owners.ts", import.meta.url), url, `process ${n}`, "10", writes),
    );
    await Promise.all(children.map(({ ended }) => ended));
    if (children.some(({ lines }) => lines.at(-1) !== "DONE")) throw new Error("a writer ended early");
    const seconds = (performance.now() - started) / 1_000;
    console.log(`METRIC memory.owners.write.per_s ${((4 * Number(writes)) / seconds).toFixed(1)} 1/s`);
  } finally {
    await drop();
  }
}
