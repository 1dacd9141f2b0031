/** Words that cannot name a function, and names that programs and the stubs themselves rely on. */
const TAKEN = new Set(
  (
    "arguments as async await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected public " +
    "return static super switch this throw true try typeof undefined var void while with yield " +
    "__callTool__ exports globalThis module require self " +
    "AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError " +
    "FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl " +
    "Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer " +
    "String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef " +
    "WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape isFinite isNaN parseFloat parseInt unescape " +
    "AbortController AbortSignal Blob Deno TextDecoder TextEncoder URL URLSearchParams atob btoa clearInterval clearTimeout " +
    "console crypto performance process queueMicrotask setInterval setTimeout structuredClone"
  ).split(" "),
);

/** True for a name that a program needs for something else. */
export function isTaken(name: string): boolean {
  return TAKEN.has(name);
}

/**
 * A legal, unique identifier for each tool name: odd characters become `_`, names that a program needs otherwise
 * (`class`, `Promise`) and leading digits get one in front, and a name that is taken by then gets a number at the end.
 * The same names in the same order give the same identifiers.
 */
export function toIdentifiers(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const identifiers = new Map<string, string>();
  // Names that need no change keep their spelling, even if registered later.
  for (const name of names.toSorted((a, b) => Number(isIdentifier(b)) - Number(isIdentifier(a)))) {
    const base = name.replaceAll(/\W/g, "_");
    const legal = TAKEN.has(base) || /^\d/.test(base) ? `_${base}` : base;
    let identifier = legal;
    for (let number = 2; taken.has(identifier); number += 1) identifier = `${legal}_${number}`;
    taken.add(identifier);
    identifiers.set(name, identifier);
  }
  return identifiers;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !TAKEN.has(name);
}
