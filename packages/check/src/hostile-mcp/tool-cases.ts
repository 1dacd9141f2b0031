import { expectGood, hostileCase, check, show, toolOf, type HostileMcpCase } from "./hostile-case.ts";
import { GOOD } from "./hostile-server.ts";

const object = { type: "object" };
const withSchema = (inputSchema: unknown): object => ({ name: "bad", description: "Bad.", inputSchema });
const withProperty = (a: unknown): object => withSchema({ type: "object", properties: { a } });
const nested = (depth: number): unknown => {
  let schema: object = { type: "object" };
  for (let level = 0; level < depth; level += 1) schema = { type: "object", properties: { a: schema } };
  return schema;
};

/** One entry that is wrong beside one that is right: the right one stays, and works. */
const ENTRIES: Readonly<Record<string, unknown>> = {
  "null for a tool": null,
  "a number for a tool": 5,
  "a text for a tool": "tool",
  "a list for a tool": [],
  "an empty tool": {},
  "a tool without a name": { inputSchema: object },
  "an empty name": { name: "", inputSchema: object },
  "a number for a name": { name: 5, inputSchema: object },
  "an object for a name": { name: { toString: "good" }, inputSchema: object },
  "a name of 100,000 characters": { name: "x".repeat(100_000), inputSchema: object },
  "a name of a prototype": { name: "__proto__", inputSchema: object },
  "a name of a method": { name: "constructor", inputSchema: object },
  "the same name again": { ...GOOD, description: "Another one." },
  "no schema": { name: "bad" },
  "null for a schema": withSchema(null),
  "a text for a schema": withSchema("object"),
  "a list for a schema": withSchema([]),
  "true for a schema": withSchema(true),
  "a schema of texts": withSchema({ type: "string" }),
  "a list of types": withSchema({ type: ["object", "null"] }),
  "an unknown type": withSchema({ type: "thing" }),
  "null for properties": withSchema({ type: "object", properties: null }),
  "a list for properties": withSchema({ type: "object", properties: [] }),
  "a text for required": withSchema({ type: "object", required: "a" }),
  "a reference to elsewhere": withProperty({ $ref: "http://169.254.169.254/latest/meta-data" }),
  "a reference to a file": withProperty({ $ref: "file:///etc/passwd" }),
  "a reference to nothing": withProperty({ $ref: "#/$defs/none" }),
  "a reference to itself": withSchema({ type: "object", properties: { a: { $ref: "#/properties/a" } } }),
  "references in a ring": withSchema({
    type: "object",
    $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } },
    properties: { a: { $ref: "#/$defs/a" } },
  }),
  "references that double": withSchema({
    type: "object",
    $defs: Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `a${at}`,
        { allOf: [{ $ref: `#/$defs/a${at + 1}` }, { $ref: `#/$defs/a${at + 1}` }] },
      ]),
    ),
    properties: { a: { $ref: "#/$defs/a0" } },
  }),
  "a schema nested 150 deep": withSchema(nested(150)),
  "a schema nested 5,000 deep": withSchema(nested(5_000)),
  "10,000 properties": withSchema({
    type: "object",
    properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, { type: "string" }])),
  }),
  "a pattern that is none": withProperty({ type: "string", pattern: "(" }),
  "a property named __proto__": withSchema(
    JSON.parse('{"type":"object","properties":{"__proto__":{"polluted":true}}}'),
  ),
  "limits of an earlier draft": withProperty({ type: "number", minimum: 0, exclusiveMinimum: true }),
  "an enum that is no list": withProperty({ enum: "a" }),
  "a number for a description": { ...withSchema(object), description: 5 },
  "a description of 2 MB": { ...withSchema(object), description: "x".repeat(2_000_000) },
  "a number for a title": { ...withSchema(object), title: 5 },
  "a text for annotations": { ...withSchema(object), annotations: "readOnly" },
  "texts for hints": { ...withSchema(object), annotations: { readOnlyHint: "yes", destructiveHint: 0 } },
  "a text for an output schema": { ...withSchema(object), outputSchema: "object" },
  "an output schema that is none": { ...withSchema(object), outputSchema: { type: "object", properties: 5 } },
  "an output schema nested 5,000 deep": { ...withSchema(object), outputSchema: nested(5_000) },
  "a text for icons": { ...withSchema(object), icons: "icon" },
  "an icon that is a program": { ...withSchema(object), icons: [{ src: "javascript:alert(1)" }] },
  "a text for _meta": { ...withSchema(object), _meta: "meta" },
  "a text for execution": { ...withSchema(object), execution: "task" },
};

const entryCases = Object.entries(ENTRIES).map(([name, entry]) =>
  hostileCase("tools", name, { listTools: () => ({ tools: [entry, GOOD] }) }, expectGood),
);

