import { closestMeaning } from "../error/closest-match.ts";
import {
  describeIssues,
  type FoundIssues,
  type IgnoredField,
  type IgnoredFields,
  type Issue,
  MAX_LISTED_KEYS,
  type ValidationError,
} from "../error/issue.ts";
import type { JsonSchema } from "../json/json.ts";
import type { Checked, CompiledSchema } from "../schema/compiled-schema.ts";
import { ignoredFields, namesFields } from "../schema/unknown-fields.ts";
import { isPending } from "../wait/thenable.ts";
import { exampleOf } from "./example-params.ts";
import { diagnoseParams, type Diagnosis, explainDiagnosis, isOfKeys } from "./explain-issues.ts";
import { locationAt, rootLocation } from "./instance-location.ts";
import { applyRepairs, type Proposal } from "./propose-repair.ts";
import { freeFields, proposeRenames, unknownFields } from "./rename-fields.ts";
import type { Repair, RepairPolicy } from "./repair.ts";
import { holdsParams, unwrapParams } from "./unwrap-params.ts";

/** Most rounds of repair and check: a repaired value may hold a damaged one. */
const MAX_ROUNDS = 6;

/** Most ignored fields for which the one that was meant is looked for. */
const MAX_HINTS = 20;

/** Longer examples are not shown. */
const MAX_EXAMPLE_CHARS = 600;

/** The diagnosis of parameters that the schema accepts. */
const NO_PROBLEMS: Diagnosis = Object.freeze({ problems: [], others: 0, issues: [] });

/** Repaired parameters, validated, and the repairs made. */
export interface Repaired {
  /** The parameters as they would have been sent. */
  readonly params: unknown;
  /** The schema's output for them. */
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  /** The forbidden fields that were left out. */
  readonly ignored: readonly IgnoredField[];
}

/** Repairs parameters that one tool's schema refused, or explains their faults. */
export class InvalidParamsHandler {
  readonly #name: string;
  readonly #schema: JsonSchema;
  readonly #validate: CompiledSchema["validate"];
  /** Most invalid calls name their fields right. Seeing that saves a tenth of the time: there is nothing to rename. */
  readonly #namesFields: (value: unknown) => boolean;
  #closing: string | undefined;

  constructor(name: string, { jsonSchema, validate }: CompiledSchema) {
    this.#name = name;
    this.#schema = jsonSchema;
    this.#validate = validate;
    this.#namesFields = namesFields(jsonSchema);
  }

