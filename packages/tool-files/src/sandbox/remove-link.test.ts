import fs from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeWorktree, toolsIn } from "../../test/worktree.ts";
import { createFileHistory } from "../history/undo-history.ts";
import { openSandbox } from "./open-sandbox.ts";
import type { SandboxStrength } from "./sandbox-hooks.ts";

const strengths: readonly SandboxStrength[] = process.platform === "linux" ? ["kernel", "verified"] : ["verified"];

test.each(strengths)("removePath() removes a link itself, wherever it leads (%s)", (strength) => {
  const { root, outside, at } = makeWorktree({ "a.txt": "a", "dir/b.txt": "b" });
  const targets = { file: "a.txt", directory: "dir", away: outside, dangling: "nothing", loop: "loop" };
  const sandbox = openSandbox(root, { strength });
  for (const [name, target] of Object.entries(targets)) {
    fs.symlinkSync(target, at(name));
    const check = vi.fn<(bytes: Buffer | undefined, path: string, kind: string) => void>();
    sandbox.removePath(name, check);
    expect(check.mock.calls).toEqual([[Buffer.from(target), name, "link"]]);
    expect(fs.lstatSync(at(name), { throwIfNoEntry: false }), name).toBeUndefined();
  }
  expect(fs.readdirSync(root).toSorted()).toEqual(["a.txt", "dir"]);
  expect(fs.readdirSync(outside).toSorted()).toEqual(["secret.txt", "sub"]);
  sandbox.close();
});

test.each(strengths)(
  "removePath() follows links on the way, and not one that came since it was checked (%s)",
  (strength) => {
    const { root, at, text } = makeWorktree({ "dir/a.txt": "a", "dir/b.txt": "b" });
    fs.symlinkSync("dir", at("link"));
    const sandbox = openSandbox(root, { strength });
    onTestFinished(() => sandbox.close());
    sandbox.removePath("link/a.txt", (bytes, path, kind) =>
      expect([bytes?.toString(), path, kind]).toEqual(["a", "dir/a.txt", "file"]),
    );
    const exchange = (_bytes: Buffer | undefined, _path: string, kind: string) => {
      if (kind === "link") throw new Error("it is a link now");
      fs.renameSync(at("dir/b.txt"), at("kept.txt"));
      fs.symlinkSync("../kept.txt", at("dir/b.txt"));
    };
    expect(() => sandbox.removePath("link/b.txt", exchange)).toThrow("it is a link now");
    expect(text("kept.txt")).toBe("b");
    expect(fs.readlinkSync(at("dir/b.txt"))).toBe("../kept.txt");
  },
);

test("undo() does not take a link for the file that was created", async () => {
  const { root, at, text } = makeWorktree();
  const history = createFileHistory();
  const call = toolsIn(root, { history });
  for (const target of ["kept.txt", "new text"]) {
    await call("create_file", { path: "new.txt", content: "new text" });
    fs.renameSync(at("new.txt"), at("kept.txt"));
    fs.symlinkSync(target, at("new.txt"));
    expect(() => history.undo(root), target).toThrow("leads elsewhere");
    expect([text("kept.txt"), fs.readlinkSync(at("new.txt"))]).toEqual(["new text", target]);
    fs.rmSync(at("new.txt"));
  }
});
