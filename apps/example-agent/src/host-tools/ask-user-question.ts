import { defineTool, failure, success } from "@dispatch/tools-interface";
import { z } from "zod";
import type { AskUser } from "../supervision/approver.ts";

/** As long as a person may need; a task's own time counts besides. */
const TIMEOUT_MS = 3_600_000;
/** Limit of an answer for the model, in characters. */
const MAX_ANSWER = 20_000;

const parameters = z.object({
  question: z.string().min(1).max(2_000).describe("The question, with what the user must know to answer it"),
  options: z
    .array(
      z.object({
        label: z.string().min(1).max(200).describe("The answer, in a few words"),
        description: z.string().max(500).optional().describe("What choosing it means"),
      }),
    )
    .max(20)
    .optional()
    .describe("Answers to choose from, your recommendation first. The user may always answer something else"),
  multiple: z.boolean().default(false).describe("Whether several options may be chosen together"),
});

const output = z.object({
  answered: z.boolean().describe("Whether the user answered at all"),
  chosen: z.array(z.string()).describe("Labels of the options chosen"),
  words: z.string().describe("What the user answered in their own words; empty if nothing"),
});

const context = z.object({
  askUser: z.custom<AskUser>((value) => typeof value === "function").optional(),
});

/** `ask_user_question`: the model's own questions. An answer is a text for the model and approves nothing. */
export const askUserQuestionTool = defineTool({
  name: "ask_user_question",
  description:
    "Asks the user one question and waits for the answer. Use it when only the user can know and a wrong guess would cost work; ask before you begin rather than in the middle. The answer is no approval: calls that need one are asked about by themselves.",
  parameters,
  output,
  context,
  annotations: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
  timeoutMs: TIMEOUT_MS,
  async execute({ question, options = [], multiple }, run) {
    // A host may give no context at all where none of it is required.
    const askUser = (run.context as z.infer<typeof context> | undefined)?.askUser;
    if (askUser === undefined) {
      return failure(
        "Cannot ask the user: nobody can be asked here; decide by what you know and say what you assumed",
        {
          code: "nobody_to_ask",
        },
      );
    }
    const choices = options.map(({ label, description = "" }) => ({ label, description }));
    run.progress({ message: "waiting for an answer" });
    const answer = await askUser({ text: question, choices, several: multiple, signal: run.signal });
    const isLabel = (text: string): boolean => choices.some(({ label }) => label === text);
    const chosen = answer.filter(isLabel);
    const words = answer.filter((text) => !isLabel(text)).join("\n");
    const answered = chosen.length > 0 || words.trim() !== "";
    return success(describe(chosen, words.trim()), { data: { answered, chosen, words } });
  },
});

function describe(chosen: readonly string[], words: string): string {
  const said = [
    ...(chosen.length === 0 ? [] : [`The user chose: ${chosen.map((label) => JSON.stringify(label)).join(", ")}`]),
    ...(words === "" ? [] : [`The user answered: ${words.slice(0, MAX_ANSWER)}`]),
    ...(words.length > MAX_ANSWER ? [`[${words.length - MAX_ANSWER} more characters left out]`] : []),
  ];
  if (said.length > 0) return said.join("\n");
  return "The user did not answer. Do not ask the same again: go on by the safest assumption and say which it was, or stop and say what you need.";
}