  /** Finds the problems behind the issues that the schema library reported. */
  diagnose(params: unknown, found: FoundIssues): Diagnosis {
    try {
      return diagnoseParams(params, found, this.#schema);
    } catch {
      // A proxy or a getter in the parameters can throw: then only the library's own issues are left.
      return { problems: [], others: found.others ?? 0, issues: found.issues };
    }
  }

  /** True when there is a repair to try. Of a call that is only wrong the answer then need not be waited for. */
  isRepairable(params: unknown, diagnosis: Diagnosis, policy: RepairPolicy): boolean {
    if (policy === "off") return false;
    if (policy === "lenient" || this.#unwrap(params) !== undefined) return true;
    return diagnosis.others === 0 && this.#proposals(params, diagnosis).length > 0;
  }

  /**
   * Repairs parameters that the schema refused and checks them again, for several rounds if needed. `undefined` when
   * they still do not fit: the answer then explains the first diagnosis.
   */
  async repair(params: unknown, diagnosis: Diagnosis, policy: RepairPolicy): Promise<Repaired | undefined> {
    if (policy === "off") return undefined;
    const unwrapped = this.#unwrap(params);
    if (unwrapped === undefined) return this.#mend(params, diagnosis, policy);
    const { params: inner, repair } = unwrapped;
    const check: Checked = await this.#validate(inner);
    const fits = check.issues === undefined;
    const asIs = fits ? { params: inner, value: check.value, repairs: [], ignored: [] } : undefined;
    // Parameters that fit may still have fields in another case.
    const mended = (await this.#mend(inner, fits ? NO_PROBLEMS : this.diagnose(inner, check), policy)) ?? asIs;
    return mended && { ...mended, repairs: [repair, ...mended.repairs] };
  }

  /**
   * Reads parameters once more that the schema accepts, although they hold fields that it does not name: in another case
   * than its own, or around the parameters. `undefined` when there is nothing to repair, or it would not fit.
   */
  async reread(params: unknown, policy: RepairPolicy): Promise<Repaired | undefined> {
    const reread = await this.repair(params, NO_PROBLEMS, policy);
    const [first] = reread?.repairs ?? [];
    if (first?.kind === "unwrapped") return reread;
    // A call that fits is taken as it is when another reading of it would have to be mended.
    return reread?.repairs.every(({ kind }) => kind === "key_renamed") === true ? reread : undefined;
  }

  /**
   * The fields of accepted parameters that the schema's library dropped, each with the one of its object that was
   * probably meant.
   *
   * @param value - The schema's output for them.
   */
  ignoredFields(params: unknown, value: unknown): IgnoredFields {
    const root = rootLocation(params, this.#schema);
    const { listed, others } = ignoredFields(params, value, this.#schema);
    const hinted = listed.map((field, index) => {
      if (index >= MAX_HINTS) return field;
      const { path } = field;
      const free = freeFields(locationAt(root, path.slice(0, -1), this.#schema));
      const meant = closestMeaning(String(path.at(-1)), free);
      return meant === undefined ? field : { path, meant };
    });
    return { listed: hinted, others };
  }

  #unwrap(params: unknown): ReturnType<typeof unwrapParams> {
    try {
      return unwrapParams(params, this.#name, this.#schema);
    } catch {
      return undefined;
    }
  }

  async #mend(params: unknown, diagnosis: Diagnosis, policy: RepairPolicy): Promise<Repaired | undefined> {
    const repairs: Repair[] = [];
    const ignored: IgnoredField[] = [];
    let keysLeft = MAX_LISTED_KEYS;
    let current = params;
    let left = diagnosis;
    for (let round = 0; round < MAX_ROUNDS && left.others === 0; round += 1) {
      const proposals = this.#proposals(current, left);
      for (const { path, kind, message } of proposals) repairs.push({ path, kind, message });
      const removals = proposals.length === 0 && policy === "lenient" ? proposeRemovals(left) : [];
      for (const { path } of removals) {
        keysLeft -= path.length;
        ignored.push({ path });
      }
      if (keysLeft < 0 || (proposals.length === 0 && removals.length === 0)) return undefined;
      current = applyRepairs(current, [...proposals, ...removals]);
      const check: Checked = await this.#validate(current);
      // A renamed field may hold fields to be renamed: without them the call would fit by losing their values.
      if (check.issues === undefined && this.#proposals(current, NO_PROBLEMS).length === 0) {
        return { params: current, value: check.value, repairs, ignored };
      }
      left = check.issues === undefined ? NO_PROBLEMS : this.diagnose(current, check);
    }
    return undefined;
  }

  #proposals(params: unknown, { problems, root }: Diagnosis): readonly Proposal[] {
    try {
      const isStray = problems.some(({ message }) => isOfKeys(message)) || !this.#namesFields(params);
      const renames = isStray ? proposeRenames(root ?? rootLocation(params, this.#schema), this.#schema) : [];
      const others = problems.flatMap(({ proposal }) =>
        proposal === undefined || proposal.kind === "key_renamed" ? [] : [proposal],
      );
      const all = [...renames, ...others];
      return all.length > 0 && holdsParams(params, this.#schema) ? [] : all;
    } catch {
      return [];
    }
  }

  /** The text for the model, and one issue for each problem. */
  explain(diagnosis: Diagnosis): Pick<ValidationError, "message" | "issues"> {
    const issues = this.#issues(diagnosis);
    const message = describeIssues(
      `Cannot call ${this.#name} with these parameters`,
      { issues, others: diagnosis.others },
      "Correct them and call it again",
      (this.#closing ??= this.#example()),
    );
    return { message, issues };
  }

  #issues(diagnosis: Diagnosis): readonly Issue[] {
    try {
      return explainDiagnosis(diagnosis, this.#schema);
    } catch {
      return diagnosis.issues;
    }
  }

  /** An example of parameters, given only if the schema accepts it. */
  #example(): string {
    try {
      const example = exampleOf(this.#schema);
      const text = example === undefined ? "" : JSON.stringify(example);
      if (text === "" || text.length > MAX_EXAMPLE_CHARS) return "";
      const check = this.#validate(example);
      if (!isPending(check)) return check.issues === undefined ? `, for example with ${text}` : "";
      // The answer does not wait for a check that takes longer.
      check.then(undefined, () => {});
      return "";
    } catch {
      return "";
    }
  }
}

/** The fields to leave out of objects that were refused for having fields which their schema forbids. */
function proposeRemovals({ problems }: Diagnosis): readonly Pick<Proposal, "path">[] {
  return problems
    .filter(({ message }) => isOfKeys(message))
    .flatMap(({ location }) => unknownFields(location).map((key) => ({ path: [...location.path, key] })));
}
