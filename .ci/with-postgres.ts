/**
 * `node .ci/with-postgres.ts COMMAND …` runs a command with two PostgreSQL servers, started for it and stopped after it:
 * `DISPATCH_TEST_POSTGRES_URL`, and with pgvector `DISPATCH_TEST_PGVECTOR_URL`. One that cannot be had is told of; with
 * `DISPATCH_TEST_SERVERS=all` that is a failure, after the command. `plain` asks for the first only, `none` for none.
 */
import { spawn } from "node:child_process";
import process from "node:process";

import { startPlain, startWithVectors, type Server } from "./postgres-server.ts";

const [command, ...args] = process.argv.slice(2);
if (command === undefined) throw new Error("Cannot run a command: none was given, allowed is one with its arguments");
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
  const child = spawn(command, args, { env, stdio: "inherit" });
  // Whoever ends this ends the command; then the servers are stopped as ever.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("close", resolve).on("error", reject);
  });
  process.exitCode = code ?? 1;
} finally {
  for (const server of servers) await server.stop();
}
if (isMissing && wanted === "all") process.exitCode ||= 1;
