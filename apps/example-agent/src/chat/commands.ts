import { oneLine } from "@dispatch/tools-interface/display";
import { totalUsage } from "../agent/usage.ts";
import type { Agent } from "../supervision/supervised-agent.ts";
import { cutEnd } from "../terminal/columns.ts";
import type { Screen } from "../terminal/screen.ts";
import { describeContext, describeUsage } from "../text/describe-usage.ts";

/** The parts that a command works with. */
interface CommandContext {
  readonly agent: Agent;
  readonly screen: Screen;
  readonly signal: AbortSignal;
  /** The text after the command's name. */
  readonly rest: string;
}

/** Something a person can ask of the program rather than of the model. */
export interface Command {
  readonly about: string;
  /** `leave` ends the conversation. */
  run(context: CommandContext): Promise<"leave" | void> | "leave" | void;
}

/** The commands, by name. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["tools", { about: "what the agent can do", run: showTools }],
  ["memory", { about: "what it remembers, or: /memory LABEL", run: showMemory }],
  ["approve", { about: "decide what waits for core memory", run: approve }],
  ["rules", { about: "your answers that stand; /rules NUMBER takes one back", run: showRules }],
  ["undo", { about: "take back the last change of a file, or: /undo PATH", run: undo }],
  ["compact", { about: "sum up what was said, to make room, or: /compact WHAT TO KEEP", run: makeRoom }],
  ["clear", { about: "begin anew; the session keeps what was said", run: clear }],
  ["usage", { about: "tokens so far", run: showUsage }],
  ["help", { about: "this list", run: showHelp }],
  ["exit", { about: "leave; so does Ctrl-D", run: () => "leave" }],
]);

function showTools({ agent: { toolbox }, screen }: CommandContext): void {
  const { registry } = toolbox;
  const advertised = registry.toArray();
  for (const { name, description } of advertised) {
    const { annotations } = registry.get(name);
    const effect = annotations.readOnly === true ? "reads" : annotations.destructive === true ? "changes" : "adds";
    const about = oneLine(description).split(/(?<=\.)\s/, 1)[0] ?? "";
    const head = `${name.padEnd(18)} ${screen.paint("dim", effect.padEnd(8))}`;
    screen.line(head + cutEnd(about, screen.width - 27));
  }
  const others = registry.toolNames.filter((name) => !advertised.some((tool) => tool.name === name));
  if (others.length > 0) screen.line(screen.paint("dim", `not offered here: ${others.join(", ")}`));
}

async function showMemory({ agent: { toolbox }, screen, rest }: CommandContext): Promise<void> {
  if (rest !== "") {
    const block = await toolbox.admin.get(rest);
    for (const row of (block?.content ?? `There is no ${rest}`).split("\n")) screen.line(oneLine(row));
    return;
  }
  const blocks = await toolbox.memory.list();
  for (const { label, tier, preview } of blocks) {
    screen.line(`${screen.paint("dim", tier.padEnd(9))}${oneLine(label)}  ${screen.paint("dim", oneLine(preview))}`);
  }
  if (blocks.length === 0) screen.line("Nothing yet");
  const waiting = (await toolbox.admin.pending()).length;
  if (waiting > 0) screen.line(`${waiting} for core memory: /approve`);
}

async function approve({ agent, screen, signal }: CommandContext): Promise<void> {
  if ((await agent.toolbox.admin.pending()).length === 0) screen.line("Nothing waits");
  for (const text of await agent.review(signal)) agent.session.add({ role: "user", text });
}

function undo({ agent: { toolbox, workspace, session }, screen, rest }: CommandContext): void {
  try {
    const { path, created } = toolbox.history.undo(workspace, rest === "" ? {} : { path: rest });
    const done = `${created ? "Removed" : "Restored"} ${path}`;
    screen.line(oneLine(done));
    session.add({ role: "user", text: `${done}: I took your last change of it back.` });
  } catch (error) {
    screen.line(oneLine(error instanceof Error ? error.message : String(error)));
  }
}

function showRules({ agent: { standing }, screen, rest }: CommandContext): void {
  const rules = standing.list();
  if (rest !== "") {
    const rule = rules[Number(rest) - 1];
    const isGone = rule !== undefined && standing.revoke(rule.id);
    screen.line(isGone ? `${oneLine(rule.tool)} is asked about again` : `There is no rule ${oneLine(rest)}`);
    return;
  }
  for (const [index, { tool, when }] of rules.entries()) {
    const calls = when === undefined ? "" : ` where ${oneLine(when).replace(/^args\./, "")}`;
    screen.line(`${String(index + 1).padStart(2)}  always ${oneLine(tool)}${calls}`);
  }
  if (rules.length === 0) screen.line("None. Where a call is asked about you can answer for later calls, too");
  else screen.line(screen.paint("dim", "until the program ends; /rules NUMBER takes one back"));
}

async function makeRoom({ agent, screen, signal, rest }: CommandContext): Promise<void> {
  await agent.compact(signal, rest === "" ? undefined : rest);
  screen.line(describeContext(agent.context()));
}

function clear({ agent, screen }: CommandContext): void {
  agent.clear();
  screen.line("The model begins anew. Memory, rules and files stay as they are");
}

function showUsage({ agent, screen }: CommandContext): void {
  screen.line(describeUsage(totalUsage(agent.session)) || "Nothing was counted");
  screen.line(describeContext(agent.context()));
}

function showHelp({ screen }: CommandContext): void {
  for (const [name, { about }] of COMMANDS) screen.line(`${`/${name}`.padEnd(10)} ${screen.paint("dim", about)}`);
}
