/**
 * `node .ci/with-postgres.ts COMMAND …` runs a command with two PostgreSQL servers, started for it and stopped after
 * it: `DISPATCH_TEST_POSTGRES_URL`, and with pgvector `DISPATCH_TEST_PGVECTOR_URL`. A server that cannot be started is
 * reported; with `DISPATCH_TEST_SERVERS=all` that is a failure, after the command. `plain` asks for the first only,
 * `none` for none.
 */
import process from "node:process";
import { startPlain, startWithVectors, type Server } from "./machine/postgres-server.ts";
import { givenCommand, runWithEnvironment } from "./machine/run-with-environment.ts";

const command = givenCommand();
const wanted = process.env["DISPATCH_TEST_SERVERS"];
const starts = {
  ...(wanted === "none" ? {} : { DISPATCH_TEST_POSTGRES_URL: startPlain }),
  ...(wanted === undefined || wanted === "all" ? { DISPATCH_TEST_PGVECTOR_URL: startWithVectors } : {}),
};

const servers: Server[] = [];
let isMissing = false;
try {
  const env = { ...process.env };
  for (const [name, start] of Object.entries(starts)) {
    try {
      const server = await start();
      servers.push(server);
      env[name] = server.url;
    } catch (error) {
      isMissing = true;
      console.error(`Cannot start the server for ${name}: ${(error as Error).message}`);
    }
  }
  process.exitCode = await runWithEnvironment(command, env);
} finally {
  for (const server of servers) await server.stop();
}
if (isMissing && wanted === "all") process.exitCode ||= 1;
