import { readFileSync } from "node:fs";
import { fromGeminiResponse, toGeminiResults, toGeminiTools } from "@dispatch/providers/gemini";
import { createTranscript } from "@dispatch/tools-interface";
import { GoogleGenAI, type Content } from "@google/genai";
import { describe, expect, it } from "vitest";
import { startScriptedServer } from "./scripted-server.ts";
import { cancelAtProgress, createToolbox, PIXEL, recorded, REFUSED } from "./toolbox.ts";

function response(...parts: readonly object[]): object {
  return {
    candidates: [
      {
        content: { role: "model", parts: parts.length > 0 ? parts : [{ text: "done" }] },
        finishReason: "STOP",
        index: 0,
      },
    ],
    modelVersion: "gemini-3-pro",
    usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 9, totalTokenCount: 17 },
  };
}

function call(name: string, args?: object, id?: string): object {
  return { functionCall: { ...(id !== undefined && { id }), name, ...(args && { args }) }, thoughtSignature: "c2ln" };
}

const script = [
  response(
    call("weather_get", { city: "Oslo" }, "1"),
    call("weather_get", { town: "Oslo" }),
    call("screenshot"),
    call("no_such_tool", {}),
    call("wait"),
  ),
  response(call("weather_get", { city: "Oslo", unit: "F" })),
  response(),
];

describe("the Gemini API, by Google's SDK", () => {
  it("is sent the schemas of the corpus as they are", async () => {
    const corpus = JSON.parse(
      readFileSync(new URL("../../src/schema/__fixtures__/schema-corpus.json", import.meta.url), "utf8"),
    ) as readonly { readonly schema: unknown; readonly defs?: object }[];
    const wire = toGeminiTools(
      corpus.map(({ schema, defs }, index) => {
        const parameters = { type: "object", properties: { value: schema }, ...(defs && { $defs: defs }) };
        return { name: `tool_${index}`, description: "d", parameters };
      }),
    );
    await using server = await startScriptedServer([response()]);
    const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: server.url } });
    await client.models.generateContent({ model: "gemini-3-pro", contents: "go", config: { tools: wire.tools } });
    expect(server.listIn(0, "tools")).toEqual(JSON.parse(JSON.stringify(wire.tools)));
    expect(wire.tools[0]?.functionDeclarations).toHaveLength(corpus.length);
  });

  it("runs a conversation", async () => {
    await using server = await startScriptedServer(script);
    const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: server.url } });
    const registry = createToolbox();
    const transcript = createTranscript();
    const wire = toGeminiTools(registry);
    const contents: Content[] = [{ role: "user", parts: [{ text: "go" }] }];
    for (;;) {
      const request = { model: "gemini-3-pro", contents: [...contents], config: { tools: wire.tools } };
      const answer = await client.models.generateContent(request);
      const calls = fromGeminiResponse(answer, wire);
      const content = answer.candidates?.[0]?.content;
      if (calls.length === 0 || content === undefined) break;
      const results = await registry.dispatchAll(calls, { transcript, ...cancelAtProgress() });
      contents.push(content, toGeminiResults(calls, results, wire));
    }
    const bodies = server.requests.map(({ body }) => body);
    const path = "/v1/models/gemini-3-pro:generateContent";
    expect(server.requests.map((sent) => sent.path)).toEqual([path, path, path]);
    for (const { tools } of bodies) expect(tools).toEqual(wire.tools);
    expect(wire.tools[0]?.functionDeclarations[0]).toMatchObject({
      name: "weather_get",
      parametersJsonSchema: { type: "object", required: ["city"] },
    });
    const result = (name: string, answer: object, id?: string): object => ({
      functionResponse: { ...(id !== undefined && { id }), name, response: answer },
    });
    const label = "Image 1 of the result of call 3 (screenshot)";
    expect(server.listIn(1, "contents")[2]).toEqual({
      role: "user",
      parts: [
        result("weather_get", { output: "Oslo: 15 °C" }, "1"),
        result("weather_get", { error: expect.stringMatching(REFUSED) as unknown }),
        result("screenshot", { output: `the screen\n[image (image/png) follows below as "${label}"]` }),
        result("no_such_tool", { error: expect.stringContaining("no_such_tool") as unknown }),
        result("wait", { error: expect.stringMatching(/^wait was cancelled/) as unknown }),
        { text: label },
        { inlineData: { mimeType: "image/png", data: PIXEL } },
      ],
    });
    // The signatures of the model's own turn go back as they came.
    expect(JSON.stringify(bodies[1]?.["contents"])).toContain('"thoughtSignature":"c2ln"');
    expect(server.listIn(2, "contents")[4]).toEqual({
      role: "user",
      parts: [result("weather_get", { output: "Oslo: 15 °F" })],
    });
    expect(JSON.stringify(bodies)).not.toContain("SECRET");
    expect(recorded(transcript).map(([, name, outcome]) => [name, outcome])).toEqual([
      ["weather.get", "ok"],
      ["weather.get", "invalid_params"],
      ["screenshot", "ok"],
      ["no_such_tool", "tool_not_found"],
      ["wait", "cancelled"],
      ["weather.get", "ok"],
    ]);
  });
});
