/** Makes pages of every published package's API from its types and comments: `npx pnpm docs:site` puts a site into `.docs-site`. */
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import {
  Application,
  Converter,
  ReflectionKind,
  type Context,
  type ProjectReflection,
  type TranslatedString,
  type TypeDocOptions,
} from "typedoc";
import { root, type Outcome } from "../machine/run-command.ts";

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly "@dispatch/source"?: string }>>;
}

const COMMON: TypeDocOptions = {
  tsconfig: path.join(root, "tsconfig.json"),
  // The compiler of the workspace has checked them; this one is older.
  skipErrorChecking: true,
  excludePrivate: true,
  excludeExternals: true,
  disableSources: true,
  // A link that leads nowhere is an error, and so is a public symbol without a comment. A type that is not exported is shown where it is used.
  validation: { invalidLink: true, notExported: false, notDocumented: true, rewrittenLink: true },
  // Properties are checked in `warnAboutFields`: those of inferred types have no place for a comment.
  requiredToBeDocumented: ["Enum", "Variable", "Function", "Class", "Interface", "TypeAlias", "Method", "Accessor"],
  treatValidationWarningsAsErrors: true,
  logLevel: "Warn",
};

if (import.meta.main) {
  const { ok, output } = await makeSite(path.join(root, ".docs-site"));
  console.log(output);
  process.exitCode = ok ? 0 : 1;
}

/** Finds out whether the pages can be made: every public symbol has a comment, and every link leads somewhere. */
export async function checkApiDocs(): Promise<Outcome> {
  const scratch = await mkdtemp(path.join(tmpdir(), "dispatch-api-"));
  try {
    return await describePackages(scratch);
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** A site of the repository's pages and the packages' API. */
async function makeSite(site: string): Promise<Outcome> {
  const scratch = await mkdtemp(path.join(tmpdir(), "dispatch-api-"));
  try {
    // A symbol without a comment is the gate's affair: it has a page all the same.
    await describePackages(scratch);
    const app = await Application.bootstrap({
      ...COMMON,
      entryPointStrategy: "merge",
      entryPoints: [path.join(scratch, "*.json")],
      name: "Dispatch",
      readme: path.join(root, "README.md"),
      projectDocuments: ["*.md", "{packages,apps}/*/docs/*.md"].map((pages) => path.join(root, pages)),
      out: site,
    });
    const project = await app.convert();
    if (project === undefined) return { ok: false, output: "Cannot put the packages' pages together" };
    await app.generateOutputs(project);
    return { ok: !app.logger.hasErrors(), output: `Open ${path.join(site, "index.html")}` };
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** Describes each package in a JSON file of `scratch`. */
async function describePackages(scratch: string): Promise<Outcome> {
  const wrong: string[] = [];
  for (const directory of globSync("packages/*/", { cwd: root }).toSorted()) {
    // A command exports nothing.
    if (!exportsCode(path.join(root, directory))) continue;
    const part = path.join(scratch, `${path.basename(directory)}.json`);
    if (!(await describePackage(path.join(root, directory), part))) {
      wrong.push(directory);
    }
  }
  return { ok: wrong.length === 0, output: `Cannot make the pages of ${wrong.join(", ")}: the reasons stand above` };
}

/** Warns about each field of an exported interface that has no comment. */
function warnAboutFields({ logger }: Application, project: ProjectReflection): void {
  for (const field of project.getReflectionsByKind(ReflectionKind.Property)) {
    if (!field.parent?.kindOf(ReflectionKind.Interface) || field.hasComment()) continue;
    logger.warn(`${field.getFullName()} does not have any documentation` as TranslatedString);
  }
}

function exportsCode(directory: string): boolean {
  const { exports } = JSON.parse(readFileSync(path.join(directory, "package.json"), "utf8")) as Manifest;
  return Object.values(exports).some((target) => typeof target !== "string");
}

/** Writes a package's exports, with its README, to a file; `false` on a fault, which is then logged. */
async function describePackage(directory: string, file: string): Promise<boolean> {
  const { name, exports } = JSON.parse(readFileSync(path.join(directory, "package.json"), "utf8")) as Manifest;
  const specifiers = new Map(
    Object.entries(exports).flatMap(([subpath, target]) => {
      const source = typeof target === "string" ? undefined : target["@dispatch/source"];
      // The internal entry is for the packages of this repository.
      return source === undefined || subpath === "./internal"
        ? []
        : [[path.join(directory, source), subpath.slice(2) || "index"] as const];
    }),
  );
  const entryPoints = [...specifiers.keys()];
  const app = await Application.bootstrap({ ...COMMON, entryPoints, name, readme: "none" });
  // Modules are named by their import specifier, not by the file it leads to.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }: Context) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      const source = entryPoints.find((entry) => entry.endsWith(`/${module.name}.ts`));
      module.name = specifiers.get(source ?? "") ?? module.name;
    }
  });
  const project = await app.convert();
  if (project === undefined) return false;
  app.validate(project);
  warnAboutFields(app, project);
  await app.generateJson(project, file);
  return !app.logger.hasErrors() && !app.logger.hasWarnings();
}
