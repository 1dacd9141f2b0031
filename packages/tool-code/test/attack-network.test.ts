import { createServer, type Server } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { everything, sandbox, SECRET } from "./sandbox.ts";

/** A service of the host's own network, and a count of who reached it. */
let server: Server;
let port: number;
let reached = 0;
beforeAll(async () => {
  server = createServer((_request, response) => {
    reached += 1;
    response.end(SECRET);
  });
  server.on("connection", () => (reached += 1));
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const closed = sandbox();

describe("a program without hosts reaches nothing", () => {
  test.each([
    ["fetch", "await (await fetch('http://127.0.0.1:PORT')).text()"],
    ["fetch by a number", "await (await fetch('http://2130706433:PORT')).text()"],
    ["fetch by a hexadecimal number", "await (await fetch('http://0x7f000001:PORT')).text()"],
    ["fetch by an octal number", "await (await fetch('http://0177.0.0.1:PORT')).text()"],
    ["fetch by a short address", "await (await fetch('http://127.1:PORT')).text()"],
    ["fetch by the address of nothing", "await (await fetch('http://0.0.0.0:PORT')).text()"],
    ["fetch by wide digits", "await (await fetch('http://\uff11\uff12\uff17.0.0.1:PORT')).text()"],
    ["fetch by IPv6", "await (await fetch('http://[::ffff:127.0.0.1]:PORT')).text()"],
    ["fetch by name", "await (await fetch('http://localhost:PORT')).text()"],
    [
      "fetch through a proxy of its own",
      "await (await fetch('http://a.example/', { client: Deno.createHttpClient({ proxy: { url: 'http://127.0.0.1:PORT' } }) })).text()",
    ],
    ["Deno.connect", "await Deno.connect({ hostname: '127.0.0.1', port: PORT })"],
    [
      "node:net",
      "import net from 'node:net';\nexport default await new Promise((r, e) => net.connect(PORT, '127.0.0.1', () => r('in')).on('error', e));",
    ],
    [
      "node:http",
      "import http from 'node:http';\nexport default await new Promise((r, e) => http.get('http://127.0.0.1:PORT', () => r('in')).on('error', e));",
    ],
    [
      "WebSocket",
      "await new Promise((r, e) => { const w = new WebSocket('ws://127.0.0.1:PORT'); w.onopen = r; w.onerror = e; })",
    ],
    [
      "EventSource",
      "await new Promise((r, e) => { const w = new EventSource('http://127.0.0.1:PORT'); w.onopen = r; w.onerror = e; })",
    ],
    ["an import", "await import('http://127.0.0.1:PORT/a.js')"],
  ])("by %s", async (_, code) => {
    const before = reached;
    const outcome = await closed(code.replaceAll("PORT", String(port)), { limits: { wallMs: 5_000 } });
    expect(outcome.ok).toBe(false);
    expect(everything(outcome)).not.toContain(SECRET);
    expect(reached).toBe(before);
  });

  test.each([
    ["names to look up", "await Deno.resolveDns('example.invalid', 'A')"],
    [
      "a name server of its own",
      "await Deno.resolveDns('example.invalid', 'A', { nameServer: { ipAddr: '127.0.0.1', port: 53 } })",
    ],
    [
      "names to look up by node:dns",
      "import dns from 'node:dns/promises';\nexport default await dns.resolve4('example.invalid');",
    ],
    ["a port to listen on", "Deno.listen({ port: 0 })"],
    [
      "a port to serve on",
      "Deno.serve({ port: 0 }, () => new Response('x')); await new Promise((r) => setTimeout(r, 100))",
    ],
    [
      "a port to listen on by node:net",
      "import net from 'node:net';\nexport default await new Promise((r, e) => net.createServer().on('error', e).listen(0, () => r('in')));",
    ],
    [
      "a packet to send",
      "import dgram from 'node:dgram';\nexport default await new Promise((r, e) => dgram.createSocket('udp4').send('x', 9, '127.0.0.1', (x) => x ? e(x) : r('in')));",
    ],
    ["a socket in the file system", "await Deno.connect({ transport: 'unix', path: '/run/x.sock' })"],
  ])("nor has it %s", async (_, code) => {
    expect((await closed(code)).error?.kind).toMatch(/permission|runtime/);
  });

  test.each([
    "npm:left-pad",
    "jsr:@std/path",
    "https://example.invalid/a.ts",
    "http://example.invalid/a.js",
    "left-pad",
  ])("nor imports %s", async (name) => {
    for (const code of [
      `import * as m from "${name}";\nexport default typeof m;`,
      `typeof (await import("${name}"))`,
      `const n = "${name}";\nreturn typeof (await import(n));`,
    ]) {
      expect((await closed(code)).error).toMatchObject({
        kind: "permission",
        hint: expect.stringContaining("no packages"),
      });
    }
  });
});

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

  test("but not through a name that resolves to this machine, by any way to connect", async () => {
    const named = sandbox({ allowedHosts: [`localhost:${port}`] });
    const before = reached;
    for (const code of [
      `await (await fetch("http://localhost:${port}")).text()`,
      `const c = await Deno.connect({ hostname: "localhost", port: ${port} }); return "connected"`,
      `import net from "node:net";\nexport default await new Promise((r, e) => net.connect(${port}, "localhost", () => r("connected")).on("error", e));`,
      `import http from "node:http";\nexport default await new Promise((r, e) => http.get("http://localhost:${port}", () => r("connected")).on("error", e));`,
      `await new Promise((r, e) => { const w = new WebSocket("ws://localhost:${port}"); w.onopen = r; w.onerror = () => e(new Error("refused")); })`,
    ]) {
      const outcome = await named(code);
      expect(outcome.ok).toBe(false);
      expect(everything(outcome)).not.toContain(SECRET);
    }
    expect(reached).toBe(before);
  });

  test("nor through a redirect to this machine", async () => {
    const redirecting = createServer((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end(),
    );
    await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void redirecting.close());
    const from = (redirecting.address() as AddressInfo).port;
    const before = reached;
    const outcome = await sandbox({ allowedHosts: [`127.0.0.1:${from}`] })(
      `await (await fetch("http://127.0.0.1:${from}")).text()`,
    );
    expect(outcome.ok).toBe(false);
    expect(reached).toBe(before);
  });

  test("nor imports from them", async () => {
    const open = sandbox({ allowedHosts: [`127.0.0.1:${port}`] });
    expect((await open(`await import("http://127.0.0.1:${port}/a.js")`)).error?.kind).toBe("permission");
  });
});
