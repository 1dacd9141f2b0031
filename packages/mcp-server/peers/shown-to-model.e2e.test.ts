import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { clients } from "./clients.ts";
import { startFakeModel, type Body } from "./fake-model.ts";

const main = path.join(import.meta.dirname, "../src/main.ts");
const page = readFileSync(path.join(import.meta.dirname, "../../mcp/README.md"), "utf8");
/** Tabs, quotes and letters beyond ASCII look otherwise in JSON inside of JSON. */
const FILE = 'one\n\t"two" ü\n';
/** The tool's own text of it, with line numbers. */
const TEXT = '0\tone\n1\t\t"two" ü\n[version ';
/** The value that only the data holds. */
const DATA = '"total_lines"';

/** Everything that a model reads of results of tools, whichever the vendor's format. */
function resultsIn(request: Body | undefined): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, isResult: boolean): void => {
    if (typeof value === "string") {
      if (isResult) found.push(value);
    } else if (Array.isArray(value)) value.forEach((one) => visit(one, isResult));
    else if (typeof value === "object" && value !== null) {
      const one = value as Record<string, unknown>;
      const begins = one["type"] === "tool_result" || one["role"] === "tool" || "functionResponse" in one;
      const skipped = new Set(["type", "role", "tool_use_id", "tool_call_id", "id", "name", "cache_control"]);
      for (const [key, inner] of Object.entries(one)) if (!skipped.has(key)) visit(inner, isResult || begins);
    }
  };
  visit(request, false);
  return found;
}

/** A client's use of a result, for the table. */
function kindOf(results: readonly string[]): string {
  const sent = results.join("\n");
  const plain = unescaped(sent);
  const texts = plain.split(TEXT).length - 1;
  const text = sent.includes(TEXT) ? "the text" : "the text, inside of JSON";
  if (plain.includes(DATA)) return texts === 0 ? "the data as JSON" : `${text}, and the data as JSON`;
  return texts === 1 ? text : `something else: ${JSON.stringify(results)}`;
}

/** Without the escapes of JSON, however often it was put into a text. */
function unescaped(text: string): string {
  const once = text.replaceAll("\\n", "\n").replaceAll("\\t", "\t").replaceAll('\\"', '"').replaceAll("\\\\", "\\");
  return once === text ? text : unescaped(once);
}

async function shown(name: string, structuredOutput: boolean): Promise<string> {
  const home = mkdtempSync(path.join(tmpdir(), "mcp-client-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const workspace = path.join(home, "workspace");
  mkdirSync(workspace);
  writeFileSync(path.join(workspace, "a.txt"), FILE);
  const model = await startFakeModel([/dispatch.*read_file$/, /^read_file$/]);
  const options = structuredOutput ? ["--structured-output"] : [];
  const args = ["--conditions=@dispatch/source", main, "--workspace", workspace, ...options];
  await clients[name]?.({ command: process.execPath, args, model: model.url, home, workspace });
  return kindOf(resultsIn(model.requests.at(-1)));
}

test.each(Object.keys(clients))("what %s shows its model is what the page says", async (name) => {
  const { dependencies } = JSON.parse(readFileSync(path.join(import.meta.dirname, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const found = [`\`${name}\``, dependencies[name], await shown(name, false), await shown(name, true)];
  const row = page
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .find((cells) => cells[1] === found[0]);
  expect(row?.slice(1, -1)).toEqual(found);
});
