import { describeIssues, type Issue } from "../error/issue.ts";
import type { JsonSchema } from "../json/json.ts";
import type { Checked, CompiledSchema } from "../schema/compiled-schema.ts";
import { applyRepairs } from "./apply-repairs.ts";
import { exampleOf } from "./example-params.ts";
import { explainDiagnosis, isRepairable, diagnoseParams, type Diagnosis } from "./explain-issues.ts";
import type { Repair } from "./repair.ts";

/** Parameters are checked again so often: a repaired place may show a damaged one inside it. */
const MAX_ROUNDS = 4;

/** What a refusal says. */
export interface Explanation {
  /** The text a model reads. */
  readonly message: string;
  /** One entry a problem. */
  readonly issues: readonly Issue[];
}

/** What became of parameters that were refused. */
export type Repaired = { readonly value: unknown; readonly repairs: readonly Repair[] };

/** What one tool does about parameters that its schema refuses: repair them or say what is wrong. */
export class InvalidParams {
  readonly #name: string;
  readonly #schema: JsonSchema;
  readonly #validate: CompiledSchema["validate"];
  #closing: string | undefined;

  constructor(name: string, { jsonSchema, validate }: CompiledSchema) {
    this.#name = name;
    this.#schema = jsonSchema;
    this.#validate = validate;
  }

  /** The problems behind issues. */
  locate(params: unknown, issues: readonly Issue[]): Diagnosis {
    try {
      return diagnoseParams(params, issues, this.#schema);
    } catch {
      // A proxy or a getter can throw wherever it is looked at: then what the library saw has to do.
      return { problems: [], others: issues, issues };
    }
  }

  /** True when it is worth trying to repair the parameters. */
  isRepairable(refusal: Diagnosis): boolean {
    return isRepairable(refusal);
  }

  /**
   * Repairs parameters at the places that were refused, checks them again, and so on while there is something to
   * repair. `undefined` when they still do not fit: then what was wrong at first is what is to be said.
   */
  async repair(params: unknown, refusal: Diagnosis): Promise<Repaired | undefined> {
    const repairs: Repair[] = [];
    let current = params;
    let left = refusal;
    for (let round = 0; round < MAX_ROUNDS && isRepairable(left); round += 1) {
      const proposals = left.problems.flatMap(({ proposal }) => proposal ?? []);
      current = applyRepairs(current, proposals);
      repairs.push(...proposals.map(({ path, kind, message }) => ({ path, kind, message })));
      const check: Checked = await this.#validate(current);
      if (check.issues === undefined) return { value: check.value, repairs };
      left = this.locate(current, check.issues);
    }
    return undefined;
  }

  /** What to answer. */
  explain(refusal: Diagnosis): Explanation {
    const issues = this.#issues(refusal);
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

  #issues(refusal: Diagnosis): readonly Issue[] {
    try {
      return explainDiagnosis(refusal, this.#schema);
    } catch {
      return refusal.issues;
    }
  }

  /** A smallest example, shown only if it is right. */
  #example(): string {
    try {
      const example = exampleOf(this.#schema, this.#schema);
      if (example === undefined) return "";
      const check = this.#validate(structuredClone(example));
      if ("then" in check) {
        // Nobody waits for the example: what its check answers, or throws, is of no interest.
        check.then(undefined, () => {});
        return "";
      }
      return check.issues === undefined ? `, for example with ${JSON.stringify(example)}` : "";
    } catch {
      return "";
    }
  }
}
