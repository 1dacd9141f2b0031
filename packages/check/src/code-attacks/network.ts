import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { attackCase, type AttackCase } from "./attack-case.ts";
import type { AttackTrial } from "./attack-trial.ts";
import type { Attempt } from "./attempt.ts";

const node = (name: string): string => `process.getBuiltinModule("node:${name}")`;
const opened = (make: string): string =>
  `return await new Promise((done, fail) => { const c = ${make}; c.onopen = () => done("open"); c.onerror = () => fail(new Error("refused")); });`;

/** Ways to connect to `HOST` and `PORT`. */
const ways: readonly (readonly [name: string, program: string])[] = [
  ["fetch", `return await (await fetch("http://HOST:PORT")).text();`],
  ["Deno.connect", `await Deno.connect({ hostname: "HOST", port: PORT });\nreturn "open";`],
  ["Deno.connectTls", `await Deno.connectTls({ hostname: "HOST", port: PORT });\nreturn "open";`],
  [
    "node:net",
    `return await new Promise((done, fail) => ${node("net")}.connect(PORT, "HOST", () => done("open")).on("error", fail));`,
  ],
  [
    "node:http",
    `return await new Promise((done, fail) => ${node("http")}.get("http://HOST:PORT", () => done("open")).on("error", fail));`,
  ],
  [
    "node:http2",
    `return await new Promise((done, fail) => { const s = ${node("http2")}.connect("http://HOST:PORT", {}, () => done("open")); s.on("error", fail); });`,
  ],
  ["WebSocket", opened(`new WebSocket("ws://HOST:PORT")`)],
  ["EventSource", opened(`new EventSource("http://HOST:PORT")`)],
  [
    "a proxy",
    `return await (await fetch("http://a.example/", { client: Deno.createHttpClient({ proxy: { url: "http://HOST:PORT" } }) })).text();`,
  ],
];

/** Other words for this machine, as a URL has them. */
const spellings: readonly string[] = [
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "127.1",
  "127.0.0.1.",
  "0.0.0.0",
  "0",
  "\uff11\uff12\uff17.0.0.1",
  "127\u30020\u30020\u30021",
  "localhost",
  "LOCALHOST.",
  "a.localhost",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "user@127.0.0.1",
];

/** `localhost` is tried by a case of its own. */
const otherSpellings = spellings.filter((host) => host !== "localhost");

/** Other things that go out. */
const others: readonly (readonly [name: string, program: string])[] = [
  ["a name to look up", `return await Deno.resolveDns("example.invalid", "A");`],
  [
    "a name to look up at a server of its own",
    `return await Deno.resolveDns("example.invalid", "A", { nameServer: { ipAddr: "127.0.0.1", port: PORT } });`,
  ],
  ["a name to look up by node:dns", `return await ${node("dns/promises")}.lookup("localhost");`],
  [
    "a name to look up by node:dns at a server of its own",
    `const r = new (${node("dns")}.promises.Resolver)();\nr.setServers(["127.0.0.1:PORT"]);\nreturn await r.resolve4("example.invalid");`,
  ],
  [
    "a packet by Deno",
    `const s = (Deno as any).listenDatagram({ port: 0, transport: "udp" });\nawait s.send(new Uint8Array(1), { transport: "udp", hostname: "127.0.0.1", port: PORT });\nreturn "sent";`,
  ],
  ["a port to listen on", `Deno.listen({ port: 0 });\nreturn "listens";`],
  [
    "a port to listen on by node:net",
    `return await new Promise((done, fail) => ${node("net")}.createServer().on("error", fail).listen(0, () => done("listens")));`,
  ],
  ["a socket in the file system", `await Deno.connect({ transport: "unix", path: "SOCKET" });\nreturn "open";`],
  [
    "a socket in the file system by node:net",
    `return await new Promise((done, fail) => ${node("net")}.connect("SOCKET", () => done("open")).on("error", fail));`,
  ],
  [
    "a socket in the file system as a proxy",
    `return await (await fetch("http://a.example/", { client: Deno.createHttpClient({ proxy: { transport: "unix", path: "SOCKET" } as any }) })).text();`,
  ],
];

