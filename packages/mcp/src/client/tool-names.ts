import { createWireNames, type NameRule } from "@dispatch/tools-interface/internal";

/** A registry's rule for names, without the slash that providers' names cannot have. */
const TOOL_NAME = /[^A-Za-z0-9_.-]/g;
/** A registry takes 128 characters. */
const MAX_NAME_CHARS = 128;
/** Only single `_` and `-`, so that the first `__` ends it: no two servers' tools can then have the same name. */
const SERVER_NAME = /^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/;
const MAX_SERVER_CHARS = 32;

/** @throws {TypeError} When tools cannot be named for it. */
export function checkServerName(name: string): void {
  if (SERVER_NAME.test(name) && name.length <= MAX_SERVER_CHARS) return;
  throw new TypeError(
    `Cannot name a server ${JSON.stringify(name)}: allowed are 1 to ${MAX_SERVER_CHARS} letters and digits, with single "_" and "-" between`,
  );
}

/** The names of a server's tools in a registry: `SERVER__TOOL`, each once, even if the server repeats them. */
export function nameTools(server: string, names: readonly string[]): ReadonlyMap<string, string> {
  const prefix = `${server}__`;
  const rule: NameRule = { refused: TOOL_NAME, maxLength: MAX_NAME_CHARS - prefix.length };
  const { toWire } = createWireNames(names, rule);
  return new Map(names.map((name) => [name, `${prefix}${toWire(name)}`]));
}
