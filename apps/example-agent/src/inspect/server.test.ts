import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openInspectedAgent, type InspectedAgent } from "../../test/inspected-agent.ts";
import type { Entry } from "./entry.ts";

let inspected: InspectedAgent;
beforeAll(async () => {
  inspected = await openInspectedAgent(
    function* () {
      yield { text: "I look.", calls: [{ name: "read_file", arguments: '{"path":"a.txt"}' }] };
      return "I looked.";
    },
    { "a.txt": "one\n" },
  );
});
afterAll(() => inspected.close());

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}
interface Got {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

/** As no browser would: with any `Host` and `Origin`. */
function send(path: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(`${inspected.base}${path}`, { method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const token = () => ({ authorization: `Bearer ${inspected.token}` });
const ours = () => ({ ...token(), origin: inspected.base, "content-type": "application/json" });

describe("serveInspected()", () => {
  test("is reached on this machine alone", async () => {
    expect(inspected.base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const { port } = new URL(inspected.base);
    const other = connect({ host: "127.0.0.2", port: Number(port) });
    await expect(new Promise((resolve, reject) => other.on("connect", resolve).on("error", reject))).rejects.toThrow(
      "ECONNREFUSED",
    );
  });

  test("gives nothing but its own files without the token, and no hint of how much of it was right", async () => {
    expect(inspected.token.length).toBeGreaterThan(40);
    const wrong = `${inspected.token.slice(0, -1)}${inspected.token.endsWith("A") ? "B" : "A"}`;
    const tries = [undefined, "Bearer ", "Bearer x", `Bearer ${wrong}`, inspected.token, `Basic ${inspected.token}`];
    const bodies = new Set<string>();
    for (const path of ["/api/feed", "/api/about", "/api/tools", "/api/memory", "/api/nothing"]) {
      for (const authorization of tries) {
        const { status, body } = await send(path, { headers: authorization === undefined ? {} : { authorization } });
        expect(status, path).toBe(401);
        bodies.add(body);
      }
    }
    expect(bodies.size).toBe(1);
    expect((await send(`/api/about?token=${inspected.token}`)).status).toBe(401);
    expect((await send("/api/about", { headers: { cookie: `token=${inspected.token}` } })).status).toBe(401);
    expect((await send("/")).status).toBe(200);
    expect((await send("/api/about", { headers: token() })).status).toBe(200);
  });

  test.each(["evil.example", "127.0.0.1.evil.example", "evil.example:80", "127.0.0.1@evil.example", "[::1].evil"])(
    "answers nothing to a page that DNS brought here as %j",
    async (host) => {
      for (const path of ["/", "/api/about"]) {
        const { status, body } = await send(path, { headers: { ...token(), host } });
        expect([400, 421]).toContain(status);
        expect(body).not.toContain("scripted");
      }
    },
  );

  test.each([
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "http://127.0.0.1:1" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("answers nothing to another page, %j", async (headers) => {
    for (const path of ["/", "/main.js", "/api/about"]) {
      expect((await send(path, { headers: { ...token(), ...headers } })).status, path).toBe(403);
    }
  });

  test("changes nothing without an origin, even with the token", async () => {
    const { origin: _, ...headers } = ours();
    const body = JSON.stringify({ arguments: { path: "made.txt", content: "x" } });
    expect((await send("/api/tools/create_file", { method: "POST", headers, body })).status).toBe(403);
  });

  test("sends what keeps scripts, frames, forms and strangers away with every answer", async () => {
    for (const path of ["/", "/main.js", "/api/about", "/api/nothing"]) {
      const { headers } = await send(path, { headers: token() });
      const policy = String(headers["content-security-policy"]);
      for (const rule of ["default-src 'none'", "script-src 'self'", "form-action 'none'", "frame-ancestors 'none'"]) {
        expect(policy, path).toContain(rule);
      }
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
      expect(headers).not.toHaveProperty("access-control-allow-origin");
    }
  });

  test.each([
    "/../server.ts",
    "/%2e%2e/server.ts",
    "/..%2fserver.ts",
    "/page/main.js",
    "//etc/passwd",
    "/index.html.ts",
  ])("serves no file but those of the page: %s", async (path) => {
    expect([400, 404]).toContain((await send(path, { headers: token() })).status);
  });

  test.each([
    ["no JSON", "{", 400],
    ["another shape", '{"approved":"yes"}', 400],
    ["a body without end", `{"approved":true,"reason":"${"x".repeat(3_000_000)}"}`, 413],
  ])("refuses %s", async (_, body, status) => {
    const got = await send("/api/approvals/e1", { method: "POST", headers: ours(), body }).catch(() => undefined);
    // A sender of too much data may be cut off before the answer is read.
    expect([status, undefined]).toContain(got?.status);
    expect((await send("/api/about", { headers: token() })).status).toBe(200);
  });

  test("answers no question that is not open, and no other kind of content", async () => {
    const body = '{"approved":true}';
    const headers = { ...ours(), "content-type": "text/plain" };
    expect((await send("/api/approvals/e1", { method: "POST", headers, body })).status).toBe(415);
    expect((await send("/api/approvals/e1", { method: "POST", headers: ours(), body })).status).toBe(409);
  });

  test("gives the rest to a page that comes again, and lets only so many look", async () => {
    await inspected.agent.run("Look", new AbortController().signal);
    const leave = new AbortController();
    const follow = (headers: Record<string, string> = {}) =>
      fetch(`${inspected.base}/api/feed`, { headers: { ...token(), ...headers }, signal: leave.signal });
    const first = await read(await follow(), /"ended"|I looked/);
    expect(first.entries.map(({ kind }) => kind)).toContain("call");
    const again = follow({ "last-event-id": first.last });
    inspected.agent.view.notice("later");
    const second = await read(await again, /later/);
    expect(second.entries).toMatchObject([{ kind: "said", text: "later" }]);

    const many = await Promise.all(Array.from({ length: 12 }, () => follow()));
    expect(many.filter(({ status }) => status === 503).length).toBeGreaterThan(3);
    leave.abort();
  });
});

/** Reads a stream until something is in it. */
async function read(response: Response, until: RegExp): Promise<{ entries: Entry[]; last: string }> {
  let text = "";
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (until.test(text) && text.endsWith("\n\n")) break;
  }
  const entries = [...text.matchAll(/^event: entries\ndata: (.*)$/gm)].flatMap(([, data = "[]"]) => {
    return JSON.parse(data) as Entry[];
  });
  return { entries, last: [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? "" };
}
