import { callGood, check, expectGood, hostileCase, settled, show, type HostileMcpCase } from "./hostile-case.ts";
import { ANSWERED, GOOD } from "./hostile-server.ts";

const PIXEL = "iVBORw0KGgo=";
const ok = { type: "text", text: "ok" };
/** Most characters that a model is shown of a result; every client has a limit of its own. */
const MAX_SHOWN = 2_000_000;

const deep = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** A result with a fault: its sound parts are shown. */
const PARTS: Readonly<Record<string, unknown>> = {
  "null for a part": { content: [null, ok] },
  "a text for a part": { content: ["part", ok] },
  "a part of an unknown kind": { content: [{ type: "video", data: PIXEL, mimeType: "video/mp4" }, ok] },
  "a part without a kind": { content: [{ text: "x" }, ok] },
  "a number for a text": { content: [{ type: "text", text: 5 }, ok] },
  "an image without data": { content: [{ type: "image", mimeType: "image/png" }, ok] },
  "an image that is no base64": { content: [{ type: "image", data: "<script>", mimeType: "image/png" }, ok] },
  "an image that is a data URL": {
    content: [{ type: "image", data: `data:image/png;base64,${PIXEL}`, mimeType: "image/png" }, ok],
  },
  "an image of a type with a new line": {
    content: [{ type: "image", data: PIXEL, mimeType: "image/png\r\nX: y" }, ok],
  },
  "audio without a type": { content: [{ type: "audio", data: PIXEL }, ok] },
  "a resource without anything": { content: [{ type: "resource" }, ok] },
  "a resource without content": { content: [{ type: "resource", resource: { uri: "a:b" } }, ok] },
  "a link without an address": { content: [{ type: "resource_link", name: "x" }, ok] },
  "lone surrogates": { content: [{ type: "text", text: "\uD800" }, ok] },
  "annotations that are none": { content: [{ ...ok, annotations: "user" }] },
  "fields nobody knows": { content: [ok], extra: { a: [1] }, resultType: "complete" },
  "data nobody was told of": { content: [ok], structuredContent: { a: 1 } },
  "data with a prototype": { content: [ok], structuredContent: JSON.parse('{"__proto__":{"polluted":true}}') },
  "10,000 parts": { content: Array.from({ length: 10_000 }, () => ok) },
};

const partCases = Object.entries(PARTS).map(([name, result]) =>
  hostileCase("results", name, { callTool: () => result }, async (session) => {
    const { success, text } = await callGood(session);
    check(success && text.includes("ok"), `what is right is not shown: ${show(text)}`);
    check(text.isWellFormed(), "a lone surrogate is shown, which providers refuse");
    check(!("polluted" in {}), "every object was changed");
  }),
);

/** A result that is wrong as a whole: the call ends, and the next one works. */
const WHOLE: Readonly<Record<string, unknown>> = {
  "null for a result": null,
  "a number for a result": 5,
  "a list for a result": [],
  "an empty result": {},
  "a text for _meta": { content: [ok], _meta: "meta" },
  "a text for the content": { content: "ok" },
  "an object for the content": { content: { 0: ok, length: 1 } },
  "a text for isError": { content: [{ type: "text", text: "it failed" }], isError: "yes" },
  "an error without a text": { content: [], isError: true },
  "an error that goes to every length": { content: [{ type: "text", text: "x".repeat(5_000_000) }], isError: true },
  "a list of texts for data": { structuredContent: [1, 2] },
};

const wholeCases = Object.entries(WHOLE).map(([name, result]) => {
  let calls = 0;
  return hostileCase(
    "results",
    name,
    () => ((calls = 0), { callTool: () => ((calls += 1) === 1 ? result : { content: [ok] }) }),
    async (session) => {
      const { text } = await settled(callGood(session));
      check(text.length <= MAX_SHOWN, `a model is shown ${text.length} characters`);
      await expectGood(session);
    },
  );
});

const failing = hostileCase(
  "results",
  "a failure is no success",
  { callTool: () => ({ content: [{ type: "text", text: "it failed" }], isError: true }) },
  async (session) => {
    const { success, text } = await settled(callGood(session));
    check(!success && text.includes("it failed"), `the failure is shown as ${show({ success, text })}`);
  },
);

const mismatch = hostileCase(
  "results",
  "data that is not what was declared",
  {
    listTools: () => ({
      tools: [{ ...GOOD, outputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } }],
    }),
    callTool: () => ({ content: [ok], structuredContent: { n: "five" } }),
  },
  async (session) => {
    const { success } = await settled(callGood(session));
    check(!success, "data of another kind is taken for what was declared");
  },
);

/** Texts that no client should hold, or show, as a whole. */
const large = [
  ["a text of 8 MB", () => ({ content: [{ type: "text", text: "x".repeat(8_000_000) }] })],
  ["data nested 100,000 deep", undefined],
] as const;
const largeCases = [
  hostileCase("results", large[0][0], { callTool: large[0][1] }, async (session) => {
    const { text } = await settled(callGood(session));
    check(text.length <= MAX_SHOWN, `a model is shown ${text.length} characters`);
  }),
  hostileCase(
    "results",
    large[1][0],
    {
      callTool({ message, json }) {
        json(
          `{"jsonrpc":"2.0","id":${String(message.id)},"result":{"content":[{"type":"text","text":"ok"}],"structuredContent":{"a":${deep(100_000)}}}}`,
        );
        return ANSWERED;
      },
    },
    async (session) => {
      await settled(callGood(session));
    },
  ),
  ...(["a body", "a stream of events"] as const).map((way) =>
    hostileCase(
      "results",
      `200 MB in ${way}`,
      {
        callTool({ message, response }) {
          response.writeHead(200, { "Content-Type": way === "a body" ? "application/json" : "text/event-stream" });
          const head = way === "a body" ? "" : "event: message\ndata: ";
          response.write(
            `${head}{"jsonrpc":"2.0","id":${String(message.id)},"result":{"content":[{"type":"text","text":"`,
          );
          const piece = "x".repeat(1_000_000);
          let left = 200;
          const more = (): void => {
            while (left > 0 && !response.destroyed) {
              left -= 1;
              if (!response.write(piece)) return void response.once("drain", more);
            }
            response.end(`"}]}}${way === "a body" ? "" : "\n\n"}`);
          };
          more();
          return ANSWERED;
        },
      },
      async (session) => {
        await session.tools();
        const before = process.memoryUsage().rss;
        const { text } = await settled(callGood(session));
        const held = process.memoryUsage().rss - before;
        check(text.length <= MAX_SHOWN, `a model is shown ${text.length} characters`);
        check(held < 150_000_000, `the process grew by ${Math.round(held / 1e6)} MB`);
      },
    ),
  ),
];

/** Cases about the results of calls. */
export const resultCases: readonly HostileMcpCase[] = [...partCases, ...wholeCases, failing, mismatch, ...largeCases];
