import pg from "pg";
import { toRepeatable } from "./while-unreachable.ts";

type Query = (this: pg.Client, ...given: unknown[]) => unknown;
type Callback = (error: unknown, result: unknown) => void;

/** A connection whose errors DBOS can tell from those of a statement. */
export class PatientClient extends pg.Client {
  override query = ((...given: unknown[]): unknown => {
    const query = Reflect.get(pg.Client.prototype, "query") as Query;
    const callback = given.at(-1);
    if (typeof callback === "function") {
      const answered: Callback = (error, result) => (callback as Callback)(error && toRepeatable(error), result);
      return query.apply(this, [...given.slice(0, -1), answered]);
    }
    const answer = query.apply(this, given);
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: unknown) => {
      throw toRepeatable(error);
    });
  }) as pg.Client["query"];
}
