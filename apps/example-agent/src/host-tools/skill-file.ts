import { parse } from "yaml";
import { z } from "zod";

/** A `SKILL.md`, as the open format for Agent Skills (agentskills.io) has it. */
export interface SkillFile {
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
export function readSkillFile(text: string): SkillFile {
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
