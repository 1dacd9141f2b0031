/** References that are followed one after the other. */
const MAX_REFERENCES = 20;

/** A schema with its reference followed, and a list of types as a union. `true` and `false` allow anything here. */
export function resolved(schema, root) {
  let found = typeof schema === "object" && schema !== null ? schema : {};
  for (let at = 0; typeof found.$ref === "string" && at < MAX_REFERENCES; at += 1) {
    const { $ref, ...rest } = found;
    const target = lookUp($ref, root);
    if (target === undefined) return { description: rest.description };
    found = { ...target, ...rest };
  }
  if (Array.isArray(found.allOf) && found.allOf.length === 1) {
    const { allOf, ...rest } = found;
    return resolved({ ...allOf[0], ...rest }, root);
  }
  if (!Array.isArray(found.type)) return found;
  const { type, description, default: standard, ...rest } = found;
  if (type.length === 1) return { ...found, type: type[0] };
  return { description, default: standard, anyOf: type.map((one) => ({ ...rest, type: one })) };
}

function lookUp(reference, root) {
  if (!reference.startsWith("#")) return undefined;
  let at = root;
  for (const part of reference.split("/").slice(1)) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return typeof at === "object" && at !== null ? at : undefined;
}

/** The schemas of which a value must be one, if there are several. */
export function branchesOf({ anyOf, oneOf }) {
  return anyOf ?? oneOf;
}

/** A short name for a schema of a union. */
export function nameOf({ title, const: fixed, enum: values, type, properties, items }) {
  if (title !== undefined) return String(title);
  if (fixed !== undefined) return JSON.stringify(fixed);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(", ");
  if (properties !== undefined) return `object: ${Object.keys(properties).join(", ")}`;
  if (type === "string") return "text";
  return type === "array" && items?.type !== undefined ? `list of ${items.type}` : (type ?? "JSON");
}

/** Schemas that are looked at for one value: a server may refer to schemas in ever more ways. */
const MAX_LOOKS = 1_000;

/** Whether a value is of the kind that a schema describes, as far as it must be known to choose a field for it. */
export function fits(schema, value, root, looks = { left: MAX_LOOKS }) {
  looks.left -= 1;
  if (looks.left < 0) return false;
  const one = resolved(schema, root);
  if (one.const !== undefined) return JSON.stringify(one.const) === JSON.stringify(value);
  if (Array.isArray(one.enum)) return one.enum.some((item) => JSON.stringify(item) === JSON.stringify(value));
  const branches = branchesOf(one);
  if (branches !== undefined) return branches.some((branch) => fits(branch, value, root, looks));
  if (one.type === "object" || one.properties !== undefined) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const isThere = (one.required ?? []).every((name) => Object.hasOwn(value, name));
    const known = Object.entries(one.properties ?? {}).filter(([name]) => Object.hasOwn(value, name));
    return isThere && known.every(([name, inner]) => fits(inner, value[name], root, looks));
  }
  if (one.type === "array") return Array.isArray(value);
  if (one.type === "integer") return Number.isInteger(value);
  if (one.type === "null") return value === null;
  return one.type === undefined || typeof value === one.type;
}
