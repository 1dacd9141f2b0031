import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { restateServices } from "@dispatch/tools-interface/durable/restate";
import { serve } from "@restatedev/restate-sdk";

/** The program of Restate's server, which `.ci/with-restate.ts` installs. */
export const restateServer = process.env["DISPATCH_TEST_RESTATE_SERVER"];
/** Why tests that need it are skipped. */
export const NO_RESTATE = "no server: .ci/with-restate.ts installs one";

/** A server that knows the objects, which this process serves. */
export interface RestateServer {
  /** Its ingress. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server for one test run. */
export async function startRestate(program: string): Promise<RestateServer> {
  const directory = mkdtempSync(path.join(tmpdir(), "restate-"));
  const [ingress, admin, node, services] = await freePorts(4);
  const env = {
    ...process.env,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    // It leaves directories there when it is killed.
    TMPDIR: directory,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
  };
  const args = ["--no-logo", "--listen-mode", "tcp", "--base-dir", directory, "--log-filter", "off"];
  const child = spawn(program, args, { env, stdio: "ignore" });
  // Its own logger writes a line for each step to standard output.
  const logger = (): void => undefined;
  await serve({ services: [...restateServices()], port: Number(services), logger });
  const body = JSON.stringify({ uri: `http://127.0.0.1:${services}` });
  const headers = { "content-type": "application/json" };
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${admin}/deployments`, { method: "POST", headers, body }).catch(
      () => undefined,
    );
    if (answer?.ok) break;
    if (child.exitCode !== null) throw new Error(`Restate ended with code ${child.exitCode}`);
    await pause(100);
  }
  return {
    url: `http://127.0.0.1:${ingress}`,
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve))));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
