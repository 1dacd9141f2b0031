import { expect, onTestFinished, test } from "vitest";
import { openEngine } from "./open-engine.ts";
import { NO_POSTGRES, ownDatabase, postgres } from "./own-database.ts";

test.for([
  "{broken",
  "null",
  "[]",
  '{"json":[7]}',
  '{"json":["a",{"kind":"call","name":7},null],"__dbos_serializer":"superjson"}',
])("PostgreSQL's engine goes on when somebody has put %s into a step", async (inputs, { skip }) => {
  skip(postgres === undefined, NO_POSTGRES);
  const { url, query, remove } = await ownDatabase();
  onTestFinished(remove);
  const engine = await openEngine(url, true);
  onTestFinished(() => engine.close());
  await query(`CREATE FUNCTION damage() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.workflow_uuid = 'damaged' THEN NEW.inputs = '${inputs}'; END IF; RETURN NEW; END $$`);
  await query("CREATE TRIGGER damage BEFORE INSERT ON dbos.workflow_input FOR EACH ROW EXECUTE FUNCTION damage()");
  await engine.submit("damaged", { kind: "step", session: "s" });
  await engine.submit("sound", { kind: "step", session: "s" });
  const stop = engine.serve({
    accepts: () => true,
    handle: async (key, intent) => void (await engine.run(key, { intent, work: async () => ({ result: "done" }) })),
  });
  await expect.poll(() => engine.find("sound")).toMatchObject({ state: "done", result: "done" });
  expect((await engine.list()).steps.map(({ key }) => key)).not.toContain("sound");
  await stop();
});
