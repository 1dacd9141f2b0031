import { createServer, type Server } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { sandbox, SECRET } from "./sandbox.ts";

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
});
