import { describe, expect, test } from "vitest";
import { withoutHostDetails, describeThrown } from "./tool-error.ts";

describe("withoutHostDetails()", () => {
  test.each([
    [
      "ENOENT: no such file or directory, open '/home/ada/notes/a.txt'",
      "ENOENT: no such file or directory, open '…/a.txt'",
    ],
    ["open '/Users/Ada L/My Notes/a b.txt'", "open '…/a b.txt'"],
    ["cannot read /var/lib/app/db.sqlite: busy", "cannot read …/db.sqlite: busy"],
    ["at file:///home/ada/app/main.js:3", "at …/main.js:3"],
    [String.raw`EPERM: open 'C:\Users\Ada\secret.txt'`, String.raw`EPERM: open '…\secret.txt'`],
    ["connect postgres://ada:hunter2@db.local/app", "connect postgres://[secret]@db.local/app"],
    ["GET https://api.test/x?api_key=abcdef123&n=1", "GET https://api.test/x?api_key=[secret]&n=1"],
    ['body {"password":"hunter22"}', 'body {"password":"[secret]"}'],
    ["refused: Bearer abcdef.ghijkl", "refused: [secret]"],
    ["broken\n    at run (/home/ada/app/main.js:3:7)\n    at next", "broken"],
  ])("masks %s", (text, shown) => expect(withoutHostDetails(text)).toBe(shown));

  test.each([
    "GET /api/v1/users failed with 404",
    "no such file: src/tools/a.ts, see ./docs/a.md and ../b/c",
    "see https://example.com/home/x/y and http://localhost:3000/tmp",
    "Unexpected token: } in JSON at position 7",
    "/tmp is full, 3/4 of / is used",
    "expected a/b/c, found 1/2",
  ])("leaves %s as it is", (text) => expect(withoutHostDetails(text)).toBe(text));
});

describe("describeThrown()", () => {
  test("adds what lies behind, which is often what helps", () => {
    const refused = new Error("connect ECONNREFUSED 127.0.0.1:80");
    expect(describeThrown(new TypeError("fetch failed", { cause: refused }))).toBe(
      "fetch failed: connect ECONNREFUSED 127.0.0.1:80",
    );
    const both = new AggregateError([refused, new Error("connect ETIMEDOUT")], "");
    expect(describeThrown(new TypeError("fetch failed", { cause: both }))).toBe(
      "fetch failed: AggregateError: connect ECONNREFUSED 127.0.0.1:80, connect ETIMEDOUT",
    );
    expect(describeThrown(new Error("a: b", { cause: new Error("b") }))).toBe("a: b");
    expect(describeThrown(new Error("a", { cause: "read /home/ada/x/y" }))).toBe("a: read …/y");
  });

  test("ends, whatever the causes are", () => {
    const own = new Error("loop");
    own.cause = own;
    expect(describeThrown(own)).toBe("loop");
    const hostile = Object.defineProperty(new Error("outside"), "cause", {
      get() {
        throw new Error("no");
      },
    });
    expect(describeThrown(hostile)).toBe("outside");
    expect(describeThrown(null)).toBe("null was thrown");
  });
});
