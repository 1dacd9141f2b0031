import type { ToolCall, ToolResult, AgentModel } from "@dispatch/tools-interface";

/** An answer of a scripted model: text, or calls to make. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly calls?: readonly ToolCall[];
  readonly tokens?: number;
}

/** What a scripted model sees when it is asked. */
export interface Seen {
  readonly task: string;
  /** How often it was asked before. */
  readonly turn: number;
  /** The results of its last calls. */
  readonly results: readonly ToolResult[];
  /** What the user said since. */
  readonly said: readonly string[];
  readonly signal: AbortSignal;
}

/** A model that answers by a function. `asked` counts how often it was really asked. */
export function scriptedAgent(
  answer: (seen: Seen) => ScriptedAnswer | Promise<ScriptedAnswer>,
): AgentModel<ScriptedAnswer> & { asked: number } {
  const model = {
    asked: 0,
    begin({ task }: { readonly task: string }) {
      let results: readonly ToolResult[] = [];
      let turn = 0;
      const said: string[] = [];
      return {
        ask: async (signal: AbortSignal): Promise<ScriptedAnswer> => {
          model.asked += 1;
          return answer({ task, turn, results, said, signal });
        },
        read: ({ calls = [], tokens = 10 }: ScriptedAnswer) => ({ calls, tokens: tokens ?? undefined }),
        add: (_: ScriptedAnswer, __: readonly ToolCall[], given: readonly ToolResult[]) => {
          results = given;
          turn += 1;
        },
        text: ({ text = "" }: ScriptedAnswer) => text,
        say: (text: string) => void said.push(text),
      };
    },
  };
  return model;
}
