/** What is reported of a thrown value. */
interface ThrownReport {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/**
 * Makes the function that describes what a program threw, with the causes of an error and the errors inside of it. It runs
 * beside the program, sent there as source, so it uses nothing from outside itself.
 *
 * @param inspect Describes a value in a few words.
 */
export function thrownReport(inspect: (value: unknown) => string): (error: unknown) => ThrownReport {
  const { apply } = Reflect;
  const { isArray } = Array;
  const { slice } = String.prototype;
  const MAX_CHARS = 8_000;
  const MAX_INNER = 5;
  const MAX_CAUSES = 3;

  const isError = (found: unknown): found is Error => typeof found === "object" && found !== null && "message" in found;

  return (error) => {
    let name = "Error";
    let message = "";
    let stack = "";
    try {
      if (isError(error)) {
        const thrown = error as Error & { readonly errors?: unknown };
        name = `${thrown.name}`;
        message = `${thrown.message}`;
        stack = `${thrown.stack}`;
        const { errors } = thrown;
        if (isArray(errors)) {
          message ||= `${errors.length} errors`;
          for (let at = 0; at < errors.length && at < MAX_INNER; at += 1) {
            const inner = errors[at] as unknown;
            message += `\nInside of it: ${isError(inner) ? `${inner.name}: ${inner.message}` : inspect(inner)}`;
          }
        }
        let cause = thrown.cause as Error | undefined;
        for (let depth = 0; depth < MAX_CAUSES && typeof cause === "object" && cause !== null; depth += 1) {
          message += `\nCaused by: ${cause.name}: ${cause.message}`;
          cause = cause.cause as Error | undefined;
        }
      } else message = `the program threw ${inspect(error)}`;
    } catch {
      message ||= "the program threw something that cannot be printed";
    }
    return {
      name: apply(slice, name, [0, 200]),
      message: apply(slice, message, [0, MAX_CHARS]),
      stack: apply(slice, stack, [0, MAX_CHARS]),
    };
  };
}
