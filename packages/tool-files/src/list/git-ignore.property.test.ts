import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn, useFiller } from "../../test/worktree.ts";

const rule = fc.oneof(
  fc.constantFrom(
    ..."[Dd]ebug/ [Bb]in/ *.[Cc]ache !?*.[Cc]ache/ ~$* **/[Pp]ackages/* !**/[Pp]ackages/build/ x64/ *.log !keep.log /Debug bin/* _[Rr]eSharper*/ **/bin/** !a/ *~ /* !/a".split(
      " ",
    ),
  ),
  fc.constantFrom("*- [Bb]ackup ([0-9]).log", "Generated\\ Files/", "a b", "[!a]", "a?", "[a-c]*", "# x", "\\#x", "a "),
);
const name = fc.constantFrom(
  ..."Debug debug bin Bin a.Cache a.cache ~$x packages Packages build x64 y.log keep.log _ReSharper1 x~ a b #x".split(
    " ",
  ),
  "- Backup (1).log",
  "Generated Files",
  "a b",
);
const relative = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const rules = fc.array(rule, { minLength: 1, maxLength: 5 }).map((lines) => lines.join("\n"));

const fill = useFiller();
const isFile = (place: string) => fs.statSync(place, { throwIfNoEntry: false })?.isFile() === true;

test("list_files and search_files leave out what Git leaves out, and nothing that it tracks", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(relative, { minLength: 2, maxLength: 12 }),
      rules,
      fc.option(rules, { nil: undefined }),
      fc.array(fc.nat(11), { maxLength: 3 }),
      fc.constantFrom("2", "4"),
      async (paths, own, nested, tracked, version) => {
        const { root, at, home } = makeWorktree({ ".gitignore": own });
        fill(root);
        for (const [file, content] of [
          ...paths.map((one) => [one, "hit"] as const),
          ["a/.gitignore", nested] as const,
        ]) {
          if (content === undefined) continue;
          try {
            fs.mkdirSync(dirname(at(file)), { recursive: true });
            fs.writeFileSync(at(file), content);
          } catch {
            // A file is where a directory would have to be, or the other way round.
          }
        }
        const git = (...args: string[]) =>
          execFileSync("git", args, {
            cwd: root,
            env: { ...process.env, HOME: home, GIT_CONFIG_NOSYSTEM: "1" },
            encoding: "utf8",
          });
        git("init", "-q");
        const added = tracked.map((index) => paths[index]).filter((one) => one !== undefined && isFile(at(one)));
        for (const one of added) git("-c", `index.version=${version}`, "add", "-f", "--", `:(literal)${one}`);
        const listed = git("ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0").slice(0, -1);
        const kept = [...new Set(listed)].toSorted();
        const call = toolsIn(root);
        const { files } = dataOf<{ files: string[] }>(await call("list_files", { limit: 10_000 }));
        expect(files.toSorted()).toEqual(kept);
        const found = dataOf<{ files: { path: string }[] }>(
          await call("search_files", { query: "hit", mode: "files" }),
        );
        expect(found.files.map((file) => file.path)).toEqual(
          kept.filter((file) => fs.readFileSync(at(file), "utf8") === "hit"),
        );
      },
    ),
  );
});
