import { openSandbox, type Sandbox } from "@dispatch/tool-files";
import { oneLine } from "@dispatch/tools-interface/display";
import { parse } from "yaml";
import { z } from "zod";
import { readWhole } from "./read-whole.ts";

/** A `SKILL.md`, as the open format for Agent Skills (agentskills.io) has it. */
interface SkillFile {
  readonly name: string;
  /** Describes the skill's purpose and when to use it. */
  readonly description: string;
  /** The instructions. */
  readonly body: string;
}

/** Characters of the head that are looked at. */
const MAX_HEAD = 8_192;

const head = z.object({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  description: z.string().trim().min(1).max(1_024),
});

/**
 * Reads a `SKILL.md`: between two lines `---` its head in YAML, then Markdown. Fields it does not know are ignored.
 *
 * @throws {Error} With the fault, for the person who installed it.
 */
function readSkillFile(text: string): SkillFile {
  const [, front, body] = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n([^]*))?$/.exec(text) ?? [];
  if (front === undefined) throw new Error("it does not begin with a head between two lines ---");
  if (front.length > MAX_HEAD) throw new Error(`its head is longer than ${MAX_HEAD} characters`);
  const read = head.safeParse(readYaml(front));
  if (read.success) return { ...read.data, body: (body ?? "").trim() };
  const wrong = new Set(read.error.issues.map(({ path }) => String(path[0] ?? "the head")));
  throw new Error(
    `${[...wrong].join(" and ")} in its head is not as it has to be: a name of at most 64 small letters, digits and single hyphens, a description of 1 to 1,024 characters`,
  );
}

function readYaml(text: string): unknown {
  try {
    // No aliases: a few of them make gigabytes.
    return parse(text, { schema: "core", maxAliasCount: 0, logLevel: "error" });
  } catch {
    throw new Error("its head is no YAML; a text with a colon in it needs quotes");
  }
}

/**
 * A skill that the user installed, with its instructions as they were when it was found: later changes are not the
 * user's.
 */
export interface Skill extends SkillFile {
  /** Absolute path of the directory of skills that it is in. Never shown to a model. */
  readonly directory: string;
}

/** The skills found in directories. */
export interface InstalledSkills {
  /** In the order of the directories, in each by name. */
  readonly skills: readonly Skill[];
  /** Why others were left out, a line each, for the person who installed them. */
  readonly leftOut: readonly string[];
}

/** Bytes of a file of a skill. */
export const MAX_SKILL_BYTES = 65_536;
/** Skills that are advertised. */
const MAX_SKILLS = 100;
/** Entries of a directory that are looked at. */
const MAX_ENTRIES = 1_000;

/**
 * Looks for skills: in each directory the directories that hold a `SKILL.md`. Of two with one name the first counts.
 *
 * @param directories Absolute paths.
 * @throws {FilesError} When a directory is not there.
 */
export async function findSkills(directories: readonly string[]): Promise<InstalledSkills> {
  const skills = new Map<string, Skill>();
  const leftOut: string[] = [];
  for (const directory of directories) {
    const sandbox = openSandbox(directory);
    try {
      for (const name of await directoriesOf(sandbox)) {
        if (sandbox.kindOf(`${name}/SKILL.md`) === undefined) continue;
        try {
          const skill = readSkill(sandbox, name);
          if (skills.has(skill.name)) throw new Error("there is one of that name already");
          if (skills.size >= MAX_SKILLS) throw new Error(`there are ${MAX_SKILLS} already`);
          skills.set(skill.name, { ...skill, directory });
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          leftOut.push(oneLine(`skill ${name} left out: ${why}`));
        }
      }
    } finally {
      sandbox.close();
    }
  }
  return { skills: [...skills.values()], leftOut };
}

function readSkill(sandbox: Sandbox, name: string): SkillFile {
  const { path, bytes } = readWhole(sandbox, `${name}/SKILL.md`, MAX_SKILL_BYTES);
  if (path !== `${name}/SKILL.md`) throw new Error("it is a link; name the directory it leads to instead");
  if (bytes === undefined) throw new Error(`its SKILL.md is longer than ${MAX_SKILL_BYTES} bytes`);
  const skill = readSkillFile(bytes.toString("utf8"));
  if (skill.name !== name) throw new Error(`it calls itself ${skill.name}, a skill has the name of its directory`);
  return skill;
}

/** Links among them, which a reader of their files finds out. */
async function directoriesOf(sandbox: Sandbox): Promise<readonly string[]> {
  const directory = sandbox.openDirectory(".");
  try {
    const entries = await directory.readEntries();
    const names = entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
    return names
      .filter((name) => !name.startsWith("."))
      .toSorted()
      .slice(0, MAX_ENTRIES);
  } finally {
    directory.close();
  }
}
