import { createServer, type Server } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { DenoRuntime } from "../src/deno/index.ts";
import { sandbox, SECRET } from "./sandbox.ts";

function describeContainment() {
  const runtime = new DenoRuntime({ prewarm: 0, onContainment: () => undefined });
  return runtime.describeContainment();
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
    const open = sandbox({ allowedHosts: [`127.0.0.1:${port}`] });
    expect((await open(`await (await fetch("http://127.0.0.1:${port}")).text()`)).value).toBe(SECRET);
  });

  test("and no others, nor other ports", async () => {
    const other = createTcpServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const open = sandbox({ allowedHosts: [`127.0.0.1:${port}`] });
    const elsewhere = (other.address() as AddressInfo).port;
    for (const to of [`127.0.0.1:${elsewhere}`, "192.0.2.1", "example.invalid"])
      expect((await open(`await fetch("http://${to}")`)).error?.kind).toBe("permission");
  });

  test("and cannot be reached there itself", async ({ skip }) => {
    skip(!describeContainment().wall?.includes("seccomp"), "this machine has no wall with seccomp");
    const free = createTcpServer();
    await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
    const own = (free.address() as AddressInfo).port;
    await new Promise((resolve) => free.close(resolve));
    const open = sandbox({ allowedHosts: [`127.0.0.1:${own}`, `127.0.0.1:1`] });
    for (const code of [
      `Deno.listen({ hostname: "127.0.0.1", port: ${own} })`,
      `Deno.serve({ hostname: "127.0.0.1", port: ${own} }, () => new Response("x"));\nawait new Promise(() => {});`,
      `const { createServer } = await import("node:net");\nawait new Promise((done, fail) => createServer().on("error", fail).listen(${own}, "127.0.0.1", done));`,
      `const { createServer } = await import("node:http");\nawait new Promise((done, fail) => createServer().on("error", fail).listen(${own}, "127.0.0.1", done));`,
      `const { createSocket } = await import("node:dgram");\nawait new Promise((done, fail) => createSocket("udp4").on("error", fail).bind(${own}, "127.0.0.1", done));`,
      `const { connect } = await import("node:net");\nconst socket: any = connect(1, "127.0.0.1").on("error", () => {});\nconst handle = new socket._handle.constructor(1);\nif (handle.bind("127.0.0.1", ${own}) !== 0 || handle.listen(5) !== 0) throw new Error("refused: not permitted");`,
    ])
      expect((await open(code)).error?.message).toMatch(/not permitted|EACCES|EPERM/);
  });

  test("although a name server or a table of hosts says so, in no way to write an address", async () => {
    const open = sandbox({ allowedHosts: ["localhost", "example.com"] });
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
    for (const place of places)
      expect((await open(`await fetch("http://${place}:${port}")`)).error?.kind).toBe("permission");
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
    for (const place of metadata)
      expect((await open(`await fetch("http://${place}/")`)).error?.kind).toBe("permission");
  });
});
