import type { AgentRun } from "../agent/agent-loop.ts";
import type { Session } from "../agent/session.ts";
import { openToolbox } from "../agent/toolbox.ts";
import { chat, CHAT_PROMPT } from "../chat/chat.ts";
import { hostTools } from "../host-tools/host-tools.ts";
import { createInspection } from "../inspect/inspection.ts";
import { sessionRecord } from "../session/session-record.ts";
import { readConfiguration } from "../setup/configuration.ts";
import type { Options } from "../setup/options.ts";
import type { RunEnvironment } from "../setup/run-environment.ts";
import { taskFor } from "../setup/task.ts";
import { openDurableCalls, type DurableCalls } from "../supervision/durable-calls.ts";
import { createAgent } from "../supervision/supervised-agent.ts";
import { showHistory } from "../terminal/history.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import { openKeyboard } from "../terminal/open-keyboard.ts";
import { createScreen } from "../terminal/screen.ts";
import { createView, type View } from "../terminal/view.ts";
import { describeRun } from "../text/describe-run.ts";
import { chooseApprover } from "./choose-approver.ts";

const EXIT = { done: 0, failed: 1, "gave up": 1, stopped: 130 } as const;

/** Runs the agent as the command line says, at a terminal or through pipes. Returns the exit code. */
export async function runAgentCommand(
  environment: RunEnvironment,
  options: Options,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { workspace } = environment;
  const inspection = options.inspect ? createInspection() : undefined;
  const model = inspection?.recordModel(environment.model) ?? environment.model;
  const session = inspection?.recordSession(environment.session) ?? environment.session;
  const configuration = await readConfiguration(options, env, workspace.path);
  const output = options.json ? process.stderr : process.stdout;
  const atTerminal = process.stdin.isTTY && output.isTTY;
  const talks = options.chat || (model.real && atTerminal && options.task === undefined);
  const task = talks ? options.task : taskFor(session, options.task);

  const interrupts = listenForInterrupts();
  // The reader of the output may stop reading, as `head` does; a terminal may go away.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", () => interrupts.end("nobody reads the output", EXIT.stopped));
  }
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
  const keyboard = asks ? openKeyboard(process.stdin, output, screen, prompt) : undefined;
  const approver = chooseApprover(model.real, screen, keyboard, inspection?.approver);
  const addTools = hostTools({ ...configuration, canAsk: approver.answer !== undefined });
  const durable = options.durable === undefined ? undefined : await openDurableCalls(options.durable, session.id);
  const opening = openToolbox({ memory: environment.memory, undo: environment.undo, addTools, onWarning: view.notice });
  const toolbox = await view.wait("memory opened", opening).catch((error: unknown) => {
    keyboard?.close();
    throw error;
  });
  const agent = createAgent({
    ...options,
    model,
    toolbox,
    workspace: workspace.path,
    session,
    approver,
    durable,
    view,
  });
  const about = { model: model.name, workspace: workspace.label };
  let run: AgentRun = { outcome: "done" };
  try {
    await tellWaiting(durable, view);
    const url = await inspection?.serve(agent, session.id === undefined ? about : { ...about, session: session.id });
    if (url !== undefined) terminal.notice(`look inside: ${url}`);
    if (talks && keyboard !== undefined) {
      await chat({ agent, keyboard, screen, interrupts, task });
      if (session.id !== undefined) view.notice(`go on with --resume ${session.id}`);
    } else {
      run = await interrupts.during((signal) => agent.run(task, signal));
      view.summary(describeRun(run, session));
      if (url !== undefined && run.outcome !== "stopped" && interrupts.exitCode === undefined) {
        terminal.notice("the page stays until Ctrl-C");
        await interrupts.during(untilAborted);
      }
    }
  } finally {
    await inspection?.close();
    keyboard?.close();
    await toolbox.close();
    await durable?.close();
  }
  if (options.json) printRecord(model.name, run, session);
  return interrupts.exitCode ?? EXIT[run.outcome];
}

/** Lists the open calls of earlier processes. */
async function tellWaiting(durable: DurableCalls | undefined, view: View): Promise<void> {
  const { approvals = [], unknown = [] } = (await durable?.waiting()) ?? {};
  for (const { tool } of approvals) view.notice(`${tool} waits for an approval; going on with its session asks again`);
  if (unknown.length > 0) view.notice(`of ${unknown.length} calls it is not known what they did; --inspect shows them`);
}

function printRecord(model: string, run: AgentRun, session: Session): void {
  process.stdout.write(`${JSON.stringify(sessionRecord(model, session, run), null, 2)}\n`);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
