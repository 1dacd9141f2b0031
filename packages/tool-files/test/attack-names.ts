import { execFileSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { attackTools, writingTools } from "./attack-tools.ts";
import { makeWorktree, SECRET, snapshot, toolsIn } from "./worktree.ts";

/** Names that something may take for an option, a pattern, a line of output or another name. */
const ODD_NAMES = [
  "-rf",
  "--pre=sh",
  "*",
  "[a].txt",
  "{a,b}",
  "!a",
  "#a",
  "a\nb",
  "a\u001b[31m",
  "\u202egnp.exe",
  "a b",
  "a\u00a0b",
  "a\u202fb",
  "caf\u00e9",
  "cafe\u0301",
  "A",
  "a",
  "\\..\\x",
  "a:1: secret",
  "%2e%2e",
  "\u2024\u2024",
  "...",
  "..a",
  "x".repeat(255),
];

/** Registers the tests of odd names and odd kinds of files, for every tool. */
export function describeNames(): void {
  describe.each(Object.entries(attackTools))("%s", (name, params) => {
    const writes = writingTools.includes(name);

    test("answers, and does not hang, when it meets a pipe, a socket or a device", async () => {
      const { root, at } = makeWorktree();
      execFileSync("sh", ["-c", 'mkfifo "$0"', at("pipe")]);
      fs.symlinkSync("pipe", at("to-pipe"));
      fs.symlinkSync("/dev/zero", at("zero"));
      // A socket's path may not be long.
      const server = createServer().listen(join(fs.mkdtempSync(join(tmpdir(), "s-")), "s"));
      await once(server, "listening");
      onTestFinished(() => void server.close());
      const socket = server.address() as string;
      fs.renameSync(socket, at("socket"));
      fs.rmdirSync(join(socket, ".."));
      const call = toolsIn(root);
      for (const path of ["pipe", "to-pipe", "zero", "pipe/", "socket", "socket/x"])
        expect((await call(name, params(path))).success, path).toBe(false);
      // The directory they are in can be listed and searched.
      expect((await call(name, params("."))).success).toBe(name === "list_files" || name === "search_files");
      expect(fs.lstatSync(at("pipe")).isFIFO()).toBe(true);
      expect(fs.lstatSync(at("socket")).isSocket()).toBe(true);
    });

    test("refuses names no file can have, and says so without the host's path", async () => {
      const { root, home } = makeWorktree({ "a.txt": "x" });
      const call = toolsIn(root);
      const paths = [
        "a.txt\0",
        "\0",
        "a\0/../b",
        "",
        "x".repeat(256),
        "\u00e9".repeat(128),
        "x/".repeat(3000),
        `${"d/".repeat(2100)}f`,
        "a\ud800b",
      ];
      for (const path of paths) {
        const result = await call(name, params(path));
        expect(result.success, path.slice(0, 20)).toBe(false);
        expect(String(result)).not.toContain(home);
        expect(String(result).length).toBeLessThan(1000);
      }
    });

    test("takes every odd name for itself and for no other", async () => {
      const files = Object.fromEntries(ODD_NAMES.map((odd, index) => [odd, `${SECRET} secret number ${index};\n`]));
      const { root } = makeWorktree(name === "create_file" ? {} : files);
      const call = toolsIn(root);
      for (const [index, odd] of ODD_NAMES.entries()) {
        const before = snapshot(root);
        const result = await call(name, params(odd));
        const changed = Object.entries(snapshot(root)).filter(([path, text]) => before[path] !== text);
        const shows = name === "read_file" || name === "search_files";
        expect(result.success, `${odd}: ${String(result)}`).toBe(name !== "list_files");
        expect(String(result), odd).toContain(shows ? `number ${index};` : "");
        expect(
          changed.map(([path]) => path),
          odd,
        ).toEqual(writes ? [join(root, odd)] : []);
        // No control character of a name comes through.
        expect(String(result).split("\n").join(""), odd).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
      }
    });

    test("takes encoded, backslashed, full-width and home paths for the plain names they are", async () => {
      const { root, home } = makeWorktree();
      const call = toolsIn(root);
      const before = snapshot(join(home, "root-evil"));
      for (const path of [
        "%2e%2e%2froot-evil",
        "..%c0%afroot-evil",
        "..\\root-evil",
        "..\\..\\/root-evil",
        "\uff0e\uff0e\uff0froot-evil",
        "~",
        "$HOME",
        "@secret",
        "file:secret",
        "\u2025/secret",
        "\u2024\u2024/secret",
      ]) {
        const result = await call(name, params(path));
        expect(String(result)).not.toContain(SECRET);
        expect(fs.existsSync(join(root, path)), path).toBe(result.success);
      }
      expect(snapshot(join(home, "root-evil"))).toEqual(before);
    });

    test("takes an absolute path inside the worktree for the relative one", async () => {
      const { root } = makeWorktree({ "dir/a.txt": `${SECRET}\n` });
      const path =
        name === "list_files" || name === "search_files"
          ? `${root}/dir`
          : name === "create_file"
            ? `${root}/dir/new.txt`
            : `${root}//dir/a.txt`;
      const result = await toolsIn(root)(name, params(path));
      expect(result.success, String(result)).toBe(true);
      expect(String(result)).not.toContain(root);
    });

    test("changes nothing but the name it was given where a file has another one outside", async () => {
      const { root, outside, at } = makeWorktree();
      fs.linkSync(join(outside, "secret.txt"), at("twin.txt"));
      const before = snapshot(outside);
      await toolsIn(root)(name, params("twin.txt"));
      expect(snapshot(outside)).toEqual(before);
      expect(fs.statSync(at("twin.txt")).nlink).toBe(name === "write_file" || name === "edit_file" ? 1 : 2);
    });

    test("fails readably when the worktree is gone or none was given", async () => {
      const { root, home } = makeWorktree();
      fs.rmSync(root, { recursive: true });
      const result = await toolsIn(root)(name, params("x"));
      expect(result).toMatchObject({ success: false, code: "invalid_worktree" });
      expect(String(result)).not.toContain(home);
      expect(await toolsIn("relative/root")(name, params("x"))).toMatchObject({
        success: false,
        code: "invalid_worktree",
      });
    });
  });
}
