import { check, expectGood, hostileCase, type HostileMcpCase } from "./hostile-case.ts";
import { GOOD, type HostileScript } from "./hostile-server.ts";

/** Pages of the list. */
let page = 0;
const PAGES: Readonly<Record<string, HostileScript>> = {
  "pages without an end": {
    listTools: () => ({ tools: [GOOD, { ...GOOD, name: `t${(page += 1)}` }], nextCursor: `c${page}` }),
  },
  "empty pages without an end": {
    listTools: ({ message }) => ({
      tools: message.params?.["cursor"] === undefined ? [GOOD] : [],
      nextCursor: `c${(page += 1)}`,
    }),
  },
  "a page that leads to itself": { listTools: () => ({ tools: [GOOD], nextCursor: "again" }) },
  "an empty cursor": { listTools: () => ({ tools: [GOOD], nextCursor: "" }) },
  "a cursor that is a number": { listTools: () => ({ tools: [GOOD], nextCursor: 5 }) },
  "a cursor of 1 MB": {
    listTools: ({ message }) =>
      message.params?.["cursor"] === undefined ? { tools: [GOOD], nextCursor: "x".repeat(1_000_000) } : { tools: [] },
  },
  "a second page that is none": {
    listTools: ({ message }) =>
      message.params?.["cursor"] === undefined ? { tools: [GOOD], nextCursor: "2" } : { tools: "no" },
  },
  "10,000 tools on a page": {
    listTools: () => ({ tools: [GOOD, ...Array.from({ length: 10_000 }, (_, at) => ({ ...GOOD, name: `t${at}` }))] }),
  },
};
const endlessCases = Object.entries(PAGES).map(([name, script]) => hostileCase("pages", name, script, expectGood));
const secondPage = hostileCase(
  "pages",
  "the tool that is meant is on the last page",
  {
    listTools({ message }) {
      const at = Number(message.params?.["cursor"] ?? 0);
      return at === 5 ? { tools: [GOOD] } : { tools: [{ ...GOOD, name: `t${at}` }], nextCursor: `${at + 1}` };
    },
  },
  expectGood,
);
const noList = hostileCase("pages", "no list of tools", { listTools: () => ({ tools: null }) }, async (session) => {
  const tools = await session.tools().catch(() => []);
  check(tools.length === 0, "tools are offered that the server does not have");
});

/** Cases about the pages of a list of tools. */
export const pageCases: readonly HostileMcpCase[] = [...endlessCases, secondPage, noList];
