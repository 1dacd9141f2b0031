import type { OfferedCaller } from "@dispatch/tools-interface";
import type { AddTools } from "../agent/toolbox.ts";
import { askUserQuestionTool } from "./ask-user-question.ts";
import { codeSearchTool } from "./code-search.ts";
import { createLoadSkillTool } from "./load-skill.ts";
import type { SearchEngine } from "./search-engine.ts";
import type { Skill } from "./skills.ts";
import { createWebSearchTool } from "./web-search.ts";

/** The abilities that the host offers to its tools. */
export interface Host {
  /** Whether somebody can answer questions. */
  readonly canAsk: boolean;
  /** Skills that the user installed. Default: none. */
  readonly skills?: readonly Skill[];
  /** Default: the web is not searched. */
  readonly webSearch?: SearchEngine | undefined;
}

/**
 * Adds the tools that depend on the host to a toolbox. Every tool is registered; only those that work here are
 * advertised to models. A restored transcript may call another one: its failure says why it does not work.
 */
export function hostTools({ canAsk, skills = [], webSearch }: Host): AddTools {
  return (registry) => {
    registry.register(codeSearchTool);
    registry.register(createWebSearchTool(webSearch), { callers: offeredIf(webSearch !== undefined) });
    registry.register(createLoadSkillTool(skills), { callers: offeredIf(skills.length > 0) });
    registry.register(askUserQuestionTool, { callers: offeredIf(canAsk) });
  };
}

/** To models and programs where the tool works, otherwise to nobody. */
function offeredIf(works: boolean): readonly OfferedCaller[] {
  return works ? ["model", "program"] : [];
}
