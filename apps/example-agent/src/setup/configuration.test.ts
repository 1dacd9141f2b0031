import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfiguration } from "./configuration.ts";

let home: string;
let environment: { readonly XDG_CONFIG_HOME: string };
beforeEach(() => {
  home = realpathSync(mkdtempSync(path.join(tmpdir(), "configuration-")));
  environment = { XDG_CONFIG_HOME: path.join(home, "config") };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Installs a skill in a directory of skills, which is answered. */
function install(directory: string, name: string): string {
  mkdirSync(path.join(home, directory, name), { recursive: true });
  writeFileSync(
    path.join(home, directory, name, "SKILL.md"),
    `---\nname: ${name}\ndescription: From ${directory}.\n---\n`,
  );
  return path.join(home, directory);
}
const skillsOf = async (named: readonly string[], workspace: string): Promise<readonly string[]> => {
  const { skills } = await readConfiguration({ skills: named, webSearch: undefined }, environment, workspace);
  return skills.map(({ name, description }) => `${name}: ${description}`);
};

describe("readConfiguration()", () => {
  test("finds skills in the user's directory and in those that are named, which come first", async () => {
    install("config/dispatch-agent/skills", "forms");
    install("config/dispatch-agent/skills", "tables");
    const named = install("named", "forms");
    expect(await skillsOf([], path.join(home, "work"))).toEqual([
      "forms: From config/dispatch-agent/skills.",
      "tables: From config/dispatch-agent/skills.",
    ]);
    expect(await skillsOf([named, named], path.join(home, "work"))).toEqual([
      "forms: From named.",
      "tables: From config/dispatch-agent/skills.",
    ]);
  });

  test("takes no skill of a project unless it is named", async () => {
    for (const directory of [".dispatch/skills", ".claude/skills", ".agents/skills", "skills"]) {
      install(`work/${directory}`, "evil");
    }
    expect(await skillsOf([], path.join(home, "work"))).toEqual([]);
    expect(await skillsOf([path.join(home, "work/skills")], path.join(home, "work"))).toEqual([
      "evil: From work/skills.",
    ]);
  });

  test("leaves the user's directory out when the agent could write there, by a link too", async () => {
    install("config/dispatch-agent/skills", "forms");
    expect(await skillsOf([], home)).toEqual([]);
    install("work/mine", "evil");
    rmSync(path.join(home, "config/dispatch-agent/skills"), { recursive: true });
    symlinkSync("../../work/mine", path.join(home, "config/dispatch-agent/skills"));
    expect(await skillsOf([], path.join(home, "work"))).toEqual([]);
  });

  test("says what was left out, and refuses what is named and not there", async () => {
    const directory = install("named", "forms");
    writeFileSync(path.join(directory, "forms/SKILL.md"), "text");
    const read = (skills: readonly string[], webSearch?: string) =>
      readConfiguration({ skills, webSearch }, environment, path.join(home, "work"));
    expect((await read([directory])).notes).toEqual([
      "skill forms left out: it does not begin with a head between two lines ---",
    ]);
    const inside = install("work/skills", "mine");
    expect((await read([inside])).notes).toEqual([expect.stringContaining("are where the agent works")]);
    await expect(read([path.join(directory, "forms/SKILL.md")])).rejects.toThrow(/there is no such directory/);
    await expect(read([path.join(home, "missing")])).rejects.toThrow(/there is no such directory/);
    await expect(read([], "nowhere")).rejects.toThrow(/no web address/);
  });
});
