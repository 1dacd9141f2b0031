import { createToolRegistry, createTranscript, defineTool, failure, type ToolCall } from "@dispatch/tools-interface";
import { context, metrics, SpanStatusCode, trace, type Attributes } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type Histogram,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolTelemetry, type ToolTelemetryOptions } from "./index.ts";

const spans = new InMemorySpanExporter();
const tracing = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] });
const tracer = tracing.getTracer("test");
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });
const metering = new MeterProvider({ readers: [reader] });

beforeAll(() => context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterAll(async () => {
  context.disable();
  await metering.shutdown();
});
beforeEach(async () => {
  spans.reset();
  await metering.forceFlush();
  measured.reset();
});

const SECRET = "sk-aB3dE6gH9jK2mN5pQ8sT1vW4";
const read = defineTool({
  name: "read",
  description: "Reads a file.",
  parameters: z.object({ path: z.string() }),
  execute({ path }) {
    tracer.startSpan("fetch").end();
    return path === "none" ? failure(`no file ${path}`, { code: "file_not_found" }) : `text of ${path}`;
  },
});
const outer = defineTool({
  name: "outer",
  description: "Calls read twice.",
  parameters: z.object({}),
  async execute(_, { dispatch }) {
    await Promise.all(
      ["a", "b"].map(async (path) => dispatch?.({ id: `in_${path}`, name: "read", arguments: { path } })),
    );
    return "done";
  },
});
const slow = defineTool({
  name: "slow",
  description: "Never ends.",
  parameters: z.object({}),
  timeoutMs: 20,
  execute: () => new Promise<string>(() => {}),
});

function subject(
  options: ToolTelemetryOptions = {},
  plugged: { readonly events?: boolean; readonly layer?: boolean } = {},
) {
  const meter = metering.getMeter("test");
  const telemetry = createToolTelemetry({ tracer, meter, ...options });
  const { events = true, layer = true } = plugged;
  const registry = createToolRegistry({ middleware: layer ? [telemetry.middleware] : [] })
    .register(read)
    .register(outer)
    .register(slow);
  const onEvent = events ? telemetry.onEvent : undefined;
  return (call: ToolCall, more = {}) => registry.dispatch(call, { onEvent, ...more });
}

const finished = (): readonly ReadableSpan[] => spans.getFinishedSpans();
const named = (name: string): ReadableSpan => {
  const found = finished().filter((span) => span.name === name);
  expect(found.map((span) => span.name)).toEqual([name]);
  return found[0] as ReadableSpan;
};
const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId;

async function series(): Promise<readonly { readonly attributes: Attributes; readonly value: Histogram }[]> {
  await metering.forceFlush();
  const all = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  expect(all.map(({ descriptor }) => `${descriptor.name} in ${descriptor.unit}`)).toEqual([
    "gen_ai.execute_tool.duration in s",
  ]);
  return all.flatMap(({ dataPoints }) => dataPoints as never);
}

describe("createToolTelemetry()", () => {
  test("gives a call one span with what the conventions ask for, and nothing of its content", async () => {
    await subject({ describe: () => "Reads a file." })({ id: "call_1", name: "read", arguments: '{"path":"a"}' });
    const span = named("execute_tool read");
    expect(span.kind).toBe(0);
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
    expect(span.attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "read",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": "call_1",
      "gen_ai.tool.description": "Reads a file.",
    });
    expect(await series()).toMatchObject([
      { attributes: { "gen_ai.tool.name": "read", "gen_ai.tool.type": "function" }, value: { count: 1 } },
    ]);
  });

  test("makes the call's span the active one while its tool runs", async () => {
    const root = tracer.startSpan("agent");
    await context.with(trace.setSpan(context.active(), root), () =>
      subject()({ name: "read", arguments: { path: "a" } }),
    );
    root.end();
    expect(parentOf(named("fetch"))).toBe(named("execute_tool read").spanContext().spanId);
    expect(parentOf(named("execute_tool read"))).toBe(root.spanContext().spanId);
  });

  test.each([
    ["with both parts", {}],
    ["with events alone", { layer: false }],
    ["with middleware alone", { events: false }],
  ])("makes nested calls children of their parent %s", async (_, plugged) => {
    await subject({}, plugged)({ id: "out", name: "outer", arguments: {} });
    const nested = finished().filter(({ name }) => name === "execute_tool read");
    const parent = named("execute_tool outer").spanContext().spanId;
    expect(nested.map(parentOf)).toEqual([parent, parent]);
    expect(nested.map(({ attributes }) => String(attributes["gen_ai.tool.call.id"])).toSorted()).toEqual([
      "in_a",
      "in_b",
    ]);
    expect(await series()).toMatchObject([{ value: { count: 2 } }, { value: { count: 1 } }]);
  });

  test.each<[string, ToolCall, string, string]>([
    ["a failure", { name: "read", arguments: { path: "none" } }, "file_not_found", "execute_tool read"],
    ["wrong parameters", { name: "read", arguments: {} }, "invalid_params", "execute_tool read"],
    ["broken JSON", { name: "read", arguments: "{" }, "invalid_call", "execute_tool read"],
    ["an unknown tool", { name: "raed", arguments: {} }, "tool_not_found", "execute_tool"],
    ["no name", { name: "", arguments: {} }, "invalid_call", "execute_tool"],
    ["a timeout", { name: "slow", arguments: {} }, "timeout", "execute_tool slow"],
  ])("tells of %s by its code, without its text", async (_, call, code, name) => {
    await subject()(call);
    const span = finished().find((one) => one.name !== "fetch");
    expect(finished().filter((one) => one.name !== "fetch")).toHaveLength(1);
    expect(span).toMatchObject({ name, status: { code: SpanStatusCode.ERROR } });
    expect(span?.status.message).toBeUndefined();
    expect(span?.attributes).toMatchObject({ "error.type": code, "gen_ai.tool.name": call.name });
    const series_ = await series();
    expect(series_).toMatchObject([
      { attributes: { "error.type": code, "gen_ai.tool.name": name === "execute_tool" ? "_OTHER" : call.name } },
    ]);
  });

  test("reports calls that were cancelled, denied or answered from the transcript", async () => {
    const dispatch = subject();
    const transcript = createTranscript();
    const id = "toolu_01A09q90qw90";
    await dispatch({ id, name: "read", arguments: { path: "a" } }, { transcript });
    await dispatch({ id, name: "read", arguments: { path: "a" } }, { transcript });
    await dispatch({ id: "2", name: "read", arguments: { path: "a" } }, { signal: AbortSignal.abort() });
    const calls = finished().filter(({ name }) => name === "execute_tool read");
    expect(calls.map(({ attributes }) => attributes["error.type"])).toEqual([undefined, undefined, "cancelled"]);
    expect(calls.map(({ attributes }) => attributes["dispatch.tool.replayed"])).toEqual([undefined, true, undefined]);
    expect(await series()).toMatchObject([{ value: { count: 1 } }, { value: { count: 1 } }]);
  });

  test("gives calls that run at the same time under one id a span each", async () => {
    const dispatch = subject();
    await Promise.all([1, 2, 3].map(() => dispatch({ id: "same", name: "read", arguments: { path: "a" } })));
    expect(finished().filter(({ name }) => name === "execute_tool read")).toHaveLength(3);
    const parents = finished()
      .filter(({ name }) => name === "fetch")
      .map(parentOf);
    expect(new Set(parents).size).toBe(3);
  });

  test("uses the providers that are registered when a call comes", async () => {
    const dispatch = subject({ tracer: undefined, meter: undefined } as never);
    trace.setGlobalTracerProvider(tracing);
    metrics.setGlobalMeterProvider(metering);
    await dispatch({ name: "read", arguments: { path: "a" } });
    trace.disable();
    metrics.disable();
    expect(named("execute_tool read").instrumentationScope.name).toBe("@dispatch/otel");
    expect(await series()).toHaveLength(1);
  });
});

