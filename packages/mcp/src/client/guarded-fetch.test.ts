import { describe, expect, test } from "vitest";
import { guardFetch } from "./guarded-fetch.ts";

const SERVER = new URL("https://tools.example/mcp");

/** A `fetch` that notes its requests, and redirects as the test says. */
function noting(redirects: Readonly<Record<string, string>> = {}, status = 302) {
  const asked: string[] = [];
  const fetcher: typeof fetch = async (input, init) => {
    // As a real one: what `init` does not name is the request's own.
    const { url, method, headers, redirect } = new Request(input, init);
    asked.push(`${method} ${url}${headers.has("x-api-key") ? " with the key" : ""}`);
    const location = redirects[url];
    if (location === undefined) return new Response("ok");
    return redirect === "follow"
      ? fetcher(new URL(location, url), { headers })
      : new Response(null, { status, headers: { location } });
  };
  return { asked, fetcher };
}

const LOCAL = [
  "https://127.0.0.1/token",
  "https://127.1/token",
  "https://0x7f000001/token",
  "https://2130706433/token",
  "https://0.0.0.0/token",
  "https://localhost:8443/token",
  "https://localhost./token",
  "https://a.localhost/token",
  "https://printer.local/token",
  "https://metadata.google.internal/token",
  "https://169.254.169.254/latest/meta-data",
  "https://10.0.0.1/token",
  "https://172.16.0.1/token",
  "https://192.168.1.1/token",
  "https://100.64.0.1/token",
  "https://[::1]/token",
  "https://[::]/token",
  "https://[fe80::1]/token",
  "https://[fd00::1]/token",
  "https://[::ffff:127.0.0.1]/token",
  "https://[::ffff:a9fe:a9fe]/token",
  "https://[64:ff9b::a9fe:a9fe]/token",
  "https://[ff02::1]/token",
  "https://198.18.0.1/token",
  "https://192.0.0.192/token",
  "https://224.0.0.251/token",
  "https://255.255.255.255/token",
  "https://203.0.113.4/token",
  // Addresses of IPv4 in those of IPv6: compatible, translated, 6to4, behind a local translator, Teredo.
  "https://[::7f00:1]/token",
  "https://[::ffff:0:127.0.0.1]/token",
  "https://[2002:7f00:1::]/token",
  "https://[64:ff9b:1::a9fe:a9fe]/token",
  "https://[2001:0:1:2:3:4:5:6]/token",
  "https://[fec0::1]/token",
  "https://[100::1]/token",
  "https://[2001:db8::1]/token",
  "https://localhost../token",
  "https://a.localdomain/token",
  "https://intranet/token",
  "https://router.lan/token",
  "https://nas.home.arpa/token",
  "https://kubernetes.default.svc/token",
];
const PLAIN = ["http://login.example/token", "file:///etc/passwd", "ftp://login.example/token"];

