import { ToolError } from "../error/tool-error.ts";

/** A provider's rule for names of tools. */
export interface NameRule {
  /** Finds each character that it refuses. Must be global. */
  readonly refused: RegExp;
  /** The longest name it accepts, in characters. */
  readonly maxLength: number;
  /** The allowed first character. Default: any accepted character. */
  readonly start?: RegExp;
}

/** The names of tools beside the names that a provider knows them by. */
export interface WireNames {
  /** The provider's name for a tool. The name itself for a tool that is not among them. */
  readonly toWire: (name: string) => string;
  /** The tool behind a provider's name. The name itself when nothing is known of it: a registry then says so. */
  readonly fromWire: (wireName: string) => string;
}

/** The rule of OpenAI and Anthropic, and part of Gemini's; neither accepts the dots and slashes of MCP. */
export const MODEL_NAMES: NameRule = { refused: /[^A-Za-z0-9_-]/g, maxLength: 64 };

/**
 * Maps names to names that a provider accepts and back. An accepted name stays; in another each refused character
 * becomes `_`; one that is too long is cut and ends in a hash of the whole, because long names mostly differ at the
 * end.
 *
 * @throws {ToolError} Code `duplicate_tool` when a name comes twice.
 */
export function createWireNames(names: readonly string[], rule: NameRule): WireNames {
  const seen = new Set<string>();
  const repeated = names.find((name) => seen.size === seen.add(name).size);
  if (repeated !== undefined) {
    throw new ToolError(
      `Cannot make tools for a provider: two are named ${JSON.stringify(repeated)}, each name is allowed once`,
      { code: "duplicate_tool" },
    );
  }
  const wireNames = new Map<string, string>();
  const taken = new Map<string, string>();
  const take = (name: string, wireName: string): void => {
    wireNames.set(name, wireName);
    taken.set(wireName, name);
  };
  // Names that may stay come first, so that no changed name takes one of them.
  for (const name of names) if (fits(name, rule) && accepted(name, rule) === name) take(name, name);
  for (const name of names) {
    if (wireNames.has(name)) continue;
    const plain = accepted(name, rule);
    let wireName = fits(plain, rule) ? plain : hashed(plain, name, rule);
    for (let salt = 0; taken.has(wireName); salt += 1) wireName = hashed(plain, `${name}${salt || ""}`, rule);
    take(name, wireName);
  }
  return Object.freeze({
    toWire: (name: string) => wireNames.get(name) ?? name,
    fromWire: (wireName: string) => taken.get(wireName) ?? wireName,
  });
}

function fits(name: string, { maxLength }: NameRule): boolean {
  return name !== "" && name.length <= maxLength;
}

/** The name in the provider's characters, perhaps empty or too long. */
function accepted(name: string, { refused, start }: NameRule): string {
  const replaced = name.replaceAll(refused, "_");
  return start === undefined || replaced === "" || start.test(replaced[0] ?? "") ? replaced : `_${replaced}`;
}

function hashed(plain: string, name: string, { maxLength }: NameRule): string {
  const hash = hashOf(name);
  return `${plain.slice(0, maxLength - hash.length - 1) || "tool"}_${hash}`;
}

/** Eight characters that tell texts apart: FNV-1a (Fowler, Noll, Vo), 32 bit, in base 36 and padded. */
function hashOf(text: string): string {
  let hash = 0x81_1c_9d_c5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  return (hash >>> 0).toString(36).padStart(8, "0");
}
