import { createToolRegistry, defineTool, success } from "@dispatch/tools-interface";
import { context, ROOT_CONTEXT, type Meter, type Span, type Tracer } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolTelemetry, type ToolTelemetryOptions } from "./index.ts";

const echo = defineTool({
  name: "echo",
  description: "Answers what it was sent.",
  parameters: z.object({ text: z.string() }),
  execute: ({ text }) => text,
});
const call = { id: "1", name: "echo", arguments: { text: "a" } };
/** Every operation on it throws. */
const throwing = new Proxy(
  {},
  {
    get() {
      throw new Error("telemetry is broken");
    },
  },
) as Tracer & Meter & Span & { readonly text: string };

function subject(options: ToolTelemetryOptions) {
  const telemetry = createToolTelemetry(options);
  const registry = createToolRegistry({ middleware: [telemetry.middleware] }).register(echo);
  return { telemetry, dispatch: (one = call) => registry.dispatch(one, { onEvent: telemetry.onEvent }) };
}

afterEach(() => context.disable());

describe("createToolTelemetry() never changes a call", () => {
  test.each<[string, ToolTelemetryOptions]>([
    ["a tracer that throws", { tracer: throwing }],
    ["a tracer without spans", { tracer: { startSpan: () => undefined } as never }],
    ["a tracer whose spans throw", { tracer: { startSpan: () => throwing } as never }],
    ["a meter that throws", { meter: throwing }],
    ["a describer that throws", { describe: () => throwing.text }],
    ["a describer that answers something else", { describe: () => 7 as never }],
    ["a redactor that throws", { captureContent: true, redact: () => throwing.text }],
    ["a redactor that answers something else", { captureContent: true, redact: () => ({}) as never }],
  ])("with %s", async (_, options) => {
    expect(await subject(options).dispatch()).toMatchObject({ success: true, output: "a" });
  });

  test.each<[string, (inner: unknown, work: () => void) => void]>([
    [
      "fails before",
      () => {
        throw new Error("no context");
      },
    ],
    [
      "fails after",
      (_, work) => {
        work();
        throw new Error("no context");
      },
    ],
    ["forgets", () => {}],
  ])("with a context manager that %s running the tool, which runs once", async (_, broken) => {
    let runs = 0;
    const manager = { active: () => ROOT_CONTEXT, with: broken, bind: (_one: unknown, target: unknown) => target };
    context.setGlobalContextManager({ ...manager, enable: () => manager, disable: () => manager } as never);
    const telemetry = createToolTelemetry();
    const once = defineTool({ ...spec, execute: () => success(`run ${(runs += 1)}`) });
    const registry = createToolRegistry({ middleware: [telemetry.middleware] }).register(once);
    const result = await registry.dispatch({ name: "once", arguments: {} }, { onEvent: telemetry.onEvent });
    expect(String(result)).toBe("run 1");
    expect(runs).toBe(1);
  });
  const spec = { name: "once", description: "Counts.", parameters: z.object({}) } as const;
});

test("createToolTelemetry() keeps no more than so many calls open that never end", () => {
  const spans = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] });
  const { onEvent } = createToolTelemetry({ tracer: provider.getTracer("test") });
  for (let index = 0; index < 5_000; index += 1) {
    onEvent({ type: "call-start", callId: `c${index}`, parentCallId: undefined, name: "t", arguments: {} });
  }
  expect(spans.getFinishedSpans()).toHaveLength(5_000 - 4_096);
  expect(spans.getFinishedSpans()[0]?.attributes).toMatchObject({
    "gen_ai.tool.call.id": "c0",
    "error.type": "_OTHER",
  });
  onEvent({ type: "call-end", callId: "c0", parentCallId: undefined, name: "t", result: success(""), durationMs: 1 });
  expect(spans.getFinishedSpans()).toHaveLength(5_000 - 4_096);
});

test("createToolTelemetry() cuts the names and ids that a model makes up", async () => {
  const spans = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] });
  const { dispatch } = subject({ tracer: provider.getTracer("test"), captureContent: true });
  await dispatch({ id: "i".repeat(10_000), name: "n".repeat(10_000), arguments: { text: "t".repeat(2_000_000) } });
  const [span] = spans.getFinishedSpans();
  expect(span?.name).toBe("execute_tool");
  expect(span?.attributes["gen_ai.tool.name"]).toHaveLength(128);
  expect(span?.attributes["gen_ai.tool.call.id"]).toHaveLength(128);
  expect(span?.attributes["gen_ai.tool.call.arguments"]).toBe("(not recorded: 2000011 characters)");
  expect(JSON.stringify(span?.attributes).length).toBeLessThan(1_000);
});