describe("guardFetch()", () => {
  test.each([...LOCAL, ...PLAIN])("asks nothing of %s, named by a server of the internet", async (url) => {
    const { asked, fetcher } = noting({ [SERVER.href]: url, "https://login.example/": url });
    const guarded = guardFetch(SERVER, fetcher);
    for (const method of ["GET", "POST"])
      await expect(guarded(url, { method })).rejects.toThrow(/tools\.example named/);
    expect(asked).toEqual([]);
    // Nor where an answer redirects to it.
    await expect(guarded(SERVER)).rejects.toThrow(/tools\.example named/);
    await expect(guarded("https://login.example/")).rejects.toThrow(/tools\.example named/);
    expect(asked).toEqual([`GET ${SERVER.href}`, "GET https://login.example/"]);
  });

  test("asks the server, and other servers of the internet", async () => {
    const { asked, fetcher } = noting();
    const guarded = guardFetch(SERVER, fetcher);
    const others = [
      "https://login.example/token",
      "https://local.example/",
      "https://8.8.8.8/",
      "https://[2606:4700::1]/",
    ];
    for (const url of [SERVER.href, ...others]) expect(await (await guarded(url)).text()).toBe("ok");
    expect(asked).toHaveLength(5);
  });

  test.each<[what: string, input: (url: string) => string | URL | Request, init?: RequestInit]>([
    ["a Request", (url) => new Request(url)],
    ["a Request with redirect follow", (url) => new Request(url, { redirect: "follow" })],
    ["a Request to which init adds", (url) => new Request(url, { redirect: "manual" }), { redirect: "follow" }],
    ["a Request that asks for the head", (url) => new Request(url, { method: "HEAD" })],
    ["a text with redirect follow", (url) => url, { redirect: "follow" }],
    ["a URL with a method in small letters", (url) => new URL(url), { method: "get", redirect: "follow" }],
  ])("checks where %s is redirected", async (_what, input, init) => {
    const redirects = { "https://a.example/": "/b", "https://a.example/b": "https://c.example/" };
    const hostile = noting({ ...redirects, "https://c.example/": "https://169.254.169.254/latest/meta-data" });
    const guarded = guardFetch(SERVER, hostile.fetcher);
    await expect(guarded(input("https://a.example/"), init)).rejects.toThrow(/tools\.example named 169/);
    expect(hostile.asked).toHaveLength(3);
    const headers = { "x-api-key": "secret" };
    const given = input("https://a.example/");
    const { asked, fetcher } = noting(redirects);
    const withKey = given instanceof Request ? new Request(given, { headers }) : given;
    const response = await guardFetch(SERVER, fetcher)(withKey, given instanceof Request ? init : { ...init, headers });
    expect(response.status).toBe(200);
    expect(asked.map((line) => line.replace(/^\w+ /, ""))).toEqual([
      "https://a.example/ with the key",
      "https://a.example/b with the key",
      "https://c.example/",
    ]);
  });

  test("sends no body of a Request on to where an answer redirects, and follows nothing that is not to be followed", async () => {
    const { asked, fetcher } = noting({ "https://a.example/": "https://c.example/" }, 307);
    const guarded = guardFetch(SERVER, fetcher);
    const post = new Request("https://a.example/", { method: "POST", body: "secret" });
    const answers = [post, new Request("https://a.example/", { redirect: "manual" })].map((one) => guarded(one));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([307, 307]);
    expect(asked).toEqual(["POST https://a.example/", "GET https://a.example/"]);
  });

  test("follows redirects without the headers of the first address, and not for ever", async () => {
    const headers = { "x-api-key": "secret" };
    const { asked, fetcher } = noting({ "https://a.example/": "/b", "https://a.example/b": "https://c.example/" });
    await guardFetch(SERVER, fetcher)("https://a.example/", { headers });
    expect(asked).toEqual([
      "GET https://a.example/ with the key",
      "GET https://a.example/b with the key",
      "GET https://c.example/",
    ]);
    const ring = noting({ "https://a.example/": "https://a.example/" });
    await expect(guardFetch(SERVER, ring.fetcher)("https://a.example/")).rejects.toThrow("redirects more than 5 times");
  });

  test("sends no body on to where an answer redirects", async () => {
    const { asked, fetcher } = noting({ "https://a.example/": "https://c.example/" }, 307);
    const response = await guardFetch(SERVER, fetcher)("https://a.example/", { method: "POST", body: "secret" });
    expect([response.status, asked]).toEqual([307, ["POST https://a.example/"]]);
  });

  test.each([SERVER.href, "http://localhost:3000/mcp"])(
    "gives the headers of %s to its own origin alone, wherever it leads",
    async (href) => {
      const server = new URL(href);
      const elsewhere = "https://login.example/";
      const { asked, fetcher } = noting({ [`${server.origin}/a`]: "/b", [`${server.origin}/b`]: elsewhere });
      const guarded = guardFetch(server, fetcher, { "x-api-key": "secret" });
      await guarded(`${server.origin}/a`);
      await guarded(new Request(server, { method: "POST", body: "{}" }));
      await guarded(elsewhere, { method: "POST" });
      expect(asked).toEqual([
        `GET ${server.origin}/a with the key`,
        `GET ${server.origin}/b with the key`,
        `GET ${elsewhere}`,
        `POST ${href} with the key`,
        `POST ${elsewhere}`,
      ]);
    },
  );

  test("sends neither headers nor a body on where a server of this network redirects", async () => {
    const { asked, fetcher } = noting({ "http://10.0.0.1/mcp": "https://c.example/" }, 307);
    const guarded = guardFetch(new URL("http://10.0.0.1/mcp"), fetcher, { "x-api-key": "secret" });
    expect((await guarded("http://10.0.0.1/mcp", { method: "POST", body: "private" })).status).toBe(307);
    await guarded("http://10.0.0.1/mcp", { headers: { "x-api-key": "of the call" } });
    expect(asked).toEqual([
      "POST http://10.0.0.1/mcp with the key",
      "GET http://10.0.0.1/mcp with the key",
      "GET https://c.example/",
    ]);
  });

  test.each(["http://localhost:3000/mcp", "https://10.1.2.3/mcp", "http://[::1]/mcp", "http://tools:3000/mcp"])(
    "lets %s name addresses of its own network: its operator chose it",
    async (server) => {
      const { fetcher } = noting();
      expect((await guardFetch(new URL(server), fetcher)("http://localhost:9000/token")).status).toBe(200);
    },
  );
});