const toEach = (
  trial: AttackTrial,
  programs: readonly (readonly [name: string, program: string])[],
  host?: string,
): readonly Attempt[] => programs.map(([name, program]) => ({ name, body: addressed(program, trial, host) }));

/** Ways out whose refusal is an error that the program cannot catch, so each ends its program. */
const ending: readonly (readonly [name: string, program: string])[] = [
  [
    "a port to serve on",
    `await new Promise((done, fail) => { try { Deno.serve({ port: 0, onListen: done }, () => new Response("x")); } catch (e) { fail(e); } });\nreturn "serves";`,
  ],
  [
    "a packet",
    `return await new Promise((done, fail) => ${node("dgram")}.createSocket("udp4").send("x", PORT, "127.0.0.1", (e) => (e ? fail(e) : done("sent"))));`,
  ],
];

/** Fetches from this machine under each of its names. */
const asEach = (trial: AttackTrial, hosts: readonly string[]): readonly Attempt[] =>
  hosts.map((host) => ({ name: host, body: addressed(ways[0]?.[1] ?? "", trial, host) }));

const addressed = (program: string, trial: AttackTrial, host = "127.0.0.1"): string =>
  program
    .replaceAll("HOST", host)
    .replaceAll("PORT", String(trial.secrets.port))
    .replaceAll("SOCKET", trial.secrets.socket);

/** Addresses that a redirect from an allowed host leads to. */
const redirects = [
  "http://127.0.0.1:PORT/",
  "http://localhost:PORT/",
  "http://[::1]:PORT/",
  "http://[::ffff:7f00:1]:PORT/",
  "file:///etc/passwd",
];

/** A program reaches a host it is not allowed. */
export const networkCases: readonly AttackCase[] = [
  attackCase("network", "this machine in every way", (trial) => trial.deniedAll(toEach(trial, ways)), ways.length),
  attackCase(
    "network",
    "this machine by every name",
    (trial) => trial.deniedAll(asEach(trial, spellings)),
    spellings.length,
  ),
  ...ending.map(([name, program]) => attackCase("network", name, (trial) => trial.denied(addressed(program, trial)))),
  attackCase("network", "other ways out", (trial) => trial.deniedAll(toEach(trial, others)), others.length),
  // An allowed name leads to this machine: an attacker's own name server can do that with any name.
  attackCase(
    "allowed hosts",
    "a name that resolves to this machine, in every way",
    (trial) => {
      trial.runtimeOptions = { ...trial.runtimeOptions, allowedHosts: [`localhost:${trial.secrets.port}`] };
      return trial.deniedAll(toEach(trial, ways.slice(0, -1), "localhost"));
    },
    ways.length - 1,
  ),
  attackCase(
    "allowed hosts",
    "every host but the one that is allowed",
    (trial) => {
      trial.runtimeOptions = { ...trial.runtimeOptions, allowedHosts: [`example.invalid:${trial.secrets.port}`] };
      return trial.deniedAll(asEach(trial, otherSpellings));
    },
    otherSpellings.length,
  ),
  ...redirects.map((location) =>
    attackCase("allowed hosts", `a redirect to ${location}`, (trial) =>
      withServer(location.replace("PORT", String(trial.secrets.port)), async (port) => {
        trial.runtimeOptions = { ...trial.runtimeOptions, allowedHosts: [`127.0.0.1:${port}`] };
        await trial.denied(`return await (await fetch("http://127.0.0.1:${port}/")).text();`);
      }),
    ),
  ),
  attackCase("allowed hosts", "another port of an allowed host", (trial) =>
    withServer("/", async (port) => {
      trial.runtimeOptions = { ...trial.runtimeOptions, allowedHosts: [`127.0.0.1:${port}`] };
      await trial.denied(addressed(ways[0]?.[1] ?? "", trial));
      await trial.denied(addressed(ways[3]?.[1] ?? "", trial));
    }),
  ),
];

/** A server of the case's own that answers with a redirect. */
async function withServer(location: string, use: (port: number) => Promise<unknown>): Promise<void> {
  const server: Server = createServer((_request, response) => response.writeHead(302, { location }).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
