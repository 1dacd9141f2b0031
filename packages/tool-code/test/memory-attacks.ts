const isNightly = process.env["DISPATCH_TEST_SEED"] === "random";
/** Calls of one program: at 8 MB each, more than the host's heap of 256 MB has room for. */
const TIMES = isNightly ? 100 : 40;
/** Each is like another one, which every run tries. */
const NIGHTLY =
  /^(?:large parameters, one after|large results, not awaited|objects with two|a list as JSON text$|parameters as JSON text)/;

/**
 * Programs that try to fill the memory of the host through the tools `text({ text })`, `echo({ value })`, `list({ items })`
 * with lists of numbers, `make({ chars, wide })` and `rows({ count })` with large results, and `fail({ text })`, which throws
 * the text.
 */
const ATTACKS: Readonly<Record<string, string>> = {
  "large parameters, one after the other": repeated(`text({ text: "x".repeat(8_000_000) + i })`),
  "large parameters with wide characters": repeated(`text({ text: "x".repeat(7_900_000) + "ж" + i })`),
  "large parameters at once": atOnce(`text({ text: "x".repeat(8_000_000) + i })`),
  "large parameters, not awaited": `for (let i = 0; i < ${TIMES}; i++) text({ text: "x".repeat(8_000_000) + i }).catch(() => 0); return 1;`,
  "large results": repeated(`make({ chars: 8_000_000 })`),
  "large results at once": atOnce(`make({ chars: 4_000_000, wide: true })`),
  "large results, not awaited": `for (let i = 0; i < ${TIMES}; i++) make({ chars: 8_000_000, wide: true }).catch(() => 0); return 1;`,
  "results of many values": atOnce(`rows({ count: 60_000 })`),
  "parameters as results": atOnce(`echo({ value: "x".repeat(6_000_000) + i })`),
  "long names": repeated(`__callTool__("x".repeat(8_000_000) + i, {})`),
  "calls without end": `for (let i = 0; i < 1e5; i++) __callTool__("text", { text: "x" }).catch(() => 0); await new Promise(() => {});`,
  "deep parameters": repeated(
    `{ let value: any = []; for (let k = 0; k < 140; k++) value = [value, "x".repeat(20)]; echo({ value: Array(20).fill(value) }) }`,
  ),
  "a long key": atOnce(`echo({ value: { ["x".repeat(8_000_000) + i]: 1 } })`),
  "objects without a common shape": repeated(
    `echo({ value: Array.from({ length: 14_000 }, (_, k) => ({ ["k" + i + "_" + k]: 1 })) })`,
  ),
  "objects with numbers for keys": repeated(`echo({ value: Array.from({ length: 14_000 }, () => ({ 900: 1 })) })`),
  "objects with two numbers for keys": repeated(
    `echo({ value: Array.from({ length: 3_000 }, () => ({ 1000: 1, 2500: 1 })) })`,
  ),
  "a list as JSON text": repeated(`list({ items: "[" + "[],".repeat(2_600_000) + "[]]" })`),
  "lists as JSON texts": repeated(`list({ items: Array(20_000).fill("[" + "[],".repeat(120) + "[]]") })`),
  "a list as JSON text of JSON text": repeated(
    `list({ items: JSON.stringify("[" + "[],".repeat(1_300_000) + "[]]") })`,
  ),
  "a list as text in Python's notation": repeated(`list({ items: "[" + "[],".repeat(2_600_000) + "['a',]]" })`),
  "objects with numbers for keys as JSON text": repeated(`list({ items: "[" + '{"900":1},'.repeat(250_000) + "[]]" })`),
  "parameters as JSON text": repeated(`__callTool__("list", '{"items":[' + "[],".repeat(2_600_000) + "[]]}")`),
  "parameters in an object around them": repeated(
    `__callTool__("list", { arguments: '{"items":[' + "[],".repeat(2_600_000) + "[]]}" })`,
  ),
  "long messages of errors": repeated(`fail({ text: "x".repeat(8_000_000) })`),
  "a long message of its own error": `throw new Error("x".repeat(20_000_000));`,
  "a returned value of many objects": `return Array.from({ length: 14_000 }, (_, k) => ({ ["k" + k]: 1 }));`,
  "a returned value with numbers for keys": `return Array.from({ length: 14_000 }, () => ({ 900: 1 }));`,
  "a long returned value": `return "x".repeat(20_000_000);`,
  "kept values": repeated(`keepValue("a" + i, "x".repeat(8_000_000))`),
  images: repeated(`showImage({ type: "image", mimeType: "image/png", data: "iVBORw0KGgoA".repeat(400_000) })`),
  "printed text": `for (;;) console.log("x".repeat(100_000));`,
  "one long printed text": `console.log("x".repeat(20_000_000));`,
  "text on standard error": `console.error("x".repeat(20_000_000));`,
};

/** The attacks on an engine, by name. The host does the same for both, so one engine has only some. */
export function memoryAttacks(engine: "deno" | "quickjs"): readonly (readonly [name: string, code: string])[] {
  const all = Object.entries(ATTACKS).filter(([name]) => isNightly || !NIGHTLY.test(name));
  return engine === "deno" ? all : all.filter(([name]) => /^(?:large|long|calls|a list as JSON text$|one)/.test(name));
}

/** Calls one after the other until the program is ended. */
function repeated(call: string): string {
  return `for (let i = 0; i < ${TIMES}; i++) try { await ${call.startsWith("{") ? `(async () => ${call})()` : call}; } catch {}\nreturn 1;`;
}

function atOnce(call: string): string {
  return `await Promise.allSettled(Array.from({ length: ${TIMES} }, async (_, i) => await ${call})); return 1;`;
}
