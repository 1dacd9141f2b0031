import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createDurable, type DurableEngine } from "@dispatch/durable";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { expect, onTestFinished, test } from "vitest";
import { openEngine } from "./open-engine.ts";
import { NO_POSTGRES, ownDatabase, postgres } from "./own-database.ts";

function charging() {
  const ran: string[] = [];
  const charge = defineTool({
    name: "charge",
    description: "Acts.",
    parameters: { type: "object" },
    execute: (_, { effectId }) => (ran.push(effectId), "charged"),
  });
  return { ran, registry: createToolRegistry().register(charge) };
}
const call = () => ({ id: `toolu_${crypto.randomUUID()}`, name: "charge", arguments: {} });

/** Every use of an engine whose tables are gone ends with an error that names the cause, and starts nothing. */
async function expectClearErrors(engine: DurableEngine, cause: RegExp): Promise<void> {
  const durable = createDurable(engine);
  const { ran, registry } = charging();
  const result = await registry.dispatch(call(), { durable: durable.session("s") });
  expect(result).toMatchObject({ success: false, code: "durable_unavailable", effects: "none" });
  expect(String(result)).toMatch(cause);
  await expect(durable.submit(registry, call(), { session: "s" })).rejects.toThrow(cause);
  await expect(durable.open()).rejects.toThrow(cause);
  await expect(durable.answer("q", 1)).rejects.toThrow(cause);
  const stop = durable.serve(registry);
  await stop();
  expect(ran).toEqual([]);
}

test("dropped tables of a file are a clear error, and nothing hangs", async () => {
  const root = mkdtempSync(join(tmpdir(), "durable-broken-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const file = join(root, "calls.db");
  const engine = await openEngine(file, true);
  const other = new DatabaseSync(file);
  other.exec("DROP TABLE step; DROP TABLE wait; DROP TABLE entry; DROP TABLE worker");
  other.close();
  await expectClearErrors(engine, /no such table/);
  await engine.close();
});

test("dropped tables in PostgreSQL are a clear error, and nothing hangs", async ({ skip }) => {
  skip(postgres === undefined, NO_POSTGRES);
  const { url, query, remove } = await ownDatabase();
  onTestFinished(remove);
  const engine = await openEngine(url, true);
  await query("DROP SCHEMA dispatch CASCADE");
  await query("DROP SCHEMA dbos CASCADE");
  await expectClearErrors(engine, /does not exist/);
  await engine.close();
});

test("a second database in one process is refused with its reason, and the first goes on", async ({ skip }) => {
  skip(postgres === undefined, NO_POSTGRES);
  const [first, second] = [await ownDatabase(), await ownDatabase()];
  onTestFinished(first.remove);
  onTestFinished(second.remove);
  const engine = await openEngine(first.url, true);
  for (const { url } of [second, first]) await expect(openEngine(url, true)).rejects.toThrow(/one .*per process/);
  const { registry } = charging();
  const durable = createDurable(engine);
  expect(String(await registry.dispatch(call(), { durable: durable.session("s") }))).toBe("charged");
  await engine.close();
  const next = await openEngine(second.url, true);
  expect(String(await registry.dispatch(call(), { durable: createDurable(next).session("s") }))).toBe("charged");
  await next.close();
});

test("a full server is a clear error at the opening, and calls made meanwhile run once it has room", async ({
  skip,
}) => {
  skip(postgres === undefined, NO_POSTGRES);
  const { url, query, end, remove } = await ownDatabase();
  // One of its own, so that the server is full for this test alone.
  const role = `limited_${crypto.randomUUID().replaceAll("-", "")}`;
  const own = new URL(url);
  [own.username, own.password] = [role, role];
  await query(`CREATE ROLE ${role} LOGIN PASSWORD '${role}' CONNECTION LIMIT 0`);
  await query(`ALTER DATABASE ${own.pathname.slice(1)} OWNER TO ${role}`);
  const limit = (most: number) => query(`ALTER ROLE ${role} CONNECTION LIMIT ${most}`);
  onTestFinished(async () => {
    await query(`REASSIGN OWNED BY ${role} TO CURRENT_USER`);
    await query(`DROP ROLE ${role}`);
    await remove();
  });
  await expect(openEngine(own.href, true)).rejects.toThrow(/too many connections/);
  await limit(-1);
  const engine = await openEngine(own.href, true);
  const { ran, registry } = charging();
  await limit(0);
  expect(await end("%")).toBeGreaterThan(0);
  const session = createDurable(engine).session("s");
  const made = Array.from({ length: 5 }, () => registry.dispatch(call(), { durable: session }));
  setTimeout(() => void limit(-1), 1_000);
  expect((await Promise.all(made)).map(String)).toEqual(Array.from({ length: 5 }, () => "charged"));
  expect(ran).toHaveLength(5);
  await engine.close();
});
