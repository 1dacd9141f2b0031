import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const require = createRequire(import.meta.url);
const tsc = path.join(path.dirname(require.resolve("typescript/package.json")), "bin", "tsc");
const fixture = fileURLToPath(import.meta.resolve("./__fixtures__/shown-types.ts"));
const root = fileURLToPath(new URL("../..", import.meta.url));
const directory = mkdtempSync(path.join(tmpdir(), "shown-types-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** The types of the fixture's exports as the compiler prints them, in one line each. */
let shown: Readonly<Record<string, string>> = {};
beforeAll(() => {
  const flags =
    "--strict --exactOptionalPropertyTypes --skipLibCheck --ignoreConfig --checkers 1 --declaration --emitDeclarationOnly --module nodenext --target es2023 --lib es2023,es2024.string";
  const more = "--types node --allowImportingTsExtensions --rootDir src --outDir";
  execFileSync(process.execPath, [tsc, ...flags.split(" "), ...more.split(" "), directory, fixture], { cwd: root });
  const text = readFileSync(path.join(directory, "registry", "__fixtures__", "shown-types.d.ts"), "utf8");
  const declared = text
    .replaceAll(/import\("[^"]+"\)\./g, "")
    .replaceAll(/\s+/g, " ")
    .matchAll(/const (\w+): (.*?); (?=export|$)/g);
  shown = Object.fromEntries(Array.from(declared, ([, name, type]) => [name, type]));
});

const LOOK =
  'Tool<"look", { at: string; }, { seen: boolean; }, { eyes: number; light?: boolean | undefined; }, { at: string; }>';
const WALK = 'Tool<"walk", { to?: string | undefined; }, string, { eyes: number; feet: number; }, { to: string; }>';
const CONTEXT = "{ eyes: number; feet: number; light?: boolean | undefined; }";

describe("the types of a registry that an editor shows", () => {
  test("name its tools and their context, merged", () => {
    expect(shown["both"]).toBe(`ToolRegistry<{ readonly look: ${LOOK}; readonly walk: ${WALK}; }, ${CONTEXT}>`);
    expect(shown["chained"]).toBe(
      `ToolRegistry<{ readonly look: ${LOOK}; } & { readonly walk: ${WALK}; }, ${CONTEXT}>`,
    );
    expect(shown["extended"]).toBe(shown["chained"]);
    expect(shown["listed"]).toBe(shown["both"]);
    expect(shown["narrowed"]).toContain("{ eyes: number; light?: boolean | undefined; }>");
  });

  test("name the data of a call", () => {
    expect(shown["result"]).toBe("Promise<ToolResult<{ seen: boolean; }>>");
  });

  test("name nothing that the package does not export", () => {
    const names = Object.values(shown)
      .join()
      .match(/\b[A-Z]\w+(?=<)/g);
    expect([...new Set(names)].toSorted()).toEqual([
      "Pick",
      "Promise",
      "RegisteredTool",
      "Tool",
      "ToolRegistry",
      "ToolResult",
    ]);
  });
});

/** What the language service shows at each of these places of the fixture, which begin with the word. */
async function hovers(places: readonly string[]): Promise<readonly string[]> {
  const server = spawn(process.execPath, [tsc, "--lsp", "--stdio"], { stdio: ["pipe", "pipe", "ignore"] });
  const answers = new Map<unknown, (answer: unknown) => void>();
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const ask = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve) => {
      answers.set(answers.size, resolve);
      send({ id: answers.size - 1, method, params });
    });
  let read = Buffer.alloc(0);
  server.stdout.on("data", (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    for (;;) {
      const [head, length] = /^Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n/.exec(read.toString("latin1")) ?? [];
      if (head === undefined || read.length < head.length + Number(length)) return;
      const text = read.toString("utf8", head.length, head.length + Number(length));
      read = read.subarray(head.length + Number(length));
      const { id, method, result } = JSON.parse(text) as { id?: number; method?: string; result?: unknown };
      if (method === undefined) answers.get(id)?.(result);
      else if (id !== undefined) send({ id, result: null });
    }
  });
  try {
    await ask("initialize", { processId: null, rootUri: pathToFileURL(root).href, capabilities: {} });
    send({ method: "initialized", params: {} });
    const [uri, text] = [pathToFileURL(fixture).href, readFileSync(fixture, "utf8")];
    const textDocument = { uri, languageId: "typescript", version: 1, text };
    send({ method: "textDocument/didOpen", params: { textDocument } });
    const found: string[] = [];
    for (const place of places) {
      const before = text.slice(0, text.indexOf(place) + 1).split("\n");
      const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
      const shownAt = await ask("textDocument/hover", { textDocument: { uri }, position });
      found.push((shownAt as { contents: { value: string } }).contents.value);
    }
    return found;
  } finally {
    server.kill();
  }
}

test("what an editor shows of a registry and its methods stays short", async () => {
  const most = {
    "both =": 460,
    "chained =": 470,
    "register(look)": 890,
    "extend(": 1260,
    "subset(": 870,
    "dispatch(": 1170,
  };
  const shownAt = await hovers(Object.keys(most));
  const lengths = Object.keys(most).map((place, index) => [place, shownAt[index]?.length ?? Infinity] as const);
  expect(lengths.filter(([place, length]) => length > most[place as keyof typeof most])).toEqual([]);
  expect(shownAt[0]).toContain("ToolRegistry<");
});
