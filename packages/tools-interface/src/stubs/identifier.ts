const RESERVED = new Set(
  (
    "arguments as async await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected public " +
    "return static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/** Names the sandbox itself needs. */
const TAKEN = ["__callTool__", "globalThis", "console"];

/**
 * A legal, unique identifier for each tool name: odd characters become `_`, reserved words and leading digits get one
 * in front, and a name that is taken by then gets a number at the end. The same names give the same identifiers.
 */
export function toIdentifiers(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set(TAKEN);
  const identifiers = new Map<string, string>();
  // Names that need no change keep their spelling, whoever was registered first.
  for (const name of names.toSorted((a, b) => Number(isIdentifier(b)) - Number(isIdentifier(a)))) {
    const base = isIdentifier(name) ? name : `${/^[A-Za-z_]/.test(name) ? "" : "_"}${name.replaceAll(/\W/g, "_")}`;
    const legal = RESERVED.has(base) ? `_${base}` : base;
    let identifier = legal;
    for (let number = 2; taken.has(identifier); number += 1) identifier = `${legal}_${number}`;
    taken.add(identifier);
    identifiers.set(name, identifier);
  }
  return identifiers;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !RESERVED.has(name);
}
