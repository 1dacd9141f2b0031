import { Readable } from "node:stream";
import { success } from "@dispatch/tools-interface";
import { tortureCase, type TortureCase } from "../torture-case.ts";
import { FITTING, type Expected } from "../trial.ts";
import { thenable } from "./hostile-values.ts";

class Vault {
  readonly #kept = "inside";
  open(): string {
    return this.#kept;
  }
}

async function* generated(): AsyncGenerator<string, string | undefined> {
  yield "first";
  yield "second";
  return "inside";
}

async function* yielded(): AsyncGenerator<string> {
  yield "first";
  yield "inside";
}

async function* endless(): AsyncGenerator<string> {
  for (;;) yield "more";
}

async function* broken(): AsyncGenerator<string> {
  yield "first";
  throw new Error("the disk is full");
}

function* numbers(): Generator<string> {
  yield "inside";
}

/** Objects whose content is not in their fields. JSON prints each of them as `{}` or as its inner workings. */
const unheld: readonly (readonly [what: string, make: () => unknown])[] = [
  ["a response", () => new Response("inside")],
  ["headers", () => new Headers({ kept: "inside" })],
  ["a request", () => new Request("https://example.com/inside")],
  ["a blob", () => new Blob(["inside"])],
  ["form data", () => formData()],
  ["search parameters", () => new URLSearchParams({ kept: "inside" })],
  ["a web stream", () => new Blob(["inside"]).stream()],
  ["a Node stream", () => Readable.from(["inside"])],
  ["a generator", () => numbers()],
  ["an iterator of an array", () => ["inside"].values()],
  ["an iterator of a map", () => new Map([["kept", "inside"]]).entries()],
  ["an instance with private fields only", () => new Vault()],
  ["a weak map", () => new WeakMap([[{}, "inside"]])],
  ["a weak reference", () => new WeakRef({ kept: "inside" })],
  ["shared memory", () => new SharedArrayBuffer(8)],
  ["an object with hidden fields only", () => Object.defineProperty({}, "kept", { value: "inside" })],
  ["an object with symbols for keys", () => ({ [Symbol("kept")]: "inside" })],
  ["an object like a promise inside an object", () => ({ kept: thenable(() => "inside") })],
  ["an abort signal", () => AbortSignal.abort("inside")],
];

/** Content of a result that no provider takes. To a system without such results it is an object like another. */
const parts: readonly (readonly [what: string, part: unknown])[] = [
  ["a text part without text", { type: "text", text: undefined }],
  ["a text part whose text is a number", { type: "text", text: 7 }],
  ["null for a part", null],
  ["an image without bytes", { type: "image", mimeType: "image/png" }],
  ["a part of an unknown type", { type: "hologram", text: "inside" }],
];

const answers: readonly (readonly [what: string, make: () => unknown, expected: Expected])[] = [
  ["that returns its value", generated, { failed: false, says: /inside/ }],
  ["that returns nothing after its values", yielded, { failed: false, says: /inside/ }],
  ["that throws after a value", broken, { failed: true, says: /disk is full/ }],
];

/**
 * A tool answers with a value that JSON prints as empty. Either the call fails and names the type, or all of it is in
 * the text.
 */
export const unheldCases: readonly TortureCase[] = [
  ...unheld.flatMap(([what, make]) => [
    tortureCase("unheld", `a tool returns ${what}`, async (trial) => {
      const found = await trial.once({ execute: make }, FITTING, { runs: 1 });
      trial.expect(found.failed || found.text.includes("inside"), "a failure, or all of it in the text", found);
    }),
    tortureCase("unheld", `a tool resolves with ${what} in a field`, async (trial) => {
      const found = await trial.once({ execute: async () => ({ field: make() }) }, FITTING, { runs: 1 });
      trial.expect(found.failed || found.text.includes("inside"), "a failure, or all of it in the text", found);
    }),
  ]),
  ...parts.flatMap(([what, part]) => [
    tortureCase("unheld", `a tool returns a result with ${what}`, (trial) =>
      trial.once({ execute: () => success("x", { content: [part as never] }) }, FITTING, { runs: 1 }),
    ),
    tortureCase("unheld", `a tool resolves with a result with ${what}`, (trial) =>
      trial.once({ execute: async () => success("x", { content: [part as never] }) }, FITTING, { runs: 1 }),
    ),
  ]),
  ...answers.map(([what, make, expected]) =>
    tortureCase("unheld", `a tool is an asynchronous generator ${what}`, async (trial) => {
      await trial.once({ execute: make }, FITTING, { runs: 1, ...expected });
    }),
  ),
  tortureCase("unheld", "a tool is an asynchronous generator that never ends or waits", (trial) =>
    trial.once({ execute: endless, timeoutMs: 50 }, FITTING, { failed: true, runs: 1 }),
  ),
  tortureCase("unheld", "a tool is an asynchronous generator of what JSON cannot hold", (trial) =>
    trial.once({ execute: () => one(new Map([["kept", "inside"]])) }, FITTING, { failed: true, runs: 1 }),
  ),
  tortureCase("unheld", "a tool returns an object whose toJSON throws the second time", (trial) =>
    trial.once({ execute: () => changing(refuse) }, FITTING, { runs: 1 }),
  ),
  tortureCase("unheld", "a tool returns an object whose toJSON answers a circle the second time", (trial) =>
    trial.once({ execute: () => changing(circle) }, FITTING, { runs: 1 }),
  ),
  tortureCase("unheld", "a tool makes what it returned circular at once", async (trial) => {
    const execute = async (): Promise<object> => {
      const value: Record<string, unknown> = { kept: "inside" };
      queueMicrotask(() => queueMicrotask(() => (value["self"] = value)));
      return value;
    };
    await trial.once({ execute }, FITTING, { runs: 1 });
  }),
  tortureCase("unheld", "a tool makes what it returned circular after the call", async (trial) => {
    const value: Record<string, unknown> = { kept: "inside" };
    await trial.once({ execute: () => value }, FITTING, { failed: false, says: /inside/, runs: 1 });
    value["self"] = value;
    for (const entry of trial.records) JSON.stringify(entry);
  }),
];

async function* one(value: unknown): AsyncGenerator {
  yield value;
}

function formData(): FormData {
  const form = new FormData();
  form.set("kept", "inside");
  return form;
}

function changing(later: () => unknown): object {
  let reads = 0;
  return { toJSON: () => ((reads += 1) === 1 ? { kept: "inside" } : later()) };
}

function refuse(): never {
  throw new Error("not twice");
}

function circle(): object {
  const value: Record<string, unknown> = {};
  value["self"] = value;
  return value;
}
