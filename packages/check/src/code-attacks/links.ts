import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { attackCase, type AttackCase } from "./attack-case.ts";
import type { AttackTrial } from "./attack-trial.ts";

interface LinkAttack {
  readonly name: string;
  /** Target of a link at `a/b/link`, for the planted directory. */
  readonly target: (directory: string) => string;
  readonly program: string;
}

const { sep } = path;
/** From `a/b` of the program's directory two up is inside; from the top of it two up is the directory of all cases. */
const movable = (): string => `..${sep}..${sep}shared`;

const attacks: readonly LinkAttack[] = [
  {
    name: "a link to a directory outside",
    target: (f) => f,
    program: `return Deno.readTextFileSync("a/b/link/secret.txt");`,
  },
  {
    name: "a link to a file outside",
    target: (f) => `${f}/secret.txt`,
    program: `return Deno.readTextFileSync("a/b/link");`,
  },
  {
    name: "a link to a file outside, by import",
    target: (f) => `${f}/secret.ts`,
    program: `return (await import("file://" + Deno.cwd() + "/a/b/link")).secret;`,
  },
  {
    name: "a link to a file outside, by node:fs",
    target: (f) => `${f}/secret.txt`,
    program: `return process.getBuiltinModule("node:fs").readFileSync("a/b/link", "utf8");`,
  },
  {
    name: "a link to a file outside, by writing",
    target: (f) => `${f}/secret.txt`,
    program: `Deno.writeTextFileSync("a/b/link", "x");`,
  },
  {
    name: "a link to what is not there yet",
    target: (f) => `${f}/new.txt`,
    program: `Deno.writeTextFileSync("a/b/link", "x");`,
  },
  { name: "a link to /proc", target: () => "/proc/self", program: `return Deno.readTextFileSync("a/b/link/environ");` },
  {
    name: "a link that is renamed",
    target: movable,
    program: `Deno.renameSync("a/b/link", "link");\nreturn Deno.readTextFileSync("link/secret.txt");`,
  },
  {
    name: "a link that is renamed by node:fs",
    target: movable,
    program: `process.getBuiltinModule("node:fs").renameSync("a/b/link", "link");\nreturn Deno.readTextFileSync("link/secret.txt");`,
  },
  {
    name: "a link with a second name",
    target: movable,
    program: `Deno.linkSync("a/b/link", "link");\nreturn Deno.readTextFileSync("link/secret.txt");`,
  },
  {
    name: "a link in a directory that is renamed",
    target: movable,
    program: `Deno.mkdirSync("c/d/e", { recursive: true });\nDeno.renameSync("a/b", "b");\nDeno.renameSync("b/link", "link");\nreturn Deno.readTextFileSync("link/secret.txt");`,
  },
  {
    name: "a link that is renamed, by writing",
    target: movable,
    program: `Deno.renameSync("a/b/link", "link");\nDeno.writeTextFileSync("link/new.txt", "x");`,
  },
];

/** Links that are in the directory before the program, which can make none itself but can move them. */
export const linkCases: readonly AttackCase[] = attacks.map(({ name, target, program }) =>
  attackCase("links", name, async (trial) => {
    mkdirSync(path.join(trial.cwd, "a", "b"), { recursive: true });
    plantShared(trial);
    symlinkSync(target(trial.secrets.directory), path.join(trial.cwd, "a", "b", "link"));
    await trial.attack(program);
    const changed = trial.sharedFiles();
    trial.expect(changed === "secret.txt", "the directory outside to hold what it held", changed);
  }),
);

/** The directory `shared` is in the program's directory, harmless, and two above it, with the secret. */
function plantShared(trial: AttackTrial): void {
  mkdirSync(path.join(trial.cwd, "shared"));
  mkdirSync(trial.shared);
  writeFileSync(path.join(trial.shared, "secret.txt"), trial.secrets.value);
}