describe("createToolTelemetry() with captureContent", () => {
  test("records arguments, results and failures with secrets masked", async () => {
    const dispatch = subject({ captureContent: true });
    await dispatch({ name: "read", arguments: { path: SECRET } });
    await dispatch({ name: "read", arguments: { path: "none" } });
    const [one, two] = finished().filter(({ name }) => name === "execute_tool read");
    expect(one?.attributes).toMatchObject({
      "gen_ai.tool.call.arguments": '{"path":"[secret]"}',
      "gen_ai.tool.call.result": "text of [secret]",
    });
    expect(two?.status.message).toBe("no file none");
    expect(JSON.stringify(finished().map(({ attributes }) => attributes))).not.toContain("sk-");
  });

  test("redacts before it cuts, and records nothing when redaction fails", async () => {
    const seen: string[] = [];
    const redact = (text: string, of: { readonly kind: string; readonly name: string }) => {
      seen.push(`${of.kind} of ${of.name}, ${text.length}`);
      if (of.kind === "result") throw new Error("broken");
      return text.replaceAll("x", "y");
    };
    await subject({ captureContent: true, redact })({ name: "read", arguments: { path: "x".repeat(20_000) } });
    expect(seen).toEqual(["arguments of read, 20011", "result of read, 20008"]);
    const { attributes } = named("execute_tool read");
    expect(String(attributes["gen_ai.tool.call.arguments"])).toMatch(/^\{"path":"y+…$/);
    expect(attributes["gen_ai.tool.call.arguments"]).toHaveLength(8_192);
    expect(attributes).not.toHaveProperty("gen_ai.tool.call.result");
  });
});
