/** A schema that a provider's strict subset of JSON Schema cannot express. */
export class UnsupportedSchemaError extends Error {
  override readonly name = "UnsupportedSchemaError";

  constructor(path: string, reason: string) {
    super(`${path} ${reason}`);
  }
}
