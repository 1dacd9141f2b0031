import { describe, expect, test } from "vitest";
import { called, isDenied, decisionOf } from "./__fixtures__/decided-tools.ts";

const isAllowed = (when: string, url: string): boolean =>
  decisionOf([{ id: "y", effect: "allow", tools: ["fetch_url"], when }], called("fetch_url", { url })).decision ===
  "allow";

describe("hosts", () => {
  test.each([
    ["https://[::ffff:127.0.0.1]/", "127.0.0.1"],
    ["https://[0:0:0:0:0:ffff:7f00:1]:8080/", "127.0.0.1"],
    ["https://①②⑦.0.0.1/", "127.0.0.1"],
    ["https://0177.0.0.1/", "127.0.0.1"],
    ["https://evil.com../", "evil.com"],
    ["https://ev%69l.com/", "evil.com"],
    ["https://evil.com;x/", "evil.com"],
    ["https://evil.com,good.com/", "evil.com"],
    ["https://faß.de/", "fass.de"],
    ["https://fa%C3%9F.de/", "fass.de"],
    ["https://evil\u00AD.com/", "evil.com"],
    ["https://evil.com:99999/", "evil.com"],
    ["gopher://evil.com/", "evil.com"],
  ])("%j is denied by a rule about %s", (url, host) => {
    expect(isDenied(`host(args.url) == "${host}"`, "fetch_url", { url })).toBe(true);
    expect(isDenied(`isHost(args.url, "${host}")`, "fetch_url", { url })).toBe(true);
  });

  test.each([
    "https://evil.com&x.good.com/",
    "https://*.good.com/",
    "https://x;.good.com/",
    "https://a%2eb.good.com/",
    "data://good.com/,x",
    "javascript://good.com/%0aalert(1)",
    "blob://good.com/x",
    "chrome://good.com/",
    "https://..good.com/",
  ])("%j is no host that a rule allows", (url) => {
    expect(isAllowed('isHost(args.url, "*.good.com") || isHost(args.url, "good.com")', url)).toBe(false);
  });

  test("plain ones of the network are judged", () => {
    const when = 'isHost(args.url, "*.good.com") || host(args.url) == "münchen.de" || host(args.url) == "[::1]"';
    expect(() => isAllowed(when, "https://a.good.com/")).toThrow(/xn--mnchen-3ya\.de/);
    const plain = 'isHost(args.url, "*.good.com") || isHost(args.url, "münchen.de") || host(args.url) == "[::1]"';
    const urls = ["https://a_b.good.com:8443/x?y#z", "WSS://A.GOOD.COM./", "git+ssh://x.good.com", "http://münchen.de"];
    for (const url of [...urls, "http://[0:0::1]:3000/"]) expect(isAllowed(plain, url), url).toBe(true);
  });
});

describe("a text that no call could match is refused", () => {
  test.each([
    'isHost(args.url, "https://evil.com")',
    'isHost(args.url, "evil.com/")',
    'isHost(args.url, "evil.com:443")',
    'isHost(args.url, "*evil.com")',
    'isHost(args.url, "**.evil.com")',
    'isHost(args.url, ".evil.com")',
    'isHost(args.url, "evil.*")',
    'isHost(args.url, "*")',
    'isHost(args.url, "")',
    'isHost(args.url, "127.0.0.0/8")',
    'host(args.url) == "EVIL.com"',
    'host(args.url) != "evil.com."',
    '"*.evil.com" == host(args.url)',
    'host(args.url) in ["good.com", "https://evil.com"]',
    'host(args.url).endsWith(".Evil.com")',
    'args.url != "" && !(args.url == "x" || host(args.url) == "evil.com:80")',
    'within(args.url, "secrets/*")',
    'within(args.url, "**", "/work")',
    'within(args.url, "")',
  ])("%s", (when) => {
    expect(() => isDenied(when, "fetch_url", { url: "https://evil.com/" })).toThrow(/Cannot use the rule no: it uses/);
  });

  test("where it is computed, the rule decides strictly", () => {
    const facts = () => ({ agent: "https://evil.com", session: "EVIL.com" });
    for (const when of ["isHost(args.url, agent)", 'isHost(args.url, "*." + agent)'])
      expect(isDenied(when, "fetch_url", { url: "https://good.com/" }, { facts })).toBe(true);
  });
});

describe("paths that some file system takes for the directory", () => {
  test.each([
    "secr\u200Cets/key",
    "secr\u00ADets/key",
    "secrets\uFEFF/key",
    "secrets\u200B",
    "src/．．/secrets/key",
    "src／..／secrets/key",
    "secrets＼key",
    "src/.. /secrets/key",
    "secrets\u0085/key",
    "ＳＥＣＲＥＴＳ/key",
  ])("%j counts as in secrets for a rule that denies, and not for one that allows", (path) => {
    const when = 'within(args.path, "secrets")';
    expect(isDenied(when, "read_file", { path })).toBe(true);
    const allow = [{ id: "y", effect: "allow", tools: ["read_file"], when } as const];
    expect(decisionOf(allow, called("read_file", { path })).decision).not.toBe("allow");
  });

  test.each([
    ["straße/x", "strasse"],
    ["STRASSE/x", "straße"],
    ["ﬁles/x", "files"],
    ["\u0130x", "i\u0307x"],
  ])("%j counts as in %j", (path, directory) => {
    expect(isDenied(`within(args.path, "${directory}")`, "read_file", { path })).toBe(true);
  });

  test.each(["会議：メモ／草案.txt", "❤\uFE0F.txt", "a…b.txt", "src/ß.txt", "～backup"])(
    "%j is an ordinary name",
    (path) => expect(isDenied('within(args.path, "secrets")', "read_file", { path })).toBe(false),
  );
});
