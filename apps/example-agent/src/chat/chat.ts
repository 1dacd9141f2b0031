import { isUnfinished } from "../agent/session.ts";
import { totalUsage } from "../agent/usage.ts";
import type { Agent } from "../supervision/supervised-agent.ts";
import type { Interrupts } from "../terminal/interrupts.ts";
import type { Keyboard } from "../terminal/keyboard.ts";
import type { Screen } from "../terminal/screen.ts";
import { describeUsage } from "../text/describe-usage.ts";
import { COMMANDS } from "./commands.ts";

/** What a conversation needs. */
export interface ChatOptions {
  readonly agent: Agent;
  readonly keyboard: Keyboard;
  readonly screen: Screen;
  readonly interrupts: Interrupts;
  /** What is said first, before the person types anything. */
  readonly task: string | undefined;
}

/** One thing the person asked for. */
interface Doing extends Pick<ChatOptions, "agent" | "screen"> {
  readonly signal: AbortSignal;
}

/** Talks with a person until they leave: by `/exit`, Ctrl-D, or Ctrl-C twice. */
export async function chat({ agent, keyboard, screen, interrupts, task }: ChatOptions): Promise<void> {
  const prompt = screen.paint("cyan", "› ");
  let warned = false;
  if (task !== undefined || isUnfinished(agent.session)) {
    await interrupts.during((signal) => runTask(task, { agent, screen, signal }));
  }
  for (;;) {
    screen.line();
    const typed = await interrupts.during((signal) => keyboard.ask(prompt, { signal, remember: true }));
    if (typed === undefined) {
      if (keyboard.ended || warned) return;
      screen.line(screen.paint("dim", "Ctrl-C once more to leave"));
      warned = true;
      continue;
    }
    warned = false;
    const text = typed.trim();
    if (text === "") continue;
    const left = await interrupts.during((signal) =>
      text.startsWith("/") ? runCommand(text, { agent, screen, signal }) : runTask(text, { agent, screen, signal }),
    );
    if (left === "leave") return;
  }
}

async function runTask(task: string | undefined, { agent, screen, signal }: Doing): Promise<void> {
  const { session, view } = agent;
  const { outcome, reason = "" } = await agent.run(task, signal);
  if (outcome !== "done") view.notice(`${outcome}: ${reason}`);
  const usage = describeUsage(totalUsage(session.messages));
  if (usage !== "") screen.line(screen.paint("dim", usage));
}

async function runCommand(text: string, { agent, screen, signal }: Doing): Promise<"leave" | void> {
  const [name = "", ...rest] = text.slice(1).split(" ");
  const command = COMMANDS.get(name);
  if (command !== undefined) return command.run({ agent, screen, signal, rest: rest.join(" ").trim() });
  screen.line(`There is no /${name}; /help lists what there is`);
}
