import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { called, isDenied, decisionOf } from "./__fixtures__/decided-tools.ts";
import { createPolicy, type PolicyRule } from "./index.ts";

describe("hostile arguments", () => {
  test.each<[unknown, boolean]>([
    [{ amount: 101, to: "a" }, true],
    [{ amount: 100, to: "a" }, false],
    [{ amount: "101", to: "a" }, true],
    [{ amount: "1", to: "a" }, true],
    [{ amount: null, to: "a" }, true],
    [{ amount: [1], to: "a" }, true],
    [{ to: "a" }, true],
    [undefined, true],
    [[], true],
    ["amount", true],
    [JSON.parse('{"__proto__":{"amount":1}}'), true],
    [JSON.parse('{"amount":1,"constructor":{"name":"Object"}}'), true],
  ])("%j: an amount that cannot be compared counts as too high: %s", (params, expected) => {
    expect(isDenied("args.amount > 100", "pay", params)).toBe(expected);
    const allows = decisionOf(
      [{ id: "y", effect: "allow", tools: ["pay"], when: "args.amount <= 100" }],
      called("pay", params),
    );
    expect(allows.decision === "allow").toBe(!expected);
  });

  test("NaN, and arguments that JSON cannot hold, reach no rule that allows", async () => {
    const odd = defineTool({
      name: "odd",
      description: "x",
      parameters: z.object({ n: z.any() }),
      execute: () => "ran",
    });
    const rules: PolicyRule[] = [{ id: "plain", effect: "allow", tools: ["odd"], when: "args.n < 5" }];
    const policy = createPolicy({ rules, tools: [odd], otherwise: "deny" });
    const registry = createToolRegistry({ policy: policy.decide }).register(odd);
    for (const n of [Number.NaN, Number.POSITIVE_INFINITY, 1n, new Map(), () => 1, Symbol("x")]) {
      expect(await registry.dispatch("odd", { n })).toMatchObject({ code: "denied" });
    }
    expect((await registry.dispatch("odd", { n: 4 })).success).toBe(true);
  });

  test.each([
    ["secrets/key", true],
    ["./secrets", true],
    ["src/../secrets/key", true],
    ["secrets/../src/a", false],
    ["src//..//secrets", true],
    ["src\\..\\secrets\\key", true],
    ["src/secrets", false],
    ["secrets2", false],
    ["../work/secrets/key", true],
    ["SECRETS/key", true],
    ["secrets./key", true],
    ["ｓecrets/key", true],
    ["secrets\u0000/key", true],
    ["secrets:stream", true],
    ["/etc/passwd", true],
    ["~/secrets", true],
    ["", true],
    ["src/key", false],
  ])("path %j in secrets: denied %s", (path, expected) => {
    expect(isDenied('within(args.path, "secrets")', "read_file", { path })).toBe(expected);
  });

  test("absolute paths are recognised where the host names the working directory", () => {
    const facts = () => ({ root: "/work/tree" });
    const when = 'within(args.path, "secrets", root)';
    expect(isDenied(when, "read_file", { path: "/work/tree/secrets/key" }, { facts })).toBe(true);
    expect(isDenied(when, "read_file", { path: "../tree/secrets/key" }, { facts })).toBe(true);
    expect(isDenied(when, "read_file", { path: "/work/tree/src" }, { facts })).toBe(false);
    expect(isDenied(when, "read_file", { path: "src" })).toBe(true);
  });

  test.each([
    ["https://evil.com/", true],
    ["https://EVIL.com./", true],
    ["https://a.evil.com/", true],
    ["https://ｅvil.com/", true],
    ["https://evil\u3002com/", true],
    ["https://good.com\\@evil.com/", true],
    ["https://good.com@evil.com/", true],
    ["https://good.com/@evil.com/", true],
    ["https://good.com#@evil.com/", true],
    ["git://evil.com/", true],
    ["https:evil.com", true],
    ["//evil.com", true],
    ["evil.com", true],
    ["\thttps://evil.com", true],
    ["https://0x7f.1/", true],
    ["https://2130706433/", true],
    ["https://good.com/evil.com", false],
    ["https://notevil.com/", false],
    ["https://еvil.com/", false],
  ])("URL %j of a denied host: denied %s", (url, expected) => {
    const when = 'host(args.url) == "evil.com" || isHost(args.url, "*.evil.com") || host(args.url) == "127.0.0.1"';
    expect(isDenied(when, "fetch_url", { url })).toBe(expected);
  });

  test("a look-alike host is no allowed one", () => {
    const allow: PolicyRule[] = [
      {
        id: "ok",
        effect: "allow",
        tools: ["fetch_url"],
        when: 'isHost(args.url, "*.bank.com") || host(args.url) == "bank.com"',
      },
    ];
    const isAllowed = (url: string): boolean => decisionOf(allow, called("fetch_url", { url })).decision === "allow";
    expect(["https://bank.com/", "https://www.bank.com:8443/x"].map(isAllowed)).toEqual([true, true]);
    const others = [
      "https://bаnk.com/",
      "https://bank.com.evil.com/",
      "https://evilbank.com/",
      "https://bank.com@evil.com/",
      "https://evil.com/bank.com",
      "https://bank.com:x@evil.com",
      "file:///bank.com/../../etc/passwd",
      "FILE://bank.com/etc/passwd",
      "unix:///bank.com/socket",
      "http:///bank.com/",
    ];
    expect(others.map(isAllowed)).toEqual(others.map(() => false));
  });

  test("so many that judging them would take long are not told", () => {
    const ranges = Array.from({ length: 60_000 }, (_, from) => ({ from }));
    const when = "args.ranges.exists(r, r.from < 0)";
    expect(isDenied(when, "read_file", { path: "a", ranges: ranges.slice(0, 1000) })).toBe(false);
    expect(isDenied(when, "read_file", { path: "a", ranges })).toBe(true);
  });
});
