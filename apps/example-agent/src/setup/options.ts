import { parseArgs } from "node:util";
import { DEFAULT_SILENCE_SECONDS } from "../models/silence.ts";

/** The command line's options. */
export interface Options {
  /** `undefined`: none was given. */
  readonly task: string | undefined;
  /** As `chooseModel` takes it. `undefined`: by the environment. */
  readonly model: string | undefined;
  /** Directory to work in, in place. `undefined`: a scratch copy of real code. */
  readonly workspace: string | undefined;
  /** Directory that keeps the memory; `none`: it is thrown away at the end. `undefined`: beside the sessions, where they are saved. */
  readonly memory: string | undefined;
  /** Directory of calls that outlive the process, and of their questions. `undefined`: calls end with the process. */
  readonly durable: string | undefined;
  /** Directory that keeps sessions. `undefined`: the user's own, for real models. */
  readonly sessions: string | undefined;
  /** A session to go on with. */
  readonly resume: string | undefined;
  /** Directories of skills. */
  readonly skills: readonly string[];
  /** Address of a SearXNG instance. `undefined`: by the environment. */
  readonly webSearch: string | undefined;
  /** Tokens of the whole session. */
  readonly maxTokens: number;
  /** Tokens that the model can read. `undefined`: as the model says. */
  readonly contextTokens: number | undefined;
  /** Minutes of one task. */
  readonly maxMinutes: number;
  /** Seconds without a byte after which an answer counts as broken off. `undefined`: the default. */
  readonly maxSilence: number | undefined;
  readonly chat: boolean;
  readonly json: boolean;
  readonly ask: boolean;
  readonly keep: boolean;
  /** Whether to start the inspector page. */
  readonly inspect: boolean;
  readonly help: boolean;
}

export const HELP = `An agent with files, memory and a code sandbox, all from @dispatch packages.

Usage
  npx pnpm start [options]
  npx pnpm start sessions [--sessions <dir>]  list the saved sessions
  npx pnpm --silent start mcp [options]      serve the tools to MCP clients; mcp --help says how

Without options it works on a scratch copy of real code. No key and no network are needed: the model is
scripted, and labelled so, but the tools, their results and what it does about them are real. With a key in
the environment a real model is asked; at a terminal you then talk with it.

Options
  --model <name>      scripted, anthropic:NAME or openai:NAME  (default: by ANTHROPIC_API_KEY, OPENAI_API_KEY or
                      OPENAI_BASE_URL, which is for Ollama, vLLM and llama.cpp; else scripted)
  --task <text>       What to do. The scripted model can do one kind of task:
                      Rename "old" to "new"    (default: with a scratch copy, one that fits its code)
  --chat              Talk, a line at a time             (default with a real model at a terminal)
  --workspace <dir>   Work in this directory, in place      (default: a scratch copy, removed at the end)
  --memory <dir>      Keep the memory in this directory, or "none"
                      (default: beside the sessions; without saved sessions it is thrown away at the end)
  --durable <dir>     Keep calls, and questions that wait, in this directory: after a crash --resume goes on with them,
                      and nothing runs twice
  --sessions <dir>    Save sessions in this directory       (default with a real model: your state directory)
  --resume <id>       Go on with a session; "latest" is the last one
  --skills <dir>      Directory of skills, each a directory with a SKILL.md; may be given several times
                      (besides: dispatch-agent/skills in your configuration directory)
  --web-search <url>  Search the web with this SearXNG  (default: DISPATCH_WEB_SEARCH_URL, or Brave with
                      BRAVE_SEARCH_API_KEY; else the web is not searched)
  --max-tokens <n>    Stop when the session has used so many, in and out
  --max-minutes <n>   Stop a task after so many
  --max-silence <n>   Seconds without a byte after which an answer counts as broken off (default: ${DEFAULT_SILENCE_SECONDS})
  --context-tokens <n>  What the model can read; older parts are left out or summarised in time
                      (default: as the model or its provider says)
  --ask               Ask you, not a scripted person, what needs approval; real models always ask you
  --inspect           Serve a page, to this machine alone, that shows all of it as it happens, asks you what needs
                      approval, and stays until Ctrl-C
  --keep              Keep the scratch copy and say where it is
  --json              Print the conversation and the transcript as JSON; what happens goes to stderr
  --help              This text

Colours are off when the output is no terminal or NO_COLOR is set. Ctrl-C stops cleanly: running calls are
cancelled and recorded, and the exit code is 130. In a chat it stops the answer; twice, it leaves.

Examples
  npx pnpm start
  npx pnpm start --inspect
  npx pnpm start --json > run.json
  npx pnpm start --workspace ./my-project --task 'Rename "fetchUser" to "loadUser"' --ask
  ANTHROPIC_API_KEY=… npx pnpm start --workspace ./my-project
  OPENAI_BASE_URL=http://localhost:11434/v1 npx pnpm start --model openai:qwen3 --workspace ./my-project
`;

/** Reads the command line. Throws an error fit to be shown as it is. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: args.filter((arg, index) => !(arg === "--" && index === 0)),
    strict: true,
    options: {
      task: { type: "string" },
      model: { type: "string" },
      workspace: { type: "string" },
      memory: { type: "string" },
      durable: { type: "string" },
      sessions: { type: "string" },
      resume: { type: "string" },
      skills: { type: "string", multiple: true, default: [] },
      "web-search": { type: "string" },
      "max-tokens": { type: "string" },
      "max-minutes": { type: "string" },
      "max-silence": { type: "string" },
      "context-tokens": { type: "string" },
      chat: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      ask: { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
      inspect: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const { task, model, workspace, memory, durable, sessions, resume, skills, chat, json, ask, keep, inspect, help } =
    values;
  const maxTokens = readLimit("max-tokens", values["max-tokens"]);
  const maxMinutes = readLimit("max-minutes", values["max-minutes"]);
  const webSearch = values["web-search"];
  const contextTokens = readSetting("context-tokens", values["context-tokens"]);
  const maxSilence = readSetting("max-silence", values["max-silence"]);
  const limits = { maxTokens, maxMinutes, maxSilence, contextTokens };
  return {
    task,
    model,
    workspace,
    memory,
    durable,
    sessions,
    resume,
    skills,
    webSearch,
    ...limits,
    chat,
    json,
    ask,
    keep,
    inspect,
    help,
  };
}

function readSetting(name: string, text: string | undefined): number | undefined {
  const setting = readLimit(name, text);
  return Number.isFinite(setting) ? setting : undefined;
}

function readLimit(name: string, text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const limit = Number(text);
  if (limit > 0) return limit;
  throw new Error(`Cannot read --${name}: found "${text}", allowed are numbers above 0`);
}
