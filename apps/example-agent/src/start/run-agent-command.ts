import { oneLine } from "@dispatch/tools-interface/display";
import type { AgentRun } from "../agent/agent-loop.ts";
import { isUnfinished, type Session } from "../agent/session.ts";
import { totalUsage } from "../agent/usage.ts";
import { chat, CHAT_PROMPT } from "../chat/chat.ts";
import { hostTools } from "../host-tools/host-tools.ts";
import { createInspection } from "../inspect/inspection.ts";
import { sessionRecord } from "../session/session-record.ts";
import { readConfiguration } from "../setup/configuration.ts";
import type { Host } from "../setup/host.ts";
import type { Options } from "../setup/options.ts";
import { openRunEnvironment } from "../setup/run-environment.ts";
import type { Workspace } from "../setup/workspace.ts";
import { absentApprover, scriptedApprover, type Approver } from "../supervision/approver.ts";
import type { DurableCalls } from "../supervision/durable-calls.ts";
import { raceApprovers } from "../supervision/race-approvers.ts";
import { OUTSIDE } from "../terminal/call-line.ts";
import { showHistory } from "../terminal/history.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import type { Keyboard } from "../terminal/keyboard.ts";
import { openKeyboard } from "../terminal/open-keyboard.ts";
import { createScreen, type Screen } from "../terminal/screen.ts";
import { createTerminalApprover, showApprovalPrompt } from "../terminal/terminal-approver.ts";
import { createView, type View } from "../terminal/view.ts";
import { describeUsage } from "../text/describe-usage.ts";
import { openAgent } from "./open-agent.ts";

/**
 * A run that has ended, for a person: the outcome, its cost, and how to go on.
 *
 * @param resume - How to go on with one that is not done. `undefined`: it cannot be.
 * @param changed - Files of a workspace that stays, which the run changed.
 */
function describeRun(
  { outcome, reason }: AgentRun,
  session: Session,
  resume: string | undefined,
  changed: readonly string[],
): string {
  const { transcript } = session;
  const failed = transcript.entries.flatMap(({ result }) => (result.success ? [] : [result.code === OUTSIDE]));
  const escapes = failed.filter(Boolean).length;
  const { length } = transcript.entries;
  const calls = [
    `${length} ${length === 1 ? "call" : "calls"}, all recorded`,
    ...(escapes > 0 ? [`${escapes} kept inside the worktree`] : []),
    ...(failed.length > escapes ? [`${failed.length - escapes} refused or failed`] : []),
  ].join(", ");
  const lines = [`${outcome}: ${reason === undefined ? calls : reason}`];
  if (reason !== undefined) lines.push(calls);
  const usage = describeUsage(totalUsage(session));
  if (usage !== "") lines.push(usage);
  if (outcome !== "done" && resume !== undefined) lines.push(resume);
  if (outcome !== "done" && changed.length > 0) {
    const named = changed.slice(0, CHANGED_SHOWN).join(", ");
    const more = changed.length > CHANGED_SHOWN ? ` and ${changed.length - CHANGED_SHOWN} more` : "";
    const undo = resume === undefined ? "git can, or next time --sessions <dir>" : "add --chat to that and type /undo";
    lines.push(`${named}${more} stay changed; to take that back: ${undo}`);
  }
  return lines.join("\n");
}

/** Changed files that are named at the end of a run that is not done. */
const CHANGED_SHOWN = 5;
const EXIT = { done: 0, failed: 1, "gave up": 1, stopped: 130 } as const;

/**
 * Runs the agent as the command line says, at a terminal or through pipes. However it ends, everything is closed in the
 * reverse order of its opening. Returns the exit code.
 */
