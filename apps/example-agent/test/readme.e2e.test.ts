import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const here = new URL(".", import.meta.url);

test("the README's example runs as it stands there", () => {
  const readme = readFileSync(new URL("../../../README.md", here), "utf8");
  const example = /```ts\n(.*?)```/s.exec(readme)?.[1];
  if (example === undefined) throw new Error("The README has no example");
  const file = fileURLToPath(new URL("readme-example.generated.mjs", here));
  writeFileSync(file, example);
  try {
    const output = execFileSync(process.execPath, ["--conditions=@dispatch/source", file], { encoding: "utf8" });
    expect(output).toMatch(/^true .*notes\/a\.txt/);
    expect(output).toContain("false ");
    expect(output).toContain("6 tools, 2 entries");
  } finally {
    rmSync(file);
  }
});
