import { isOfKeys, type Diagnosis } from "./explain-issues.ts";
import { unknownFields } from "./rename-fields.ts";

/** A field to leave out, as `applyRepairs` takes it. */
export interface Removal {
  /** Where the field is. */
  readonly path: readonly (string | number)[];
}

/** The fields to leave out of objects that were refused for having fields which their schema forbids. */
export function proposeRemovals({ problems }: Diagnosis): readonly Removal[] {
  return problems
    .filter(({ message }) => isOfKeys(message))
    .flatMap(({ location }) => unknownFields(location).map((key) => ({ path: [...location.path, key] })));
}
