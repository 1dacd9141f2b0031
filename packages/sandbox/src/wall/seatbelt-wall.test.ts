import { describe, expect, test } from "vitest";
import { seatbeltArguments } from "./seatbelt-wall.ts";
import type { WrapAccess } from "./wall.ts";

const access: WrapAccess = { directory: "/private/tmp/d", cwd: undefined, readOnly: false, network: false };

/** The profile as nested lists, as its language reads it. */
function parsed(profile: string): unknown[] {
  const stack: unknown[][] = [[]];
  for (const [token] of profile.matchAll(/"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+/g)) {
    if (token === "(") stack.push([]);
    else if (token === ")") {
      const list = stack.pop() ?? [];
      stack.at(-1)?.push(list);
    } else stack.at(-1)?.push(token);
  }
  expect(stack).toHaveLength(1);
  return stack[0] ?? [];
}

function rulesOf(more: Partial<WrapAccess>, program = "/opt/deno") {
  const args = seatbeltArguments(program, { ...access, ...more });
  const profile = args.at(-1) ?? "";
  const parameters = Object.fromEntries(
    args.flatMap((arg, at) =>
      args[at - 1] === "-D" ? [[arg.slice(0, arg.indexOf("=")), arg.slice(arg.indexOf("=") + 1)]] : [],
    ),
  );
  return { profile, parameters, rules: parsed(profile) };
}

describe("seatbeltArguments()", () => {
  test("denies what it does not name, and every parameter it names is given", () => {
    const { rules, parameters, profile } = rulesOf({ cwd: "/Users/a/work", network: true });
    expect(rules.slice(0, 2)).toEqual([
      ["version", "1"],
      ["deny", "default"],
    ]);
    expect(rules.slice(2).every((rule) => Array.isArray(rule) && rule[0] === "allow")).toBe(true);
    const used = new Set([...profile.matchAll(/\(param "(\w+)"\)/g)].map(([, name]) => name));
    expect(used).toEqual(new Set(Object.keys(parameters)));
  });

  test("keeps paths out of the profile's text, whatever they hold", () => {
    for (const cwd of ['/a") (allow default) ("', "/a\\b", "/a=b c", "/ü/(x"]) {
      const { profile, parameters } = rulesOf({ cwd });
      expect(parameters["CWD"]).toBe(cwd);
      expect(profile).toBe(rulesOf({ cwd: "/" + "a/".repeat(cwd.split("/").length - 2) + "b" }).profile);
    }
  });

  test("grants the directory to read and write, or to read, or not at all", () => {
    expect(rulesOf({}).profile).not.toContain("CWD");
    expect(rulesOf({ cwd: "/w" }).profile).toContain('(allow file-read* file-write* (subpath (param "CWD")))');
    expect(rulesOf({ cwd: "/w", readOnly: true }).profile).toContain('(allow file-read* (subpath (param "CWD")))');
  });

  test("grants network only with hosts, and never to listen or by a socket file of others", () => {
    expect(rulesOf({}).profile).not.toMatch(/network|socket/);
    const { profile } = rulesOf({ network: true });
    expect(profile).toContain("(allow network-outbound (remote ip))");
    expect(profile).not.toMatch(/network-inbound|network-bind|network\*|mach-lookup/);
  });

  test("lets the way to a file be looked up, and nothing beside it", () => {
    const { parameters } = rulesOf({ cwd: "/Users/a/work" });
    expect(Object.values(parameters)).toEqual(
      expect.arrayContaining(["/", "/Users", "/Users/a", "/opt", "/private", "/private/tmp"]),
    );
  });
});
