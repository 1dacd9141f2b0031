import type { AnyToolRegistry } from "@dispatch/tools-interface";

const BRIDGE = /^declare function __callTool__\(.*$/m;
/** One stub: a signature on one line, a body that names the tool, a closing brace. */
const STUB =
  /^(?:\/\*\* .* \*\/\n)?async (function .*) \{\n {2}return __callTool__\("(?:[^"\\]|\\.)*", params\);\n\}$/gm;
const SIGNATURE = /^declare function ([^(]+)\(/gm;
const MAX_SUMMARY = 100;

/**
 * What a model is told of the functions a program can call: TypeScript declarations where they fit, else names with the
 * first words of each description, else names alone. Stays within `maxChars` by leaving out whole lines, and says so.
 */
export function describeTools(registry: AnyToolRegistry, exclude: readonly string[], maxChars: number): string {
  const stubs = registry.generateStubs({ exclude });
  const declarations = stubs.replace(BRIDGE, "").replace(STUB, toDeclaration).trim();
  if (declarations.length <= maxChars) return declarations;
  const names = [...declarations.matchAll(SIGNATURE)].map(([, name = ""]) => name);
  const tools = registry.toArray().filter(({ name }) => !exclude.includes(name));
  const lines = names.map((name, at) => `${name}(params) - ${summary(tools[at]?.description ?? "")}`);
  return fitting(lines, maxChars) ?? fitting(names, maxChars) ?? cut(names, maxChars);
}

/** The signature without its body; a parameter with a default becomes an optional one. */
function toDeclaration(_stub: string, signature: string): string {
  return `declare ${signature.replace(/^(function [^(]+\(params)(: .*) = \{\}(\): Promise<.*)$/, "$1?$2$3")};`;
}

function summary(description: string): string {
  const text = description.replaceAll(/\s+/g, " ").trim();
  return text.length <= MAX_SUMMARY ? text : `${text.slice(0, MAX_SUMMARY)}…`;
}

function fitting(lines: readonly string[], maxChars: number): string | undefined {
  const text = lines.join("\n");
  return text.length <= maxChars ? text : undefined;
}

function cut(lines: readonly string[], maxChars: number): string {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > maxChars) break;
    kept.push(line);
  }
  return [...kept, `and ${lines.length - kept.length} more`].join("\n");
}
