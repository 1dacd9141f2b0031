import { ToolError } from "@dispatch/tools-interface";
import { checkOptions } from "@dispatch/tools-interface/internal";
import type { HostFunction } from "./host-function.ts";

/** Values that the programs of one conversation keep, by name. A host may implement it over its own store. */
export interface ProgramValues {
  /** A kept value, `undefined` when there is none of that name. */
  load(name: string): unknown;
  /** Keeps a value, JSON data, or forgets the name if the value is null. Errors it throws are thrown in the program. */
  save(name: string, value: unknown): unknown;
  /** The names in use. */
  names(): readonly string[] | Promise<readonly string[]>;
}

/** Options of {@link createProgramValues}. */
export interface ProgramValuesOptions {
  /** Values to begin with, as `entries()` gave them. Default none. */
  readonly entries?: Iterable<readonly [name: string, value: unknown]>;
  /** Size of all values together, as JSON, in characters. Default 1,000,000. */
  readonly maxChars?: number;
}

/** Values kept in memory, and a way to take them elsewhere. */
export interface MemoryValues extends ProgramValues {
  /** All values: JSON data, for a store of the host. */
  entries(): readonly (readonly [name: string, value: unknown])[];
}

const DEFAULT_MAX_CHARS = 1_000_000;
const MAX_NAME_CHARS = 100;

/**
 * Keeps the values of one conversation in memory. Make one for each.
 *
 * @example
 * ```ts
 * const values = createProgramValues();
 * const registry = registerCodeTool(createToolRegistry(), { runtime: new DenoRuntime(), values });
 * ```
 */
export function createProgramValues(options: ProgramValuesOptions = {}): MemoryValues {
  checkOptions("create values for programs", options, { entries: true, maxChars: true });
  const { entries = [], maxChars = DEFAULT_MAX_CHARS } = options;
  const kept = new Map<string, string>();
  let chars = 0;
  const values: MemoryValues = {
    load: (name) => {
      const json = kept.get(name);
      return json === undefined ? undefined : JSON.parse(json);
    },
    save(name, value) {
      const json = value === null ? "" : JSON.stringify(value);
      const freed = kept.has(name) ? name.length + (kept.get(name) as string).length : 0;
      const added = json === "" ? 0 : name.length + json.length;
      if (chars - freed + added > maxChars) {
        throw new ToolError(
          `Keeping ${JSON.stringify(name)}: all values would have ${chars - freed + added} characters, allowed are ${maxChars}. Keep less, or forget a value by keeping null under its name`,
          { code: "values_too_large" },
        );
      }
      chars += added - freed;
      if (json === "") kept.delete(name);
      else kept.set(name, json);
    },
    names: () => [...kept.keys()],
    entries: () => [...kept].map(([name, json]) => [name, JSON.parse(json)]),
  };
  for (const [name, value] of entries) values.save(name, value);
  return values;
}

/** `keepValue(name, value)` and `keptValue(name)`, the functions for programs. The arguments are untrusted. */
export function valueFunctions(values: ProgramValues): readonly HostFunction[] {
  return [
    {
      name: "keepValue",
      parameters: "[name: string, value: unknown]",
      returns: "void",
      call: async ([name, value]) => {
        await values.save(checkedName(name, "Keeping a value"), value);
        return null;
      },
    },
    {
      name: "keptValue",
      parameters: "[name: string]",
      returns: "any",
      call: async ([given]) => {
        const name = checkedName(given, "Reading a value");
        const value = await values.load(name);
        if (value !== undefined) return value;
        const names = (await values.names()).slice(0, 20);
        throw new ToolError(
          `Reading ${JSON.stringify(name)}: no value of that name is kept, ${names.length === 0 ? "there are none" : `there are ${names.join(", ")}`}. Compute it again, and keep it with keepValue`,
          { code: "value_not_kept" },
        );
      },
    },
  ];
}

function checkedName(name: unknown, attempt: string): string {
  if (typeof name === "string" && name !== "" && name.length <= MAX_NAME_CHARS) return name;
  throw new ToolError(
    `${attempt}: found a name of type ${typeof name}, allowed is a text of 1 to ${MAX_NAME_CHARS} characters`,
    { code: "invalid_params" },
  );
}
