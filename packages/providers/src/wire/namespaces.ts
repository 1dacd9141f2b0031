import { isJsonObject } from "@dispatch/tools-interface/internal";

/** The separators between a namespace and the rest in the names of tools. */
const SEPARATOR = /^(?:\.|\/|__)/;
const NAMESPACE = /^[A-Za-z0-9_-]{1,64}$/;

/** The deferred tools of one group. The model sees the group's name and description before it finds one. */
export interface Namespace<WireTool> {
  /** Marks the kind of tool. */
  type: "namespace";
  /** The prefix of the names of its tools. */
  name: string;
  /** Describes its tools. */
  description: string;
  /** The tools, under the names that they have outside, too. */
  tools: WireTool[];
}

/**
 * Checks the namespaces of a host: descriptions by name.
 *
 * @throws {TypeError} When a name or a description is something else.
 */
export function checkNamespaces(namespaces: unknown): readonly (readonly [name: string, description: string])[] {
  const entries = typeof namespaces === "object" && namespaces !== null ? Object.entries(namespaces) : undefined;
  const wrong = entries?.find(([name, description]) => !NAMESPACE.test(name) || typeof description !== "string");
  if (entries !== undefined && !Array.isArray(namespaces) && wrong === undefined) return entries;
  const found = wrong === undefined ? `a value of type ${typeof namespaces}` : JSON.stringify(wrong[0].slice(0, 100));
  throw new TypeError(
    `Cannot group tools: found ${found}, allowed are descriptions by name, of 1 to 64 letters, digits, "_" and "-"`,
  );
}

/** Puts deferred tools into the namespaces that their own names begin with, behind those that are not deferred; others last. */
export function groupTools<WireTool extends { readonly name: string; readonly defer_loading?: true }>(
  tools: readonly WireTool[],
  fromWire: (name: string) => string,
  namespaces: readonly (readonly [name: string, description: string])[],
): (WireTool | Namespace<WireTool>)[] {
  const deferred = tools.filter(({ defer_loading }) => defer_loading === true);
  const groups = namespaces.map(([name, description]) => {
    const own = deferred.filter((tool) => isIn(name, fromWire(tool.name)));
    return { type: "namespace" as const, name, description, tools: own };
  });
  const grouped = new Set(groups.flatMap((group) => group.tools));
  return [
    ...tools.filter(({ defer_loading }) => defer_loading !== true),
    ...groups.filter((group) => group.tools.length > 0),
    ...deferred.filter((tool) => !grouped.has(tool)),
  ];
}

function isIn(namespace: string, name: string): boolean {
  return name.startsWith(namespace) && SEPARATOR.test(name.slice(namespace.length));
}

/**
 * The provider's name of a called function. One of a namespace that was not sent with these tools is another function,
 * even if its name is the same; the API calls a deferred function by its own name as the namespace.
 *
 * @param tools The tools that were sent.
 */
export function calledName(item: { readonly [key: string]: unknown }, tools: readonly unknown[]): unknown {
  const { name, namespace } = item;
  if (typeof namespace !== "string" || namespace === "" || namespace === name) return name;
  const isOurs = tools.some(
    (group) =>
      isJsonObject(group) &&
      group["type"] === "namespace" &&
      group["name"] === namespace &&
      holds(group["tools"], name),
  );
  return isOurs ? name : `${namespace}:${String(name)}`;
}

function holds(tools: unknown, name: unknown): boolean {
  return Array.isArray(tools) && tools.some((tool) => isJsonObject(tool) && tool["name"] === name);
}
