import { expect, test } from "vitest";
import { makeWorktree, snapshot, toolsIn } from "../../test/worktree.ts";
import { isQuickPatch } from "./patch-bytes.ts";

const tools = ["apply_patch"] as const;

async function applied(file: string, patch: string) {
  const { root, text } = makeWorktree({ "a.py": file, "sub/a.py": "x\n" });
  const before = snapshot(root);
  const result = await toolsIn(root, { tools })("apply_patch", { patch });
  return { result, text: text("a.py"), unchanged: () => expect(snapshot(root)).toEqual(before) };
}

const update = (...lines: readonly string[]) =>
  ["*** Begin Patch", "*** Update File: a.py", ...lines, "*** End Patch"].join("\n");

test.each([
  `cd sub && apply_patch <<'EOF'\n${update("@@", "-x", "+y")}\nEOF`,
  `${update("@@", "-x", "+y")}\nEOF\n&& npm test`,
  `${update("@@", "-x", "+y")}\nrm -rf a.py`,
  `Here it is:\n${update("@@", "-x", "+y")}`,
])("a patch with other text around it is refused, not applied without it: %j", async (patch) => {
  const { result, unchanged } = await applied("x\n", patch);
  expect(result).toMatchObject({ success: false, code: "invalid_patch" });
  expect(String(result)).toContain("outside the patch");
  unchanged();
});

test.each([
  `apply_patch <<"PATCH"\n${update("@@", "-x", "+y")}\nPATCH\n`,
  `<<EOF\n${update("@@", "-x", "+y")}\nEOF`,
  `cat <<'EOF'\n${update("@@", "-x", "+y")}\nEOF`,
  `%%bash\napply_patch <<"EOF"\n${update("@@", "-x", "+y")}\nEOF`,
  `\`\`\`diff\n${update("@@", "-x", "+y")}\n\`\`\`\n`,
])("a patch in a here-document or a fence is applied: %j", async (patch) => {
  const { result, text } = await applied("x\n", patch);
  expect(result.success, String(result)).toBe(true);
  expect(text).toBe("y\n");
});

const twins = "class A(object):\n  return 1\nclass AB:\n  return 1\nclass B(object):\n  return 1\n";

test("a header may be the beginning of a line, if it is that of one", async () => {
  const { result, text } = await applied(twins, update("@@ class B", "-  return 1", "+  return 2"));
  expect(result.success, String(result)).toBe(true);
  expect(text).toBe(twins.replace(/1\n$/, "2\n"));
  // It ends where a word does.
  expect((await applied(twins, update("@@ class A", "-  return 1", "+  return 2"))).text).toBe(twins.replace("1", "2"));
});

test("a header that begins several lines is refused", async () => {
  const { result, unchanged } = await applied(twins, update("@@ class", "-  return 1", "+  return 2"));
  expect(result).toMatchObject({ success: false, code: "text_ambiguous" });
  unchanged();
});

test("a line that is the header goes before those that begin with it", async () => {
  const file = "def f(x):\n  a\ndef f\n  a\n";
  expect((await applied(file, update("@@ def f", "-  a", "+  b"))).text).toBe("def f(x):\n  a\ndef f\n  b\n");
});

test("a piece may have other dashes than the file", async () => {
  const { text } = await applied(
    "# import \u2013 top\u2011level\nx\n",
    update("@@", "-# import - top-level", "+# new"),
  );
  expect(text).toBe("# new\nx\n");
});

test("isQuickPatch() is false for long lines of a patch", () => {
  const request = { attempt: "", path: "a", now: Buffer.from("x\n".repeat(100)), firstLine: 0 } as const;
  const hunk = { headers: [], old: ["x"], now: ["y"], atEnd: false };
  const long = "a ".repeat(100_000);
  expect(isQuickPatch({ ...request, hunks: [hunk] })).toBe(true);
  for (const some of [{ headers: [long] }, { old: [long] }, { now: [long] }])
    expect(isQuickPatch({ ...request, hunks: [{ ...hunk, ...some }] })).toBe(false);
});
