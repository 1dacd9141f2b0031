import { parseArgs } from "node:util";
import { oneLine } from "@dispatch/tools-interface/display";
import { listSessions } from "../session/list-sessions.ts";
import { defaultSessionDirectory } from "../session/session-directory.ts";
import type { Host } from "../setup/host.ts";
import { cutEnd, cutPath } from "../terminal/columns.ts";
import { createScreen } from "../terminal/screen.ts";

/** Sessions that are shown. */
const MAX_SHOWN = 30;

/** Lists the saved sessions: `start sessions [--sessions DIR]`. Returns the exit code. */
export function showSessions(args: readonly string[], { env, stdout }: Host): number {
  const { values } = parseArgs({ args: [...args], strict: true, options: { sessions: { type: "string" } } });
  const directory = values.sessions ?? defaultSessionDirectory(env);
  const { line, paint, width } = createScreen(stdout);
  const sessions = listSessions(directory);
  for (const { id, model, workspace, task, changedAt } of sessions.slice(0, MAX_SHOWN)) {
    const when = changedAt.toLocaleString("sv-SE").slice(0, 16);
    const room = Math.max(10, width - id.length - model.length - when.length - 6);
    line(`${paint("bold", id)}  ${paint("dim", `${when}  ${oneLine(model)}  ${cutPath(oneLine(workspace), room)}`)}`);
    if (task !== "") line(`  ${cutEnd(oneLine(task), width - 3)}`);
  }
  if (sessions.length > MAX_SHOWN) line(paint("dim", `and ${sessions.length - MAX_SHOWN} older ones`));
  if (sessions.length === 0) line(`No sessions in ${oneLine(directory)}`);
  else line(paint("dim", "go on with --resume ID, or --resume latest"));
  return 0;
}
