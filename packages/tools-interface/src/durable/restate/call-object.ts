import type { ObjectContext, ObjectSharedContext, Serde } from "@restatedev/restate-sdk";

/** Values as JSON. */
export const json: Serde<unknown> = {
  contentType: "application/json",
  serialize: (value) => new TextEncoder().encode(JSON.stringify(value ?? null)),
  deserialize: (data) => (data.length === 0 ? undefined : (JSON.parse(new TextDecoder().decode(data)) as unknown)),
};

/** Calls a handler of another object, as a part of this one: both happen, or neither. */
export function callObject(
  context: ObjectContext | ObjectSharedContext,
  service: string,
  key: string,
  method: string,
  parameter: unknown,
): Promise<unknown> {
  return context.genericCall({ service, method, key, parameter, inputSerde: json, outputSerde: json });
}
