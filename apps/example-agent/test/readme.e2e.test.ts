import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const here = new URL(".", import.meta.url);

test("the README's example runs as it stands there", () => {
  const readme = readFileSync(new URL("../../../README.md", here), "utf8");
  const example = /```ts\n(.*?)```/s.exec(readme)?.[1];
  if (example === undefined) throw new Error("The README has no example");
  // Beside this test, where the packages can be found; what it makes itself goes into a folder that is removed.
  const file = fileURLToPath(new URL("readme-example.generated.mjs", here));
  const temporary = mkdtempSync(path.join(tmpdir(), "readme-"));
  writeFileSync(file, example);
  try {
    const output = execFileSync(process.execPath, ["--conditions=@dispatch/source", file], {
      encoding: "utf8",
      env: { ...process.env, TMPDIR: temporary },
    });
    expect(output).toMatch(/^true .*notes\/a\.txt/);
    expect(output).toContain("false ");
    expect(output).toContain("6 tools, 2 entries");
  } finally {
    rmSync(file);
    rmSync(temporary, { recursive: true });
  }
});
