import { isUnfinished } from "../agent/session.ts";
import { totalUsage } from "../agent/usage.ts";
import type { Agent } from "../supervision/supervised-agent.ts";
import type { Interrupts } from "../terminal/interrupts.ts";
import type { Keyboard } from "../terminal/keyboard.ts";
import type { Screen } from "../terminal/screen.ts";
import { describeContext, describeUsage } from "../text/describe-usage.ts";
import { COMMANDS } from "./commands.ts";

/** Prefix of a person's messages. */
export const CHAT_PROMPT = "› ";

/** The parts of a conversation. */
export interface ChatOptions {
  readonly agent: Agent;
  readonly keyboard: Keyboard;
  readonly screen: Screen;
  readonly interrupts: Interrupts;
  /** The first message, before the person types anything. */
  readonly task: string | undefined;
}

/** One thing the person asked for. */
interface Doing extends Pick<ChatOptions, "agent" | "screen"> {
  readonly signal: AbortSignal;
}

/** Talks with a person until they leave: by `/exit`, Ctrl-D, or Ctrl-C twice. Text typed meanwhile is taken next. */
export async function chat({ agent, keyboard, screen, interrupts, task }: ChatOptions): Promise<void> {
  let warned = false;
  const during = <T>(work: (doing: Doing) => Promise<T>): Promise<T> =>
    interrupts.during((signal) => work({ agent, screen, signal }));
  if (task !== undefined || isUnfinished(agent.session)) await during((doing) => runTask(task, doing));
  while (interrupts.exitCode === undefined) {
    screen.line();
    const typed = await interrupts.during((signal) => keyboard.ask(CHAT_PROMPT, { signal, conversation: true }));
    if (typed === undefined) {
      if (keyboard.ended || warned || interrupts.exitCode !== undefined) return;
      screen.line(screen.paint("dim", "Ctrl-C once more to leave"));
      warned = true;
      continue;
    }
    warned = false;
    const text = typed.trim();
    if (text === "") continue;
    const left = await during((doing) => (text.startsWith("/") ? runCommand(text, doing) : runTask(text, doing)));
    if (left === "leave") return;
  }
}

async function runTask(task: string | undefined, { agent, screen, signal }: Doing): Promise<void> {
  const { session, view } = agent;
  const { outcome, reason = "" } = await agent.run(task, signal);
  if (outcome !== "done") view.notice(`${outcome}: ${reason}`);
  const usage = describeUsage(totalUsage(session));
  if (usage !== "") screen.line(screen.paint("dim", `${usage}; ${describeContext(agent.context())}`));
}

async function runCommand(text: string, { agent, screen, signal }: Doing): Promise<"leave" | void> {
  const [name = "", ...rest] = text.slice(1).split(" ");
  const command = COMMANDS.get(name);
  if (command !== undefined) return command.run({ agent, screen, signal, rest: rest.join(" ").trim() });
  screen.line(`There is no /${name}; /help lists what there is`);
}
