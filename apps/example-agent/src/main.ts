import { createTranscript } from "@dispatch/tools-interface";
import { runAgent } from "./agent-loop.ts";
import { HELP, readOptions } from "./options.ts";
import { reviewMemory, scriptedPerson, terminalPerson } from "./person.ts";
import { renameScript } from "./rename-script.ts";
import { createScriptedModel } from "./scripted-model.ts";
import { openToolbox } from "./tools.ts";
import { createView } from "./view.ts";
import { makeScratch, useFolder } from "./workspace.ts";

const MAX_TURNS = 30;
const EXIT = { done: 0, "gave up": 1, stopped: 130 } as const;

/** One run from the command line to the exit code. */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const output = options.json ? process.stderr : process.stdout;
  const view = createView(output);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("Stopped by Ctrl-C")));

  const workspace =
    options.workspace === undefined ? await makeScratch(options.keep) : await useFolder(options.workspace);
  const model = createScriptedModel(renameScript);
  const person = options.ask ? terminalPerson(output) : scriptedPerson;
  view.title(
    "Dispatch example agent",
    `model      ${model.name}`,
    `workspace  ${workspace.label}`,
    `task       ${options.task}`,
  );
  const toolbox = await view.wait("memory opened", openToolbox(options.memory));
  const transcript = createTranscript();
  try {
    const run = await runAgent({
      model,
      registry: toolbox.registry,
      context: { worktreePath: workspace.path },
      task: options.task,
      transcript,
      signal: stop.signal,
      approve: ({ name, params, signal }) =>
        person.decide(`Let the agent call ${name}?`, JSON.stringify(params, null, 2), signal),
      onEvent: view.event,
      onText: view.say,
      maxTurns: MAX_TURNS,
      async afterTools() {
        const reviews = await reviewMemory(toolbox.steward, person, stop.signal);
        for (const review of reviews) view.review(person.name, review);
        return reviews.map(({ label, approved }) => `${approved ? "Approved" : "Rejected"}: core memory ${label}`);
      },
    });
    const failures = transcript.entries.filter(({ result }) => !result.success).length;
    view.summary(
      `${run.outcome}: ${transcript.entries.length} calls, ${failures} of them refused or failed, all recorded`,
    );
    if (options.json) {
      const record = { model: model.name, task: options.task, ...run, transcript };
      process.stdout.write(`${JSON.stringify(record, null, 2)}\n`);
    }
    return EXIT[run.outcome];
  } finally {
    await toolbox.close();
    await workspace.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
