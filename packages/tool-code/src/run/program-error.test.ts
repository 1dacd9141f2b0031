import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toCodeError } from "./program-error.ts";

const url = "blob:null/00000000-0000-4000-8000-000000000000";
const error = (part: object) => ({
  name: "Error",
  message: "",
  stack: "",
  tool: false,
  output: false,
  unparsed: undefined,
  ...part,
});

describe("toCodeError()", () => {
  test("takes the place from the stack, the innermost line of the program first", () => {
    const stack = "Error: x\n    at f (main.ts:7:3)\n    at async main.ts:9:1";
    expect(toCodeError(error({ message: "x", stack }), [], "")).toEqual({
      kind: "runtime",
      message: "Error: x",
      line: 7,
      column: 3,
      stack: ["at f (main.ts:7:3)", "at async main.ts:9:1"],
    });
  });

  test("takes the reading of the program that got furthest", () => {
    const fault = (message: string, prefix: string) => ({
      message: `SyntaxError: ${message}`,
      unparsed: { url, prefix },
    });
    const found = toCodeError(
      error({ message: `SyntaxError: module at ${url}:2:1`, unparsed: { url, prefix: "" } }),
      [
        fault(`expression at ${url}:9:1`, "export default async () => ("),
        fault(`body at ${url}:4:5`, "export default async () => {"),
      ],
      "\n\n\n\n\n\n\n\n\n",
    );
    expect(found).toMatchObject({ message: "SyntaxError: body", line: 4, column: 5 });
  });

  test("takes what the harness put before the first line out of place and excerpt", () => {
    const prefix = "export default async () => {";
    const message = `SyntaxError: Expression expected\n  |\n1 | ${prefix}const x = ;\n  | ${" ".repeat(prefix.length + 10)}~\n    at ${url}:1:39`;
    expect(toCodeError(error({ message, unparsed: { url, prefix } }), [], "const x = ;")).toMatchObject({
      line: 1,
      column: 11,
      message: "SyntaxError: Expression expected\n  |\n1 | const x = ;\n  |           ~",
    });
  });

  test("shows the line of an error, unless the message shows it, and none that stand behind the program", () => {
    const stack = "Error: x\n    at main.ts:2:1";
    expect(toCodeError(error({ message: "x", stack }), [], `a\n  ${"b".repeat(200)}  `)).toMatchObject({
      excerpt: `  ${"b".repeat(158)}`,
    });
    const message = `SyntaxError: Unterminated template\n  |\n2 | b = \`\n  |     ~\n3 | }\n  | ~\n    at ${url}:2:5`;
    const found = toCodeError(error({ message, unparsed: { url, prefix: "" } }), [], "a\nb = `");
    expect(found).toMatchObject({ line: 2, message: "SyntaxError: Unterminated template\n  |\n2 | b = `\n  |     ~" });
    expect(found.excerpt).toBeUndefined();
  });

  test("takes a program for a module only when the engine reports that return is not allowed", () => {
    const at = (said: string) =>
      error({ message: `SyntaxError: ${said}\n1 | return x at ${url}:1:1`, unparsed: { url, prefix: "" } });
    expect(toCodeError(at("Expression expected"), [], "x").hint).toBeUndefined();
    expect(toCodeError(at("Return statement is not allowed here"), [], "x").hint).toContain("is a module");
  });

  test("says what was thrown that is no error, and where, when there is one place", () => {
    const thrown = error({ message: 'the program threw "a"' });
    expect(toCodeError(thrown, [], "if (x) throw 'b';\nthrow 'a';")).toMatchObject({
      message: 'the program threw "a"',
      line: 2,
      column: 1,
      excerpt: "throw 'a';",
    });
    expect(toCodeError(thrown, [], "throw x; throw y")).not.toHaveProperty("line");
  });

  test("gives Deno's words without its flags", () => {
    expect(
      toCodeError(
        error({ name: "NotCapable", message: 'Requires read access to "/x", run again with the --allow-read flag' }),
        [],
        "",
      ),
    ).toMatchObject({ kind: "permission", message: 'Requires read access to "/x"' });
  });

  test("names no address of a module, whatever is thrown", () => {
    const part = fc.oneof(
      fc.constantFrom(
        url,
        `${url}:1:2`,
        "data:application/javascript;base64,AAAA+/=......BBBB=",
        "\n    at ",
        "main.ts:1:2",
        "SyntaxError: ",
        "Requires ",
      ),
      fc.string(),
    );
    const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(" "));
    fc.assert(
      fc.property(text, text, text, fc.boolean(), (name, message, stack, parsed) => {
        const found = toCodeError(
          error({ name, message, stack, unparsed: parsed ? undefined : { url, prefix: "" } }),
          [],
          "a\nb",
        );
        const shown = JSON.stringify(found);
        expect(shown).not.toContain("blob:null");
        expect(shown).not.toContain("base64,");
        for (const number of [found.line, found.column])
          if (number !== undefined) expect(Number.isInteger(number)).toBe(true);
      }),
    );
  });
});
