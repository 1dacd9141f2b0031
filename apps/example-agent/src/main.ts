import type { AgentRun } from "./agent/agent-loop.ts";
import { openToolbox } from "./agent/toolbox.ts";
import { totalUsage } from "./agent/usage.ts";
import { chat } from "./chat/chat.ts";
import { createInspection, type Inspection } from "./inspect/inspection.ts";
import { readConfiguration } from "./setup/configuration.ts";
import { HELP, readOptions, type Options } from "./setup/options.ts";
import { openSetting, type Setting } from "./setup/run-environment.ts";
import { taskFor } from "./setup/task.ts";
import { absentPerson, scriptedPerson, type Person } from "./supervision/approver.ts";
import { eitherPerson } from "./supervision/race-approvers.ts";
import { createAgent } from "./supervision/supervised-agent.ts";
import { listenForInterrupts } from "./terminal/interrupts.ts";
import { openKeyboard, type Keyboard } from "./terminal/keyboard.ts";
import { createScreen, type Screen } from "./terminal/screen.ts";
import { showQuestion, terminalPerson } from "./terminal/terminal-approver.ts";
import { createView } from "./terminal/view.ts";
import { describeRun } from "./text/describe-run.ts";

const EXIT = { done: 0, failed: 1, "gave up": 1, stopped: 130 } as const;

/** From the command line to the exit code. */
async function main(): Promise<number> {
  const [command, ...rest] = process.argv.slice(2);
  if (command === "mcp") return (await import("./mcp/run-mcp.ts")).runMcp(rest, process.env);
  // Whoever reads the output may stop reading, as `head` does.
  process.stdout.on("error", () => process.exit(EXIT.stopped));
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const setting = await openSetting(options, process.env);
  try {
    return await work(options, setting);
  } finally {
    await setting.close();
  }
}

/** Everything put together: once for a task, or for as long as a person talks. */
async function work(options: Options, setting: Setting): Promise<number> {
  const { model, workspace } = setting;
  const inspection = options.inspect ? createInspection() : undefined;
  const session = inspection?.watchSession(setting.session) ?? setting.session;
  const configuration = await readConfiguration(options, process.env, workspace.path);
  const output = options.json ? process.stderr : process.stdout;
  const atTerminal = process.stdin.isTTY && output.isTTY;
  const talks = options.chat || (model.real && atTerminal && options.task === undefined);
  const task = talks ? options.task : taskFor(session, options.task);

  const interrupts = listenForInterrupts();
  const screen = createScreen(output);
  const terminal = createView(screen, { diffs: talks });
  const view = inspection?.watchView(terminal) ?? terminal;
  view.title(
    "Dispatch example agent",
    `model      ${model.name}${model.real ? "" : " (no real model is asked)"}`,
    `workspace  ${workspace.label}`,
    ...(session.id === undefined ? [] : [`session    ${session.id}`]),
    talks ? "help       /help" : `task       ${task ?? "as before"}`,
  );
  for (const note of configuration.notes) view.notice(note);
  const asks = talks || options.ask || ((model.real || options.inspect) && atTerminal);
  const keyboard = asks ? openKeyboard(process.stdin, output) : undefined;
  const person = whoDecides(model.real, screen, keyboard, inspection);
  const folders = { memory: options.memory, undo: setting.undo, ...configuration };
  const host = { canAsk: person.answer !== undefined };
  const toolbox = await view.wait("memory opened", openToolbox(folders, host)).catch((error: unknown) => {
    keyboard?.close();
    throw error;
  });
  const agent = createAgent({ ...options, model, toolbox, workspace: workspace.path, session, person, view });
  const about = { model: model.name, workspace: workspace.label };
  let run: AgentRun = { outcome: "done" };
  try {
    const url = await inspection?.serve(agent, session.id === undefined ? about : { ...about, session: session.id });
    if (url !== undefined) terminal.notice(`look inside: ${url}`);
    if (talks && keyboard !== undefined) {
      await chat({ agent, keyboard, screen, interrupts, task });
      if (session.id !== undefined) view.notice(`go on with --resume ${session.id}`);
    } else {
      run = await interrupts.during((signal) => agent.run(task, signal));
      view.summary(describeRun(run, session));
      if (url !== undefined && run.outcome !== "stopped") {
        terminal.notice("the page stays until Ctrl-C");
        await interrupts.during(aborted);
      }
    }
  } finally {
    await inspection?.close();
    keyboard?.close();
    await toolbox.close();
  }
  if (options.json) {
    const { messages, transcript, id } = session;
    const record = { model: model.name, session: id, ...run, usage: totalUsage(messages), conversation: messages };
    process.stdout.write(`${JSON.stringify({ ...record, transcript }, null, 2)}\n`);
  }
  return EXIT[run.outcome];
}

/**
 * A demonstration approves by itself. What a real model wants is decided by you, or not at all. Where there is a page it
 * is decided there, and at the terminal too if there is one: a pipe's lines are what is said, not what is decided.
 */
function whoDecides(
  isReal: boolean,
  screen: Screen,
  keyboard: Keyboard | undefined,
  inspection: Inspection | undefined,
): Person {
  const atTerminal = keyboard !== undefined && process.stdin.isTTY;
  if (inspection !== undefined) {
    return atTerminal ? eitherPerson(terminalPerson(keyboard, screen), inspection.person) : inspection.person;
  }
  if (keyboard !== undefined) return terminalPerson(keyboard, screen);
  return isReal ? absentPerson : scriptedPerson((question) => showQuestion(screen, question));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
