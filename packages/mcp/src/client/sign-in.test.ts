import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { startHttpServer } from "./__fixtures__/http-server.ts";
import { connectMcp, type McpUrl } from "./index.ts";

const TOKEN = "a-token";
const tools = [{ name: "a", inputSchema: { type: "object" } }];

/** A server whose tools need a token, which it gives for the code `right`. Records its requests. */
async function startGuarded(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const url = await startHttpServer(({ request, body, origin }) => {
    const path = request.url ?? "";
    if (path.startsWith("/.well-known/oauth-authorization-server")) {
      const endpoints = { authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` };
      const kinds = { response_types_supported: ["code"], code_challenge_methods_supported: ["S256"] };
      return { status: 200, body: { issuer: origin, ...endpoints, ...kinds } };
    }
    if (path === "/token") {
      asked.push("token");
      return new URLSearchParams(body).get("code") === "right"
        ? { status: 200, body: { access_token: TOKEN, token_type: "Bearer" } }
        : { status: 400, body: { error: "invalid_grant" } };
    }
    if (path !== "/mcp") return { status: 404 };
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return { status: 401 };
    if (body.includes('"tools/list"')) asked.push("tools/list");
    return { results: { "tools/list": { tools } } };
  });
  return { url, asked };
}

function providerOf(sent: URL[]): OAuthClientProvider {
  let token: string | undefined;
  let verifier = "";
  return {
    redirectUrl: "http://localhost/callback",
    clientMetadata: { redirect_uris: ["http://localhost/callback"] },
    clientInformation: () => ({ client_id: "us" }),
    tokens: () => (token === undefined ? undefined : { access_token: token, token_type: "Bearer" }),
    saveTokens: (tokens) => void (token = tokens.access_token),
    codeVerifier: () => verifier,
    saveCodeVerifier: (given) => void (verifier = given),
    redirectToAuthorization: (url) => void sent.push(url),
  };
}

function connect(url: string, authCallback: McpUrl["authCallback"], sent: URL[] = []) {
  const place = { url, authProvider: providerOf(sent), ...(authCallback && { authCallback }) };
  const source = connectMcp("guarded", place);
  onTestFinished(() => source.close());
  return source;
}

test("connectMcp() waits for a person to sign in, once for all that need them, and goes on", async () => {
  const { url, asked } = await startGuarded();
  const sent: URL[] = [];
  let waits = 0;
  const source = connect(
    url,
    () => {
      waits += 1;
      return Promise.resolve(new URLSearchParams({ code: "right" }));
    },
    sent,
  );
  const [listed] = await Promise.all([source.tools(), source.tools(), source.instructions()]);
  expect(listed.map(({ name }) => name)).toEqual(["guarded__a"]);
  expect([waits, sent.length, asked.filter((one) => one === "token").length]).toEqual([1, 1, 1]);
});

test("connectMcp() fails when nobody can sign in, signing in fails, or it is closed before", async () => {
  const { url, asked } = await startGuarded();
  await expect(connect(url, undefined).tools()).rejects.toMatchObject({ code: "mcp_unreachable" });
  const wrong = connect(url, () => Promise.resolve(new URLSearchParams({ code: "wrong" })));
  await expect(wrong.tools()).rejects.toMatchObject({ code: "mcp_unreachable" });
  const failing = connect(url, () => Promise.reject(new Error("the window was closed")));
  await expect(failing.tools()).rejects.toMatchObject({ code: "mcp_unreachable" });
  const never = connect(url, () => new Promise(() => {}));
  const listing = never.tools();
  await Promise.resolve();
  const closed = never.close();
  await expect(listing).rejects.toMatchObject({ code: "mcp_unreachable" });
  await closed;
  expect(asked).not.toContain("tools/list");
});

test("connectMcp() gives the headers for a server to no other that it names to sign in", async () => {
  const asked: string[] = [];
  const note = (url = "", key: unknown): void => void asked.push(`${url}${key === undefined ? "" : " with the key"}`);
  const login = await startHttpServer(({ request, origin }) => {
    note(request.url, request.headers["x-api-key"]);
    if (request.url !== "/.well-known/oauth-authorization-server") return { status: 404 };
    const endpoints = { authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` };
    const kinds = { response_types_supported: ["code"], code_challenge_methods_supported: ["S256"] };
    return { status: 200, body: { issuer: origin, ...endpoints, ...kinds } };
  });
  const url = await startHttpServer(({ request, origin }) => {
    note(request.url, request.headers["x-api-key"]);
    return request.url?.startsWith("/.well-known/oauth-protected-resource") === true
      ? { status: 200, body: { resource: `${origin}/mcp`, authorization_servers: [new URL(login).origin] } }
      : { status: 401 };
  });
  const headers = { "x-api-key": "secret" };
  const source = connectMcp("guarded", {
    url,
    headers,
    authProvider: providerOf([]),
    authCallback: () => Promise.resolve(new URLSearchParams({ code: "right" })),
  });
  onTestFinished(() => source.close());
  await expect(source.tools()).rejects.toMatchObject({ code: "mcp_unreachable" });
  expect(asked).toContain("/mcp with the key");
  expect(asked).toContain("/token");
  expect(asked.filter((one) => /\/token|authorization-server/.test(one) && one.includes("key"))).toEqual([]);
});