export async function runAgentCommand(options: Options, host: Host): Promise<number> {
  const { env, stdin, stdout, stderr } = host;
  const startedAt = Date.now();
  // First, so that no end of the process leaves something behind.
  const interrupts = listenForInterrupts(host);
  await using opened = new AsyncDisposableStack();
  const environment = opened.adopt(await openRunEnvironment(options, env), (all) => all.close());
  const { workspace, memory, undo } = environment;
  const inspection = options.inspect ? createInspection() : undefined;
  const model = inspection?.recordModel(environment.model) ?? environment.model;
  const session = inspection?.recordSession(environment.session) ?? environment.session;
  const configuration = await readConfiguration(options, env, workspace.path);
  const output = options.json ? stderr : stdout;
  const atTerminal = stdin.isTTY && output.isTTY;
  const talks = options.chat || (model.real && atTerminal && options.task === undefined);
  const task = talks ? options.task : taskFor(session, options.task, workspace.task);

  const screen = createScreen(output);
  const terminal = createView(screen, { diffs: talks });
  const view = inspection?.recordView(terminal) ?? terminal;
  view.title(
    "Dispatch example agent",
    `model      ${model.name}${model.real ? "" : " (no real model is asked)"}`,
    `workspace  ${workspace.label}`,
    ...(session.id === undefined ? [] : [`session    ${session.id}`]),
    talks ? "help       /help" : `task       ${task ?? "as before"}`,
  );
  if (session.messages.length > 0) showHistory(screen, session);
  for (const note of configuration.notes) view.notice(note);

  const asks = talks || options.ask || ((model.real || options.inspect) && atTerminal);
  const prompt = talks ? screen.paint("cyan", CHAT_PROMPT) : undefined;
  const keyboard = asks ? opened.adopt(openKeyboard(host, output, screen, prompt), (keys) => keys.close()) : undefined;
  const approver = chooseApprover(model.real, screen, keyboard, inspection?.approver, stdin.isTTY);
  const addTools = hostTools({ ...configuration, canAsk: approver.answer !== undefined });
  const about = { model: model.name, workspace: workspace.label };
  const opening = openAgent({
    ...options,
    model,
    session,
    approver,
    view,
    memory,
    undo,
    addTools,
    inspection,
    workspace: workspace.path,
    about: session.id === undefined ? about : { ...about, session: session.id },
  });
  const { agent, url } = opened.adopt(await view.wait("memory opened", opening), (all) => all.close());
  opened.defer(() => interrupts.end("the program ends", EXIT.failed));

  await tellWaiting(agent.durable, view);
  if (url !== undefined) terminal.notice(`look inside: ${url}`);
  const resume = resumption(session, workspace, options);
  let run: AgentRun = { outcome: "done" };
  if (talks && keyboard !== undefined) {
    await chat({ agent, keyboard, screen, interrupts, task });
    if (resume !== undefined) view.notice(resume);
  } else {
    run = await interrupts.during((signal) => agent.run(task, signal));
    const changes = workspace.stays ? agent.toolbox.history.changes(workspace.path) : [];
    const changed = new Set(changes.filter(({ at }) => at >= startedAt).map(({ path }) => oneLine(path)));
    view.summary(describeRun(run, session, resume, [...changed]));
    if (url !== undefined && run.outcome !== "stopped" && interrupts.exitCode === undefined) {
      terminal.notice("the page stays until Ctrl-C");
      await interrupts.during(untilAborted);
    }
  }
  if (options.json) stdout.write(`${JSON.stringify(sessionRecord(model.name, session, run), null, 2)}\n`);
  return interrupts.exitCode ?? EXIT[run.outcome];
}

/**
 * The first message to the model; `undefined` to let it go on with its work.
 *
 * @throws {Error} When there is no request, and nothing to go on with.
 */
function taskFor(session: Session, asked: string | undefined, usual: string | undefined): string | undefined {
  if (asked !== undefined || isUnfinished(session)) return asked;
  if (session.messages.length > 0)
    throw new Error(`Cannot go on with ${session.id ?? "the session"}: it is done; say what to do next with --task`);
  if (usual === undefined) throw new Error("Cannot begin: say what to do with --task, or talk with --chat");
  return usual;
}

/** How to go on with a saved session whose workspace stays; `undefined` where that cannot be. */
function resumption(session: Session, workspace: Workspace, options: Options): string | undefined {
  if (session.id === undefined || !workspace.stays) return undefined;
  const { sessions, memory, durable, chat: talks } = options;
  const given = Object.entries({ sessions, memory, durable }).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`--${name} ${/^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`}`],
  );
  return ["go on with", `--resume ${session.id}`, ...given, ...(talks ? ["--chat"] : [])].join(" ");
}

/**
 * Chooses who approves. A scripted model's calls are approved by a script; a real model's by the person, or not at all.
 * With a page, the person decides there, and at the terminal too if there is one. Lines from a pipe decide nothing then.
 */
function chooseApprover(
  isReal: boolean,
  screen: Screen,
  keyboard: Keyboard | undefined,
  page: Approver | undefined,
  isTyped: boolean,
): Approver {
  if (page !== undefined)
    return keyboard !== undefined && isTyped ? raceApprovers(createTerminalApprover(keyboard, screen), page) : page;
  if (keyboard !== undefined) return createTerminalApprover(keyboard, screen);
  return isReal ? absentApprover : scriptedApprover((prompt) => showApprovalPrompt(screen, prompt));
}

/** Lists the open calls of earlier processes. */
async function tellWaiting(durable: DurableCalls | undefined, view: View): Promise<void> {
  const { approvals = [], unknown = [] } = (await durable?.waiting()) ?? {};
  for (const { tool } of approvals) view.notice(`${tool} waits for an approval; going on with its session asks again`);
  if (unknown.length > 0) view.notice(`of ${unknown.length} calls it is not known what they did; --inspect shows them`);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
