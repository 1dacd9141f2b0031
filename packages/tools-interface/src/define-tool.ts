import { callTool, validateParams, type CallableTool } from "./call-tool.ts";
import type { JsonSchema } from "./json.ts";
import type { RepairPolicy } from "./repair.ts";
import type { Run } from "./run-tool.ts";
import { compileCheck, compileSchema, type InferInput, type InferOutput, type Schema } from "./schema.ts";
import { InvalidToolError } from "./tool-error.ts";
import type { ToolResult } from "./tool-result.ts";
import type { ContextOf, DataOf, ToolSpec } from "./tool-spec.ts";
import type { CallOptions, Tool, ToolAnnotations, ToolDefinition, Validation } from "./tool.ts";

const DEFAULT_TIMEOUT_MS = 120_000;
/** Longest delay a timer can hold. */
const MAX_TIMEOUT_MS = 2_147_483_647;
const NAME = /^[A-Za-z0-9_./-]{1,128}$/;
const NO_ANNOTATIONS: ToolAnnotations = Object.freeze({});
const NO_OPTIONS: CallOptions = Object.freeze({});

/** A tool's specification whatever its types, as the implementation reads it. */
type AnySpec = Omit<ToolSpec<string, JsonSchema, undefined, undefined>, "needsApproval" | "execute"> & {
  readonly output?: unknown;
  readonly context?: unknown;
  needsApproval?: boolean | ((params: unknown) => boolean);
  execute(params: unknown, run: Run): unknown;
};

class DefinedTool implements Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly output: JsonSchema | undefined;
  readonly annotations: ToolAnnotations;
  readonly timeoutMs: number;
  readonly repair: RepairPolicy;
  readonly definition: ToolDefinition;
  readonly #callable: CallableTool;

  constructor(spec: AnySpec) {
    const { name, description, annotations = NO_ANNOTATIONS, timeoutMs = DEFAULT_TIMEOUT_MS } = spec;
    if (typeof name !== "string" || !NAME.test(name)) {
      throw new InvalidToolError(
        `Cannot define a tool named ${JSON.stringify(name)}: allowed are 1 to 128 letters, digits, "_", "-", "." and "/"`,
      );
    }
    if (typeof description !== "string" || description.trim() === "") {
      throw new InvalidToolError(`Cannot define ${name}: it needs a description, which is all a model knows of it`);
    }
    if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) {
      throw new InvalidToolError(
        `Cannot define ${name}: timeoutMs is ${timeoutMs}, allowed are 1 to ${MAX_TIMEOUT_MS}`,
      );
    }
    const { repair = annotations.destructive === true ? "off" : "safe" } = spec;
    if (repair !== "safe" && repair !== "off") {
      throw new InvalidToolError(
        `Cannot define ${name}: repair is ${JSON.stringify(repair)}, allowed are "safe" and "off"`,
      );
    }
    if (typeof spec.execute !== "function")
      throw new InvalidToolError(`Cannot define ${name}: execute is not a function`);
    const parameters = compileSchema(spec.parameters, `parameters of ${name}`, "input");
    const output = spec.output === undefined ? undefined : compileSchema(spec.output, `output of ${name}`, "output");
    const context = spec.context === undefined ? undefined : compileCheck(spec.context, `context of ${name}`);
    this.name = name;
    this.description = description;
    this.parameters = objectSchema(parameters.jsonSchema, name);
    this.output = output?.jsonSchema;
    this.annotations = Object.freeze({ ...annotations });
    this.timeoutMs = timeoutMs;
    this.repair = repair;
    this.definition = Object.freeze({ name, description, parameters: this.parameters });
    this.#callable = {
      name,
      annotations: this.annotations,
      timeoutMs,
      repair,
      needsApproval: spec.needsApproval ?? false,
      execute: (params, run) => spec.execute(params, run),
      parameters,
      output,
      context,
      refused: undefined,
    };
    Object.freeze(this);
  }

  validate(params: unknown): Promise<Validation> {
    return validateParams(this.#callable, params);
  }

  call(params: unknown, options: CallOptions = NO_OPTIONS): Promise<ToolResult> {
    return callTool(this.#callable, params, options);
  }
}

/** Providers take an object at the root, with `properties` and `required` spelled out even when empty. */
function objectSchema(schema: JsonSchema, name: string): JsonSchema {
  if (schema["type"] !== "object") {
    throw new InvalidToolError(
      `Cannot define ${name}: its parameters are ${JSON.stringify(schema["type"] ?? "a union")} at the root, allowed is an object`,
    );
  }
  const { type, properties = {}, required = [], ...rest } = schema;
  return Object.freeze({ type, properties, required, ...rest });
}

/**
 * Defines a tool. Types of parameters, data and context follow from the schemas.
 *
 * @throws {InvalidToolError} When the name, the description, the timeout or a schema cannot be used.
 *
 * @example
 * ```ts
 * const add = defineTool({
 *   name: "add",
 *   description: "Adds two numbers.",
 *   parameters: z.object({ a: z.number(), b: z.number() }),
 *   execute: ({ a, b }) => `${a + b}`,
 * });
 * ```
 */
export function defineTool<
  const Name extends string,
  Parameters extends Schema,
  Output extends Schema | undefined = undefined,
  Context extends Schema | undefined = undefined,
>(
  spec: ToolSpec<Name, Parameters, Output, Context>,
): Tool<Name, InferInput<Parameters>, DataOf<Output>, ContextOf<Context>, InferOutput<Parameters>> {
  return new DefinedTool(spec as unknown as AnySpec) as never;
}
