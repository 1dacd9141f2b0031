/** Short names that JavaScript does not know by themselves. */
const KINDS: Readonly<Record<string, string>> = {
  gc: "General_Category",
  generalcategory: "General_Category",
  sc: "Script",
  script: "Script",
  scx: "Script_Extensions",
  scriptextensions: "Script_Extensions",
};

/** The set of a Unicode property as JavaScript names it, `undefined` if it has none. A name alone is a category, property or script. */
export function propertySet(name: string): string | undefined {
  // With the case-insensitive flag, V8 leaves out characters that only fold to a member of this class.
  if (plain(name) === "ascii") return String.raw`\0-\x7f`;
  const [, kind, value = ""] = /^(?:([^=:]+)(?:=|:))?(.*)$/s.exec(name) ?? [];
  const known = kind === undefined ? undefined : KINDS[plain(kind)];
  if (kind !== undefined && known === undefined) return undefined;
  const kinds = known === undefined ? ["", "Script="] : [`${known}=`];
  for (const prefix of kinds) {
    for (const spelt of spellings(value)) {
      const source = `\\p{${prefix}${spelt}}`;
      if (isSet(source)) return source;
    }
  }
  return undefined;
}

/** The ways in which a name may be written there: case, spaces, hyphens and `is` in front do not count in Rust. */
function spellings(name: string): string[] {
  const bare = name.replace(/^is[_\s-]*/i, "");
  return [name, bare].flatMap((some) => {
    const words = some.trim().split(/[\s_-]+/);
    const capitals = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join("_");
    const humps = some.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_");
    return [some, capitals, humps, some.toUpperCase()];
  });
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}

function isSet(source: string): boolean {
  if (!/^\\p\{[\w=]+\}$/.test(source)) return false;
  try {
    void new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}