/** Everything a model reads without showing it, or a terminal obeys. */
const UNSEEN = /(?![\n\t\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const HIDDEN: Readonly<Record<string, string>> = {
  "an escape sequence": "\u001B[2J",
  "a turned direction": "\u202Edeb",
  "letters nobody sees": "\u{E0041}\u{E0042}",
  "a zero byte": "a\u0000b",
  "a line of its own": "a\u2028b",
};

const hiddenCases = Object.entries(HIDDEN).map(([what, text]) =>
  hostileCase(
    "tools",
    `${what} in a description and a schema`,
    {
      listTools: () => ({
        tools: [
          {
            name: "bad",
            description: text,
            inputSchema: { type: "object", properties: { a: { type: "string", description: text } } },
          },
          GOOD,
        ],
      }),
    },
    async (session) => {
      await expectGood(session);
      for (const { description, parameters } of await session.tools()) {
        check(!UNSEEN.test(description), `a description holds invisible characters: ${show(description)}`);
        check(!UNSEEN.test(textsIn(parameters)), "a schema holds invisible characters");
      }
    },
  ),
);

/** Parts of a schema that a model reads, and that cannot be cleaned without meaning something else. */
const HIDING: Readonly<Record<string, (text: string) => object>> = {
  "the name of a parameter": (text) => ({ properties: { [`a${text}`]: { type: "string" } } }),
  "an allowed value": (text) => ({ properties: { a: { enum: ["a", text] } } }),
  "a fixed value": (text) => ({ properties: { a: { const: text } } }),
  "a default": (text) => ({ properties: { a: { type: "string", default: text } } }),
  "an example": (text) => ({ properties: { a: { type: "string", examples: [[text]] } } }),
  "a pattern": (text) => ({ properties: { a: { type: "string", pattern: `(${text}+)+` } } }),
  "a word nobody knows": (text) => ({ "x-note": text }),
};

const hidingCases = Object.entries(HIDING).map(([what, schema]) =>
  hostileCase(
    "tools",
    `letters nobody sees in ${what}`,
    { listTools: () => ({ tools: [withSchema({ type: "object", ...schema("\u{E0041}\u{E0042}\u202E") }), GOOD] }) },
    async (session) => {
      await expectGood(session);
      for (const { parameters } of await session.tools()) {
        check(!UNSEEN.test(textsIn(parameters)), "a schema holds invisible characters");
      }
    },
  ),
);

const NAMES: Readonly<Record<string, string>> = {
  "an escape sequence": "a\u001B[2Jb",
  "a new line": "a\nb",
  "a turned direction": "a\u202Eb",
  "letters nobody sees": "a\u{E0041}",
  "a path": "../../etc/passwd",
  "a space": "a b",
  "an emoji": "🔧",
  "a letter of another script": "gооd",
  markup: "<b>x</b>",
};

const nameCases = Object.entries(NAMES).map(([what, name]) =>
  hostileCase(
    "names",
    `${what} in a name`,
    {
      listTools: () => ({ tools: [{ name, description: "Says who it is.", inputSchema: object }, GOOD] }),
      callTool: ({ message }) => ({
        content: [
          {
            type: "text",
            text: message.params?.["name"] === "good" ? "ok" : `odd ${JSON.stringify(message.params?.["name"])}`,
          },
        ],
      }),
    },
    async (session) => {
      await expectGood(session);
      const tools = await session.tools();
      for (const shown of tools)
        check(/^[\w./-]{1,128}$/.test(shown.name), `a model is shown the name ${show(shown.name)}`);
      const odd = tools.find(({ description }) => description.includes("Says who"));
      if (odd === undefined) return;
      const { text } = await session.call(odd.name, {});
      check(text.includes(JSON.stringify(name)), `the server was asked for another tool: ${show(text)}`);
    },
  ),
);

const collision = hostileCase(
  "names",
  "names that look the same once they are cleaned",
  {
    listTools: () => ({
      tools: ["a b", "a_b", "a\tb", "a.b", "A_b"].map((name) => ({
        name,
        description: JSON.stringify(name),
        inputSchema: object,
      })),
    }),
    callTool: ({ message }) => ({ content: [{ type: "text", text: JSON.stringify(message.params?.["name"]) }] }),
  },
  async (session) => {
    const tools = await session.tools();
    check(new Set(tools.map(({ name }) => name)).size === tools.length, "two tools have one name");
    check(tools.length === 5, `of 5 tools ${tools.length} are offered`);
    for (const { name, description } of tools) {
      const { text } = await session.call(name, {});
      check(text.includes(description), `${name} is called ${description}, but ${text} was asked for`);
    }
  },
);

/** The pattern takes the square of a text's length or worse. */
const SLOW: readonly string[] = ["^(a+)+$", "^(a|a)*$", "^(.*)*$", "(x+x+)+y", "^a*a*a*a*b$", "(?=(a+)+$)a"];
const patternCases = SLOW.map((pattern) =>
  hostileCase(
    "tools",
    `the slow pattern ${pattern}`,
    { listTools: () => ({ tools: [withProperty({ type: "string", pattern }), GOOD] }) },
    async (session) => {
      const bad = toolOf(await session.tools(), "bad");
      // An expression that goes back over 60 letters blocks the process for years: no time limit ends it.
      await session.call(bad.name, { a: `${"a".repeat(60)}!` }).catch(() => {});
      await expectGood(session);
    },
  ),
);

function textsIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value)
    .map(([key, inner]) => `${key}${textsIn(inner)}`)
    .join(" ");
}

/** Cases about a server's descriptions of its tools. */
export const toolCases: readonly HostileMcpCase[] = [
  ...entryCases,
  ...hiddenCases,
  ...hidingCases,
  ...nameCases,
  collision,
  ...patternCases,
];
