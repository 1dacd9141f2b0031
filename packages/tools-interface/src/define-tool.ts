import { askApproval } from "./approval.ts";
import type { Checked, CompiledSchema } from "./compiled-schema.ts";
import type { Refusal } from "./explain-issues.ts";
import { describeIssues, formatPath, ValidationError, type Issue } from "./issue.ts";
import type { JsonSchema } from "./json.ts";
import { onRefusal } from "./on-refusal.ts";
import type { RefusedParams } from "./refused-params.ts";
import type { RepairPolicy } from "./repair.ts";
import { Run, Settlement } from "./run-tool.ts";
import { compileCheck, compileSchema, type InferInput, type InferOutput, type Schema } from "./schema.ts";
import { InvalidToolError, thrownMessage } from "./tool-error.ts";
import { thrownResult, toResult } from "./tool-output.ts";
import { failure, withRepairs, type ToolFailure, type ToolResult } from "./tool-result.ts";
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
  readonly #spec: AnySpec;
  readonly #parameters: CompiledSchema;
  #refusedParams: RefusedParams | undefined;
  readonly #output: CompiledSchema | undefined;
  readonly #context: CompiledSchema["validate"] | undefined;

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
    this.#spec = spec;
    this.#parameters = compileSchema(spec.parameters, `parameters of ${name}`, "input");
    this.#output = spec.output === undefined ? undefined : compileSchema(spec.output, `output of ${name}`, "output");
    this.#context = spec.context === undefined ? undefined : compileCheck(spec.context, `context of ${name}`);
    this.name = name;
    this.description = description;
    this.parameters = objectSchema(this.#parameters.jsonSchema, name);
    this.output = this.#output?.jsonSchema;
    this.annotations = Object.freeze({ ...annotations });
    this.timeoutMs = timeoutMs;
    this.repair = repair;
    this.definition = Object.freeze({ name, description, parameters: this.parameters });
    Object.freeze(this);
  }

  async validate(params: unknown): Promise<Validation> {
    const check = await this.#check(params);
    if (check.issues === undefined) return { success: true, params: check.value };
    const refused = await this.#refused();
    const { message, issues } = refused.explain(refused.locate(params, check.issues));
    return { success: false, error: new ValidationError(message, issues) };
  }

  /** Not async itself: an `await` costs as much as a validation, and most calls need none before the tool's own. */
  call(params: unknown, options: CallOptions = NO_OPTIONS): Promise<ToolResult> {
    try {
      if (options.signal?.aborted) return Promise.resolve(notStarted(this.name));
      const check = this.#parameters.validate(params);
      return Promise.resolve(
        "then" in check ? this.#later(params, check, options) : this.#checked(params, check, options),
      );
    } catch (thrown) {
      return Promise.resolve(thrownResult(this.name, thrown));
    }
  }

  async #later(params: unknown, pending: PromiseLike<Checked>, options: CallOptions): Promise<ToolResult> {
    try {
      return await this.#checked(params, await pending, options);
    } catch (thrown) {
      return thrownResult(this.name, thrown);
    }
  }

  #checked(params: unknown, check: Checked, options: CallOptions): ToolResult | Promise<ToolResult> {
    if (check.issues === undefined) return this.#validated(check.value, options);
    const { issues } = check;
    const refused = this.#refused();
    if (!(refused instanceof Promise)) return this.#unfit(refused, params, issues, options);
    return refused
      .then((loaded) => this.#unfit(loaded, params, issues, options))
      .catch((thrown: unknown) => thrownResult(this.name, thrown));
  }

  #refused(): RefusedParams | Promise<RefusedParams> {
    return (
      this.#refusedParams ??
      onRefusal((module) => (this.#refusedParams ??= new module.RefusedParams(this.name, this.#parameters)))
    );
  }

  #unfit(
    refused: RefusedParams,
    params: unknown,
    issues: readonly Issue[],
    options: CallOptions,
  ): ToolResult | Promise<ToolResult> {
    const refusal = refused.locate(params, issues);
    return this.repair === "safe" && refused.isRepairable(refusal)
      ? this.#repaired(refused, params, refusal, options)
      : refuse(refused, refusal);
  }

  async #repaired(
    refused: RefusedParams,
    params: unknown,
    refusal: Refusal,
    options: CallOptions,
  ): Promise<ToolResult> {
    try {
      const repaired = await refused.repair(params, refusal);
      if (options.signal?.aborted) return notStarted(this.name);
      if (repaired === undefined) return refuse(refused, refusal);
      return withRepairs(await this.#validated(repaired.value, options), repaired.repairs);
    } catch (thrown) {
      return thrownResult(this.name, thrown);
    }
  }

  #validated(params: unknown, options: CallOptions): ToolResult | Promise<ToolResult> {
    const run = new Run(options);
    const guarded = this.#context !== undefined || this.#needsApproval(params);
    return guarded ? this.#guarded(params, run, options) : this.#execute(params, run, options);
  }

  async #guarded(params: unknown, run: Run, options: CallOptions): Promise<ToolResult> {
    try {
      const unmet = this.#context && (await this.#missingContext(options.context, this.#context));
      if (unmet !== undefined) return unmet;
      const refusal = this.#needsApproval(params) ? await this.#askApproval(params, run, options) : undefined;
      if (refusal !== undefined) return refusal;
      if (options.signal?.aborted) return notStarted(this.name);
      return await this.#execute(params, run, options);
    } catch (thrown) {
      return thrownResult(this.name, thrown);
    }
  }

  #execute(params: unknown, run: Run, options: CallOptions): ToolResult | Promise<ToolResult> {
    try {
      const answered = this.#spec.execute(params, run);
      if (isThenable(answered)) return this.#settle(answered, run, options);
      run.release();
      return toResult(this.name, answered, this.#output);
    } catch (thrown) {
      run.release();
      return thrownResult(this.name, thrown);
    }
  }

  #settle(answered: PromiseLike<unknown>, run: Run, options: CallOptions): Promise<ToolResult> {
    const { name, timeoutMs } = this;
    const settlement = new Settlement(name, run, timeoutMs, options);
    answered.then(
      (value) => {
        const result = toResult(name, value, this.#output);
        if ("then" in result) void result.then((checked) => settlement.settled(checked));
        else settlement.settled(result);
      },
      (thrown: unknown) => settlement.settled(thrownResult(name, thrown)),
    );
    return settlement.result;
  }

  async #check(params: unknown): Promise<Checked> {
    try {
      return await this.#parameters.validate(params);
    } catch (thrown) {
      return { issues: [{ path: [], message: `the schema's own check failed, ${thrownMessage(thrown)}` }] };
    }
  }

  async #missingContext(context: unknown, validate: CompiledSchema["validate"]): Promise<ToolFailure | undefined> {
    const check = await validate(context ?? {});
    if (check.issues === undefined) return undefined;
    const keys = check.issues.map(({ path }) => formatPath(path)).join(", ");
    return failure(
      describeIssues(
        `Cannot call ${this.name}: the host gave no usable context for ${keys}`,
        check.issues,
        "This is a fault of the host, not of the call",
      ),
      { code: "missing_context", issues: check.issues },
    );
  }

  #needsApproval(params: unknown): boolean {
    const { needsApproval } = this.#spec;
    return typeof needsApproval === "function" ? needsApproval(params) : needsApproval === true;
  }

  #askApproval(params: unknown, { callId }: Run, options: CallOptions): Promise<ToolFailure | undefined> {
    const { name, annotations } = this;
    const signal = options.signal ?? new AbortController().signal;
    return askApproval({ callId, name, params, annotations, signal }, options.approve, () => notStarted(name));
  }
}

function refuse(refused: RefusedParams, refusal: Refusal): ToolFailure {
  const { message, issues } = refused.explain(refusal);
  return failure(message, { code: "invalid_params", issues });
}

function notStarted(name: string): ToolFailure {
  return failure(`${name} was cancelled before it started: nothing was done`, { code: "cancelled", stopped: true });
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

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === "object" || typeof value === "function") &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
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
