import { createTranscript } from "@dispatch/tools-interface";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openToolbox, type Toolbox } from "../agent/toolbox.ts";
import { hostTools } from "./host-tools.ts";
import { searxng } from "./search-engine.ts";
import type { Skill } from "./skills.ts";

const skills: readonly Skill[] = [
  { name: "forms", description: "Fills in forms.", body: "Do.", directory: "/nowhere" },
];
const configured = { skills, webSearch: searxng(new URL("http://127.0.0.1:1")) };
const HOST_TOOLS = ["web_search", "load_skill", "ask_user_question"];

describe("hostTools()", () => {
  let bare: Toolbox;
  let full: Toolbox;
  beforeAll(async () => {
    bare = await openToolbox({ addTools: hostTools({ canAsk: false }) });
    full = await openToolbox({ addTools: hostTools({ ...configured, canAsk: true }) });
  });
  afterAll(() => Promise.all([bare.close(), full.close()]));
  const advertised = ({ registry }: Toolbox): readonly string[] => registry.toArray().map(({ name }) => name);

  test("registers every tool always, and last the code tool, which lists the others", () => {
    expect(bare.registry.toolNames).toEqual(full.registry.toolNames);
    expect(bare.registry.toolNames.at(-1)).toBe("execute_code");
    expect(bare.registry.toolNames).toEqual(expect.arrayContaining([...HOST_TOOLS, "code_search"]));
  });

  test("tells models of what the front end and the configuration allow, everywhere alike", () => {
    expect(advertised(bare).filter((name) => HOST_TOOLS.includes(name))).toEqual([]);
    expect(advertised(full).filter((name) => HOST_TOOLS.includes(name))).toEqual(HOST_TOOLS);
    for (const name of HOST_TOOLS) {
      expect(bare.registry.generateStubs()).not.toContain(name);
      expect(JSON.stringify(bare.registry.toModelTools())).not.toContain(`"${name}"`);
      expect(full.registry.get("execute_code").description).toContain(`function ${name}(`);
    }
    const page = full.registryWith(hostTools({ ...configured, canAsk: false }));
    expect(page.toArray().map(({ name }) => name)).toEqual(
      advertised(full).filter((name) => name !== "ask_user_question"),
    );
  });

  test("still answers what a restored transcript asks for, and records it", async () => {
    const transcript = createTranscript();
    const calls = [
      { name: "web_search", arguments: { query: "q" } },
      { name: "load_skill", arguments: { name: "forms" } },
      { name: "ask_user_question", arguments: { question: "Which?" } },
    ];
    const results = await bare.registry.dispatchAll(calls, { context: { worktreePath: "/" }, transcript });
    expect(results.map((result) => !result.success && result.code)).toEqual([
      "no_search",
      "no_such_skill",
      "nobody_to_ask",
    ]);
    expect(transcript.entries).toHaveLength(3);
  });

  test("says the same of the same configuration each time, so that providers keep it cached", () => {
    expect(full.registryWith(hostTools({ ...configured, canAsk: true })).fingerprint).toBe(full.registry.fingerprint);
    expect(full.registryWith(hostTools({ ...configured, canAsk: false })).fingerprint).not.toBe(
      full.registry.fingerprint,
    );
  });
});
