import { createServer, type Server } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { DenoRuntime } from "../src/deno/index.ts";
import { sandbox, SECRET } from "./sandbox.ts";

function describeContainment() {
  const runtime = new DenoRuntime({ prewarm: 0, onContainment: () => undefined });
  return runtime.describeContainment();
}

type Open = ReturnType<typeof sandbox>;

/** Makes attempts in one program, one after the other. Returns the error of each with its cause, `null` for one that worked. */
async function attempts(open: Open, bodies: readonly string[]): Promise<readonly unknown[]> {
  const { value, error } = await open(
    `const said: any[] = []; ${bodies.map((body) => `try { await (async () => { ${body} })(); said.push(null); } catch (error: any) { said.push(error + " " + error.cause); }`).join("\n")}\nreturn said;`,
  );
  expect(error).toBeUndefined();
  expect(value).toHaveLength(bodies.length);
  return value as readonly unknown[];
}

/** Each of these must be refused by Deno's permissions, not by the network. */
async function expectRefused(open: Open, hosts: readonly string[]): Promise<void> {
  const found = await attempts(
    open,
    hosts.map((host) => `await fetch("http://${host}/");`),
  );
  expect(hosts.map((host, at) => [host, found[at]])).toEqual(
    hosts.map((host) => [host, expect.stringMatching(/Requires net access to /)]),
  );
}

/** A service of the host's own network. */
let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((_request, response) => response.end(SECRET));
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

describe("a program with hosts reaches these", () => {
  test("when the host's own address is allowed by its number", async () => {
    const open = sandbox({ prewarm: 0, allowedHosts: [`127.0.0.1:${port}`] });
    expect((await open(`await (await fetch("http://127.0.0.1:${port}")).text()`)).value).toBe(SECRET);
  });

  test("and no others, nor other ports", async () => {
    const other = createTcpServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const open = sandbox({ prewarm: 0, allowedHosts: [`127.0.0.1:${port}`] });
    const elsewhere = (other.address() as AddressInfo).port;
    await expectRefused(open, [`127.0.0.1:${elsewhere}`, "192.0.2.1", "example.invalid"]);
  });

  test("and cannot be reached there itself", async ({ skip }) => {
    skip(!describeContainment().wall?.includes("seccomp"), "this machine has no wall with seccomp");
    const free = createTcpServer();
    await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
    const own = (free.address() as AddressInfo).port;
    await new Promise((resolve) => free.close(resolve));
    const open = sandbox({ prewarm: 0, allowedHosts: [`127.0.0.1:${own}`, `127.0.0.1:1`] });
    const ways = [
      `Deno.listen({ hostname: "127.0.0.1", port: ${own} });`,
      `Deno.serve({ hostname: "127.0.0.1", port: ${own} }, () => new Response("x")); await new Promise((done) => setTimeout(done, 100));`,
      `const { createServer } = await import("node:net"); await new Promise((done, fail) => createServer().on("error", fail).listen(${own}, "127.0.0.1", done));`,
      `const { createServer } = await import("node:http"); await new Promise((done, fail) => createServer().on("error", fail).listen(${own}, "127.0.0.1", done));`,
      `const { createSocket } = await import("node:dgram"); await new Promise((done, fail) => createSocket("udp4").on("error", fail).bind(${own}, "127.0.0.1", done));`,
      `const { connect } = await import("node:net"); const socket: any = connect(1, "127.0.0.1").on("error", () => {}); const handle = new socket._handle.constructor(1); if (handle.bind("127.0.0.1", ${own}) !== 0 || handle.listen(5) !== 0) throw new Error("refused: not permitted");`,
    ];
    for (const [way, said] of (await attempts(open, ways)).entries())
      expect([ways[way], said]).toEqual([ways[way], expect.stringMatching(/not permitted|EACCES|EPERM/)]);
  });

  test("although a name server or a table of hosts says so, in no way to write an address", async () => {
    const open = sandbox({ prewarm: 0, allowedHosts: ["localhost", "example.com"] });
    const places = [
      "localhost",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "0x7f000001",
      "2130706433",
      "0177.0.0.1",
      "127.1",
      "0",
    ];
    const metadata = [
      "169.254.169.254",
      "[::ffff:169.254.169.254]",
      "[::ffff:a9fe:a9fe]",
      "0xa9fea9fe",
      "2852039166",
      "0251.0376.0251.0376",
      "[fd00:ec2::254]",
      "[fe80::a9fe:a9fe]",
    ];
    await expectRefused(open, [...places.map((place) => `${place}:${port}`), ...metadata]);
    expect((await open(`await fetch("http://127.1:${port}")`)).error?.kind).toBe("permission");
  });
});
