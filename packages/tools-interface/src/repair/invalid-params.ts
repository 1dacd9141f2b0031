import { describeIssues, type Issue } from "../error/issue.ts";
import type { JsonSchema } from "../json/json.ts";
import type { Checked, CompiledSchema } from "../schema/compiled-schema.ts";
import { applyRepairs } from "./apply-repairs.ts";
import { exampleOf } from "./example-params.ts";
import { explainDiagnosis, isRepairable, diagnoseParams, type Diagnosis } from "./explain-issues.ts";
import type { Repair } from "./repair.ts";

/** Most rounds of repair and check: a repaired value may hold a damaged one. */
const MAX_ROUNDS = 4;

/** The answer to invalid parameters. */
export interface Explanation {
  /** The text a model reads. */
  readonly message: string;
  /** One entry a problem. */
  readonly issues: readonly Issue[];
}

/** Repaired parameters, validated, and the repairs in order. */
export type Repaired = { readonly value: unknown; readonly repairs: readonly Repair[] };

/** Repairs parameters that one tool's schema refused, or explains what is wrong with them. */
export class InvalidParamsHandler {
  readonly #name: string;
  readonly #schema: JsonSchema;
  readonly #validate: CompiledSchema["validate"];
  #closing: string | undefined;

  constructor(name: string, { jsonSchema, validate }: CompiledSchema) {
    this.#name = name;
    this.#schema = jsonSchema;
    this.#validate = validate;
  }

  /** Finds the problems behind the issues that the schema library reported. */
  diagnose(params: unknown, issues: readonly Issue[]): Diagnosis {
    try {
      return diagnoseParams(params, issues, this.#schema);
    } catch {
      // A proxy or a getter in the parameters can throw: then only the library's own issues are left.
      return { problems: [], others: issues, issues };
    }
  }

  /** True when there is a repair to try. */
  isRepairable(diagnosis: Diagnosis): boolean {
    return isRepairable(diagnosis);
  }

  /**
   * Repairs the parameters where the schema refused them and checks them again, for several rounds if needed.
   * `undefined` when they still do not fit: the answer then explains the first diagnosis.
   */
  async repair(params: unknown, diagnosis: Diagnosis): Promise<Repaired | undefined> {
    const repairs: Repair[] = [];
    let current = params;
    let left = diagnosis;
    for (let round = 0; round < MAX_ROUNDS && isRepairable(left); round += 1) {
      const proposals = left.problems.flatMap(({ proposal }) => proposal ?? []);
      current = applyRepairs(current, proposals);
      repairs.push(...proposals.map(({ path, kind, message }) => ({ path, kind, message })));
      const check: Checked = await this.#validate(current);
      if (check.issues === undefined) return { value: check.value, repairs };
      left = this.diagnose(current, check.issues);
    }
    return undefined;
  }

  /** The text for the model, and one issue for each problem. */
  explain(diagnosis: Diagnosis): Explanation {
    const issues = this.#issues(diagnosis);
    const name = this.#name;
    this.#closing ??= this.#example();
    const message = describeIssues(
      `Cannot call ${name} with these parameters`,
      issues,
      "Correct them and call it again",
      this.#closing,
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

  /** A smallest example of parameters, shown only if the schema accepts it. */
  #example(): string {
    try {
      const example = exampleOf(this.#schema, this.#schema);
      if (example === undefined) return "";
      const check = this.#validate(structuredClone(example));
      if ("then" in check) {
        // The answer does not wait for the example, so the outcome of its check is ignored.
        check.then(undefined, () => {});
        return "";
      }
      return check.issues === undefined ? `, for example with ${JSON.stringify(example)}` : "";
    } catch {
      return "";
    }
  }
}
