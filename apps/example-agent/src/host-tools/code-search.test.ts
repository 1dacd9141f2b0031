import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { conformanceCases } from "@dispatch/check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { codeSearchTool } from "./code-search.ts";

let home: string;
let worktreePath: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "code-"));
  worktreePath = path.join(home, "work");
  mkdirSync(worktreePath);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(file: string, text: string | Buffer): void {
  mkdirSync(path.dirname(path.join(worktreePath, file)), { recursive: true });
  writeFileSync(path.join(worktreePath, file), text);
}
const search = async (params: Parameters<typeof codeSearchTool.call>[0], signal?: AbortSignal) =>
  codeSearchTool.call(params, { context: { worktreePath }, signal });

describe("code_search", () => {
  test("conforms", async () => {
    put("a.ts", "export function load() {}\n");
    const params = [{ symbol: "load" }, { symbol: "load", kind: "definition", language: "typescript" }] as const;
    for (const { name, run } of conformanceCases(codeSearchTool, {
      params: [...params],
      context: { worktreePath },
      numRuns: 40,
    })) {
      await expect(run(), name).resolves.toBeUndefined();
    }
  });

  test("finds definitions first and uses after them, in every language there is", async () => {
    put("b.ts", 'import { load } from "./a.ts";\n// load\nload("load");\n');
    put("lib/a.ts", "\nexport function load(what: string) {}\n");
    put("run.py", "from a import load\n\ndef load(): pass\n");
    put("notes.md", "load\n");
    const result = await search({ symbol: "load" });
    expect(String(result)).toBe(
      [
        "[2 definitions]",
        "lib/a.ts:1: export function load(what: string) {}",
        "run.py:2: def load(): pass",
        "[3 references]",
        'b.ts:0: import { load } from "./a.ts";',
        'b.ts:2: load("load");',
        "run.py:0: from a import load",
      ].join("\n"),
    );
    const python = await search({ symbol: "load", language: "python", kind: "definition" });
    expect(String(python)).toBe("[1 definition]\nrun.py:2: def load(): pass");
    expect(String(await search({ symbol: "load", path: "lib", kind: "reference" }))).toBe("[no reference]");
    expect(String(await search({ symbol: "load", path: "lib/a.ts" }))).toContain("lib/a.ts:1");
  });

  test("never leaves the worktree, and leaves out what .gitignore does", async () => {
    writeFileSync(path.join(home, "outside.ts"), "const planted = 1;\n");
    symlinkSync("../outside.ts", path.join(worktreePath, "link.ts"));
    symlinkSync("..", path.join(worktreePath, "up"));
    execFileSync("sh", ["-c", 'mkfifo "$0"', path.join(worktreePath, "pipe.ts")]);
    put(".gitignore", "dist/\n");
    put("dist/a.ts", "const planted = 1;\n");
    expect(String(await search({ symbol: "planted" }))).toBe("[no definition]\n[no reference]");
    for (const outside of ["..", "../outside.ts", home, "up", "link.ts"]) {
      const result = await search({ symbol: "planted", path: outside });
      expect(result.success, outside).toBe(false);
      expect(String(result).replaceAll(outside, "")).not.toContain(home);
    }
  });

  test("lets no line and no name of a file pose as another", async () => {
    put("a\nb.ts:9: evil.ts", "const x = forged; // \u001B[2J\u202E\u2028evil.ts:0: forged\n");
    put("long.ts", `const forged = "${"x".repeat(5_000)}";\r\n`);
    const rows = String(await search({ symbol: "forged" })).split("\n");
    expect(rows).toHaveLength(4);
    expect(rows[1]).toMatch(/^long\.ts:0: const forged = "x+…$/);
    expect(rows[3]).toMatch(/^"a\\nb\.ts:9: evil\.ts":0: const x = forged/);
    expect(rows.join("\n")).not.toMatch(/[^\P{Cc}\n]|[\u2028\u202E]/u);
    expect(rows[1]?.length).toBeLessThan(300);
  });

  test("leaves out what is too long, binary or too hard to parse, says so, and goes on", async () => {
    put("bad1.ts", `sane ${"'".repeat(400_000)}`);
    put("bad2.ts", `sane = ${"(".repeat(300_000)}`);
    put("bad3.js", "sane;".repeat(100_000));
    put("large.ts", `const sane = 1;${" ".repeat(600_000)}`);
    put("binary.ts", Buffer.from("sane = '\0'"));
    put("good.ts", "const sane = 1;\n");
    const result = await search({ symbol: "sane" });
    expect(String(result)).toContain("good.ts:0: const sane = 1;");
    expect(String(result)).toMatch(/\[files left out: [1-9], too long, unreadable or too hard to parse/);
  });

  test("does not hold up the event loop, and can be cancelled in the middle of a file", async () => {
    put("bad.ts", `slow ${"'".repeat(400_000)}`);
    const stop = new AbortController();
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1) === 3 && stop.abort(), 10);
    const result = await search({ symbol: "slow" }, stop.signal);
    clearInterval(timer);
    expect(result).toMatchObject({ success: false, code: "cancelled" });
    expect(ticks).toBeGreaterThanOrEqual(3);
  });

  test("says how much there is when it shows a part", async () => {
    put("many.ts", "use();\n".repeat(250));
    const result = await search({ symbol: "use", limit: 10 });
    expect(String(result)).toContain("[250 references, the first 10 of them; narrow path or raise limit]");
    expect(result.success && result.data?.references).toHaveLength(10);
    expect(result.success && result.data?.truncated).toBe(true);
  });

  test.each(["a.b", "a b", "f()", "a\nb", '"', "\u001B", "*"])("refuses %j, which is no name", async (symbol) => {
    const result = await search({ symbol });
    expect(result).toMatchObject({ success: false, code: "invalid_symbol" });
    expect(String(result)).not.toMatch(/[^\P{Cc}]/u);
  });
});
