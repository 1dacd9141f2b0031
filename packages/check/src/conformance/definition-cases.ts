import { lintTools, type LintFinding } from "@dispatch/providers/lint";
import { createToolRegistry } from "@dispatch/tools-interface";
import { generateStubs } from "@dispatch/tools-interface/internal";
import { conformanceCase, expectOf, type ConformanceCase } from "../conformance-case.ts";
import type { ConformancePlan } from "../conformance-options.ts";

/** Requirements on a tool's definition. */
export function definitionCases({ tool, accepts }: ConformancePlan): readonly ConformanceCase[] {
  const { name, annotations } = tool;
  const lint = (isMeant: (finding: LintFinding) => boolean): void => {
    const found = lintTools([tool]).filter((finding) => isMeant(finding) && !accepts(finding));
    expectOf(found.length === 0, "lint to find nothing", found.map(lineOf).join("; "));
  };
  return [
    conformanceCase("definition", `${name} can be registered`, () => void createToolRegistry().register(tool)),
    conformanceCase("definition", `${name} has a name that every provider takes as it is`, () =>
      lint(({ path }) => path === "name"),
    ),
    conformanceCase("definition", `${name} describes itself and each of its parameters`, () =>
      lint(({ target, path }) => target === undefined || path === "description"),
    ),
    conformanceCase("definition", `${name} has a schema that every provider takes as it is`, () =>
      lint(({ target, path, untold }) => target !== undefined && path.startsWith("#") && untold === undefined),
    ),
    conformanceCase("definition", `${name} is defined by the same bytes each time`, () => {
      const first = JSON.stringify(tool.definition);
      expectOf(first === JSON.stringify(tool.definition), first, JSON.stringify(tool.definition));
      expectOf(isFrozen(tool.definition), "a definition that is frozen through and through", "one that can be changed");
    }),
    conformanceCase("definition", `${name} has annotations that agree with each other`, () => {
      const { readOnly, destructive } = annotations;
      expectOf(!(readOnly && destructive), "readOnly or destructive", "both");
      const odd = Object.entries(annotations).filter(([, value]) => typeof value !== "boolean");
      expectOf(odd.length === 0, "each annotation to be a boolean", odd.map(([key]) => key).join());
    }),
    conformanceCase("definition", `${name} can be called from sandboxed code`, () => {
      const stub = generateStubs([tool]);
      expectOf(stub.includes(JSON.stringify(name)), `a stub that calls ${JSON.stringify(name)}`, stub.slice(0, 400));
      expectOf(stub === generateStubs([tool]), "the same stub each time", "another one");
    }),
  ];
}

function lineOf({ target, path, what, advice }: LintFinding): string {
  return `${path} (${target ?? "any"}): ${what}. ${advice}`;
}

function isFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}
