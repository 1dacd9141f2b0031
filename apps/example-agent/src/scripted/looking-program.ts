/** The pattern of a name that is not a part of another one, or of a file's name. */
export function wordOf(name: string): string {
  return String.raw`(?<![\p{L}\p{N}_$])${name}(?![\p{L}\p{N}_$]|\.[cm]?[jt]sx?["'])`;
}

/**
 * The program with which the scripted model looks at all files, before its work and after it. It calls the file tools, and
 * links the modules of JavaScript and TypeScript that name the word, and those that import them, up to the point where they
 * would run: their syntax, and that each import finds its export. All others are replaced by what is imported from them;
 * no package from outside is called by the new name, or has an export of it.
 */
export function lookingProgram(from: string, to: string): string {
  return `const [OLD, NEW] = ${JSON.stringify([wordOf(from), wordOf(to)])}.map((pattern) => new RegExp(pattern, "gu"));
const { files } = await list_files({ pattern: "**/*" });
async function textOf(path: string): Promise<string> {
  let text = "";
  for (let next: any = { path }; next !== null;) {
    const part = await read_file(next).catch((error: unknown) => console.log("skipped", path, String(error)));
    text += part?.content ?? "";
    next = part?.next ?? null;
  }
  return text;
}
const texts = new Map(await Promise.all(files.map(async (path: string) => [path, await textOf(path)] as const)));
const count = (text: string, word: RegExp) => text.split(word).length - 1;
let [old, renamed, all] = [0, 0, ""];
const places: string[] = [];
for (const [path, text] of texts) {
  const [before, after] = [count(text, OLD), count(text, NEW)];
  if (after > 0) console.log(path.padEnd(32), "old", before, "new", after);
  if (after > 0) places.push(path);
  old += before;
  renamed += after;
  all += path + "\\0" + text.replaceAll(NEW, ${JSON.stringify(from)}) + "\\0";
}
let hash = 7;
for (let at = 0; at < all.length; at += 1) hash = Math.imul(hash ^ all.charCodeAt(at), 0x01000193) >>> 0;
const digest = all.length + "-" + hash.toString(16);

const isModule = (path: string) => /\\.m?[jt]s$/.test(path) && !/\\.d\\.m?ts$|\\.test(-d)?\\.|(^|\\/)__fixtures__\\//.test(path);
const IMPORT = /^(import|export)\\b(?! type\\b)([^;"'=()]*?\\bfrom\\s*|\\s*)(["'])([^"'\\n]+)\\3/gm;
const naming = [...texts].flatMap(([path, text]) => count(text, OLD) + count(text, NEW) > 0 ? [path] : []);
const named = new Set(naming.filter(isModule));
const found = (among: { has(path: string): boolean }, path: string, name: string) => {
  if (!name.startsWith(".")) return undefined;
  const place = decodeURI(new URL(name, "file:///" + path).pathname).slice(1);
  return [place, place.replace(/js$/, "ts"), place + ".ts", place + ".js", place + "/index.ts", place + "/index.js"].find((one) => among.has(one));
};
const importsNamed = (path: string) => [...texts.get(path)!.matchAll(IMPORT)].some((one) => found(named, path, one[4]) !== undefined);
const canLink = typeof URL === "function" && "createObjectURL" in URL;
const modules = new Set([...texts.keys()].filter((path) => canLink && isModule(path) && (named.has(path) || importsNamed(path))));
const names = new Set<string>();
for (const path of modules) {
  for (const [, , what, , name] of texts.get(path)!.matchAll(IMPORT)) {
    if (found(modules, path, name) !== undefined) continue;
    const inner = /\\{([^}]*)\\}/.exec(what)?.[1].split(",") ?? [];
    for (const one of inner) names.add(one.trim().replace(/^type /, "").split(" ")[0]);
  }
}
const blob = (text: string) => URL.createObjectURL(new Blob([text], { type: "application/typescript" }));
const exported = [...names].filter((name) => /^[\\w$]+$/.test(name) && name !== "default");
const stubs = (names: string[]) => canLink ? blob(names.map((name) => "const _" + name + " = 0; export { _" + name + " as " + name + " };").join("\\n") + "\\nexport default 0;") : "";
const [others, packages] = [stubs(exported), stubs(exported.filter((name) => name !== ${JSON.stringify(to)}))];
const own = [...texts].flatMap(([path, text]) => /(^|\\/)package\\.json$/.test(path) ? /"name":\\s*"([^"]+)"/.exec(text)?.[1] ?? [] : []);
const isOutside = (name: string) => /^(@[\\w.-]+\\/|\\w)/.test(name) && !own.some((one) => name === one || name.startsWith(one + "/"));
const urls = new Map<string, string>();
function urlOf(path: string): string {
  const known = urls.get(path);
  if (known !== undefined) return known;
  urls.set(path, "blob:cycle");
  const text = texts.get(path)!.replace(IMPORT, (_, word, what, quote, name) => {
    const target = found(modules, path, name);
    const isMissing = name.startsWith(".") ? found(texts, path, name) === undefined : isOutside(name) && count(name, NEW) > 0;
    return word + what + quote + (target !== undefined ? urlOf(target) : isMissing ? "blob:missing/" + name : isOutside(name) ? packages : others) + quote;
  });
  urls.set(path, blob(text));
  return urls.get(path)!;
}
// Everything is linked before the first module runs, and that one ends it: no file's code runs.
const stop = canLink ? blob("throw 'linked'") : "";
const faults: string[] = [];
await Promise.all([...modules].map(async (path) => {
  try {
    await import(blob("import '" + stop + "'; import '" + urlOf(path) + "';"));
  } catch (error) {
    if (error !== "linked") faults.push(path + ": " + String(error).split(/ at blob|\\n/)[0]);
  }
}));
return { files: files.length, old, renamed, digest, places: old > 0 ? places.slice(0, 3) : [], modules: modules.size, loaded: modules.size - faults.length, others: naming.filter((path) => !modules.has(path)).length, faults: faults.slice(0, 3) };
`;
}
