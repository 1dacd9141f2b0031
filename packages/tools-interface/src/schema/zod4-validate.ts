/** The parts of a Zod 4 schema that check a value. */
interface Zod4 {
  readonly _zod: {
    readonly run: (payload: Payload, context: { readonly async: boolean }) => Payload | Promise<Payload>;
  };
  readonly safeParseAsync: (value: unknown) => Promise<Parsed>;
}

interface Payload {
  value: unknown;
  issues: unknown[];
}

type Parsed =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly unknown[] } };

/** The result of checking a value by Standard Schema. */
type Answer = { readonly value?: unknown; readonly issues?: readonly unknown[] | undefined };

/** True for a schema of Zod 4, classic or mini. */
function isParser(schema: object): schema is Zod4 {
  return "_zod" in schema && "safeParseAsync" in schema && typeof schema.safeParseAsync === "function";
}

/**
 * Checks values with a Zod 4 schema, each of its own checks once.
 *
 * Zod's `~standard.validate` runs the checks synchronously first; where one is asynchronous it drops the promise that it
 * was given and runs all of them again. A dropped promise that rejects ends the process. So the first values are checked
 * asynchronously, until one fits: only then is it known whether the schema waits for anything.
 */
export function zod4Validate(
  schema: object,
  validate: (value: unknown) => unknown,
): ((value: unknown) => unknown) | undefined {
  if (!isParser(schema)) return undefined;
  let known: "sync" | "async" | undefined;
  const inTurn = async (value: unknown, first?: Promise<Payload>): Promise<Answer> => {
    const payload = await first;
    if (payload !== undefined && payload.issues.length === 0) return { value: payload.value };
    const parsed = await schema.safeParseAsync(value);
    return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues };
  };
  return (value) => {
    if (known === "sync") return validate(value);
    if (known === "async") return inTurn(value);
    const payload = schema._zod.run({ value, issues: [] }, { async: true });
    if (payload instanceof Promise) {
      known = "async";
      return inTurn(value, payload);
    }
    if (payload.issues.length > 0) return validate(value);
    known = "sync";
    return { value: payload.value };
  };
}
