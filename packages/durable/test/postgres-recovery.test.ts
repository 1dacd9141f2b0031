import type { DurableEngine, DurableStep } from "@dispatch/durable";
import type { JsonValue } from "@dispatch/tools-interface";
import pg from "pg";
import { afterEach, expect, onTestFinished, test, vi, type TestContext } from "vitest";
import { openEngine } from "./open-engine.ts";
import { NO_POSTGRES, ownDatabase, postgres, type OwnDatabase } from "./own-database.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Gives steps to other workers, as one does that takes this process for dead. */
const TAKE_AWAY =
  "UPDATE dbos.workflow_status SET status = 'ENQUEUED', queue_name = 'dispatch.steps', owner_xid = NULL WHERE status = 'PENDING'";
const intent = { kind: "step", session: "s" };

async function opened(
  { skip }: TestContext,
  serves: boolean,
): Promise<OwnDatabase & { readonly engine: DurableEngine }> {
  skip(postgres === undefined, NO_POSTGRES);
  const database = await ownDatabase();
  const engine = await openEngine(database.url, serves);
  onTestFinished(async () => {
    await engine.close();
    await database.remove();
  });
  return { ...database, engine };
}

/** A step that is done at once, or when its gate opens. */
function stepOf(result: JsonValue, gate: Promise<void> = Promise.resolve()) {
  const begun: (JsonValue | undefined)[] = [];
  const work: DurableStep["work"] = async (again) => (begun.push(again), await gate, { result });
  return { begun, step: { intent, work } };
}

/** Does each step that comes. */
function serveAll(engine: DurableEngine): () => Promise<void> {
  return engine.serve({
    accepts: () => true,
    handle: async (key) => void (await engine.run(key, stepOf("served").step)),
  });
}

test("a process goes on to take steps when its queue was removed", async (context) => {
  const { engine, query } = await opened(context, false);
  await query("DELETE FROM dbos.queues WHERE name LIKE 'dispatch.of.%'");
  // Each takes longer than a third of the time after which DBOS sees that the queue is gone.
  for (const key of ["a", "b", "c", "d", "e", "f"]) {
    await engine.submit(key, intent);
    expect(await engine.run(key, stepOf(key).step)).toBe(key);
  }
});

test("a step that DBOS took for this process without running it is done", async (context) => {
  const { engine, query } = await opened(context, true);
  await query(`CREATE FUNCTION strand() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.status = 'PENDING'; RETURN NEW; END $$`);
  await query("CREATE TRIGGER strand BEFORE INSERT ON dbos.workflow_status FOR EACH ROW EXECUTE FUNCTION strand()");
  await engine.submit("a", intent);
  const stop = serveAll(engine);
  await expect.poll(() => engine.find("a")).toMatchObject({ state: "done", result: "served" });
  await stop();
});

test.for(["EPIPE", "ENOENT", "53300", "57P01"])(
  "a result is recorded although the connection ends with %s meanwhile",
  async (code, context) => {
    const { engine } = await opened(context, false);
    const query = Reflect.get(pg.Client.prototype, "query") as (this: pg.Client, ...given: unknown[]) => unknown;
    let failures = 0;
    vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...given: unknown[]) {
      const isResult = String(given[0]).includes("workflow_output") && String(given[0]).includes("INSERT");
      if (isResult && (failures += 1) <= 2) return Promise.reject(Object.assign(new Error(`write ${code}`), { code }));
      return query.apply(this, given);
    });
    const { begun, step } = stepOf("done");
    expect(await engine.run("a", step)).toBe("done");
    expect(await engine.find("a")).toMatchObject({ state: "done", result: "done" });
    expect([begun.length, failures]).toEqual([1, 3]);
  },
);

test.for(["run", "serve"])(
  "a step that comes back to its process while it works is not begun again, in %s",
  async (way, context) => {
    const { engine, query } = await opened(context, true);
    const gate = Promise.withResolvers<void>();
    const { begun, step } = stepOf("done", gate.promise);
    const stop =
      way === "serve"
        ? engine.serve({ accepts: () => true, handle: async (key) => void (await engine.run(key, step)) })
        : serveAll(engine);
    const result = way === "run" ? engine.run("a", step) : engine.submit("a", intent).then(() => undefined);
    await expect.poll(() => begun.length).toBe(1);
    await query(TAKE_AWAY);
    const taken = "SELECT 1 FROM dbos.workflow_status WHERE workflow_uuid = 'a' AND status = 'PENDING'";
    await expect.poll(() => query(taken)).toHaveLength(1);
    gate.resolve();
    await expect.poll(() => engine.find("a")).toMatchObject({ state: "done", result: "done" });
    expect(await result).toBe(way === "run" ? "done" : undefined);
    expect(begun).toEqual([undefined]);
    await stop();
  },
);

test("a step that could not be begun is offered again, and does not fill the process", async (context) => {
  const { engine, query } = await opened(context, true);
  await query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
  await query("CREATE TRIGGER refuse BEFORE INSERT ON dbos.operation_outputs FOR EACH ROW EXECUTE FUNCTION refuse()");
  const stop = serveAll(engine);
  const keys = Array.from({ length: 20 }, (_, n) => `step ${n}`);
  for (const key of keys) await engine.submit(key, { ...intent, kind: "call" });
  const parked = "SELECT 1 FROM dbos.workflow_status WHERE queue_name = 'dispatch.parked'";
  await expect.poll(() => query(parked)).toHaveLength(20);
  await query("DROP TRIGGER refuse ON dbos.operation_outputs");
  for (const key of keys) await expect.poll(() => engine.find(key)).toMatchObject({ state: "done", result: "served" });
  await stop();
});

test("close() waits for a step that this process does", async (context) => {
  const { engine, url } = await opened(context, true);
  const gate = Promise.withResolvers<void>();
  const { begun, step } = stepOf("done", gate.promise);
  const result = engine.run("a", step);
  await expect.poll(() => begun.length).toBe(1);
  const closed = engine.close();
  gate.resolve();
  expect(await result).toBe("done");
  await closed;
  const next = await openEngine(url, false);
  onTestFinished(() => next.close());
  expect(await next.find("a")).toMatchObject({ state: "done", result: "done" });
});

test("an answer arrives although the connection that listens has ended", async (context) => {
  const { engine, end } = await opened(context, false);
  const answer = engine.wait("q", { kind: "question", question: 1 });
  await expect.poll(async () => (await engine.list()).waits).toHaveLength(1);
  expect(await end("LISTEN%")).toBeGreaterThan(0);
  expect(await engine.signal("q", "yes")).toBe(true);
  expect(await answer).toEqual({ lapsed: false, answer: "yes" });
});

test("steps are done although all connections are ended again and again, and the console stays the host's", async (context) => {
  const { engine, end } = await opened(context, true);
  const written: unknown[] = [];
  const write = (text: unknown): boolean => (written.push(text), true);
  vi.spyOn(process.stdout, "write").mockImplementation(write);
  vi.spyOn(process.stderr, "write").mockImplementation(write);
  for (const name of ["log", "info", "warn", "error"] as const) vi.spyOn(console, name).mockImplementation(write);
  const stop = serveAll(engine);
  const keys = Array.from({ length: 12 }, (_, n) => `step ${n}`);
  let ended = 0;
  for (const key of keys) {
    ended += await end("%");
    await engine.submit(key, { ...intent, kind: "call" });
  }
  for (const key of keys) await expect.poll(() => engine.find(key)).toMatchObject({ state: "done", result: "served" });
  await stop();
  expect(ended).toBeGreaterThan(12);
  expect(written).toEqual([]);
});
