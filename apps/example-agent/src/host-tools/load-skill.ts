import { FilesError, fileTools, openSandbox, SandboxError } from "@dispatch/tool-files";
import { defineTool, failure, success, ToolError } from "@dispatch/tools-interface";
import { oneLine } from "@dispatch/tools-interface/display";
import { z } from "zod";
import { readWhole } from "./read-whole.ts";
import { MAX_SKILL_BYTES, type Skill } from "./skills.ts";

/** Limits for one skill's line in the catalogue, and for all lines, in characters; skills beyond are listed by name. */
const MAX_LINE = 300;
const MAX_CATALOGUE = 10_000;
/** Files of a skill that are listed. */
const MAX_FILES = 100;

const output = z.object({
  name: z.string(),
  text: z.string().describe("The instructions, or the file"),
  files: z.array(z.string()).describe("Files of the skill, relative to it; empty when one was loaded"),
});

/**
 * Makes `load_skill`: instructions that the user installed. A model sees one line for each and reads the whole text on
 * request. Both stay the same to the end, even if the files change.
 */
export function createLoadSkillTool(skills: readonly Skill[]) {
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  const [first, ...others] = byName.keys();
  return defineTool({
    name: "load_skill",
    description: `Loads a skill: instructions for one kind of task, installed by the user, to be followed where they fit the task. Load the skill before you begin a task that it is for. Files that it speaks of are loaded with file; scripts among them can be read and not started.\n${catalogue(skills)}`,
    parameters: z.object({
      name: (first === undefined ? z.string() : z.enum([first, ...others])).describe("Name of the skill"),
      file: z
        .string()
        .min(1)
        .max(500)
        .optional()
        .describe("File of the skill, relative to it, such as references/forms.md. Default: its instructions"),
    }),
    output,
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    resource: ({ name }) => `skill ${name}`,
    async execute({ name, file }, { signal }) {
      const skill = byName.get(name);
      if (skill === undefined) {
        return failure(`Cannot load the skill ${oneLine(JSON.stringify(name))}: it is not installed; go on without`, {
          code: "no_such_skill",
        });
      }
      if (file !== undefined) {
        const text = readText(skill, file);
        return success(text || "[the file is empty]", { data: { name, text, files: [] } });
      }
      const { body } = skill;
      const files = await filesOf(skill, signal);
      const note = `[skill ${name}, installed by the user; ${describe(files)}]`;
      return success(`${note}\n${body}`, { data: { name, text: body, files } });
    },
  });
}

function readText({ name, directory }: Skill, file: string): string {
  const attempt = `Cannot load ${oneLine(JSON.stringify(file))} of the skill ${name}`;
  const refuse = (why: string, code: string) => new ToolError(`${attempt}: ${why}`, { code });
  const outside = refuse("it leads out of the skill, whose files are listed when it is loaded", "outside_skill");
  const sandbox = openSandbox(directory);
  try {
    const { path, bytes } = readWhole(sandbox, `${name}/${file}`, MAX_SKILL_BYTES);
    if (!path.startsWith(`${name}/`)) throw outside;
    if (bytes === undefined) throw refuse(`it has more than ${MAX_SKILL_BYTES} bytes`, "too_large");
    if (bytes.includes(0)) throw refuse("it is no text", "binary_file");
    return bytes.toString("utf8");
  } catch (error) {
    if (error instanceof SandboxError) throw outside;
    if (!(error instanceof FilesError)) throw error;
    throw refuse("there is no such file, load the skill without file to see what there is", error.code);
  } finally {
    sandbox.close();
  }
}

/** All but the instructions themselves. */
async function filesOf({ name, directory }: Skill, signal: AbortSignal): Promise<string[]> {
  const params = { path: name, include_ignored: true, limit: MAX_FILES + 1 };
  const listed = await fileTools.list_files.call(params, { context: { worktreePath: directory }, signal });
  const files = listed.success ? (listed.data?.files ?? []) : [];
  return files.map((file) => file.slice(name.length + 1)).filter((file) => file !== "SKILL.md");
}

function describe(files: readonly string[]): string {
  if (files.length === 0) return "no other files";
  const shown = files.slice(0, MAX_FILES).map((file) => oneLine(JSON.stringify(file)));
  return `its files: ${shown.join(", ")}${files.length > MAX_FILES ? " and more" : ""}`;
}

function catalogue(skills: readonly Skill[]): string {
  let room = MAX_CATALOGUE;
  const lines = skills.map(({ name, description }) => {
    const about = oneLine(description);
    const line = about.length > MAX_LINE ? `${about.slice(0, MAX_LINE).toWellFormed()}…` : about;
    room -= line.length;
    return room >= 0 ? `- ${name}: ${line}` : `- ${name}`;
  });
  return ["Skills:", ...(lines.length === 0 ? ["none"] : lines)].join("\n");
}
