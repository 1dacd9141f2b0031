import { closestMatch, misspelt } from "./closest-match.ts";

/** Every name of an option: the compiler asks for each new one. */
export type OptionNames<Options> = Readonly<Record<Extract<keyof Options, string>, unknown>>;

/**
 * Names an option that there is not, and the one that was probably meant; `undefined` when there is none. A misspelt option
 * would otherwise be one that was never given.
 */
export function unknownOption(options: object, names: object): string | undefined {
  const unknown = unknownName(options, names);
  return unknown === undefined ? undefined : describeUnknown(unknown, Object.keys(names));
}

/**
 * The first name of a value that is not among those allowed. An instance of a class may have fields and methods of its own:
 * of these only the misspelt ones count.
 */
export function unknownName(value: object, allowed: object): string | undefined {
  for (const name in value) {
    if (Object.hasOwn(allowed, name) || !Object.hasOwn(value, name)) continue;
    if (isPlain(value)) return name;
  }
  return isPlain(value)
    ? undefined
    : namesOfClass(value).find(
        (name) => !Object.hasOwn(allowed, name) && misspelt(name, Object.keys(allowed)) !== undefined,
      );
}

/** The names of an instance's fields, and of what its classes have. */
function namesOfClass(value: object): readonly string[] {
  const names: string[] = [];
  for (let own = value, next: unknown; (next = Object.getPrototypeOf(own)) !== null; own = next as object)
    names.push(...Object.getOwnPropertyNames(own));
  return names;
}

/** Names an option that there is not, and the one that was probably meant, or those that there are. */
export function describeUnknown(name: string, allowed: readonly string[]): string {
  const near = closestMatch(name, allowed);
  const what = `found the option ${JSON.stringify(name.slice(0, 100))}`;
  if (near !== undefined) return `${what}, did you mean ${JSON.stringify(near)}`;
  const quoted = allowed.map((one) => JSON.stringify(one));
  return `${what}, allowed are ${[...quoted.slice(0, -2), quoted.slice(-2).join(" and ")].join(", ")}`;
}

/**
 * Refuses options with a name that there is not.
 *
 * @param attempt - What was attempted, such as `create a registry`.
 * @throws {TypeError} With the name found and the closest one.
 */
export function checkOptions<Options extends object>(
  attempt: string,
  options: Options | undefined,
  names: OptionNames<Options>,
): void {
  const unknown = options === undefined || options === null ? undefined : unknownOption(options, names);
  if (unknown !== undefined) throw new TypeError(`Cannot ${attempt}: ${unknown}`);
}

/** True for an object without a class, of any realm. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
