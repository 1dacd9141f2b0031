import type { JsonSchema } from "../json/json.ts";
import { textOfPattern } from "./pattern-text.ts";

/** No examples with longer arrays and strings: a model learns nothing from them. */
export const MAX_SIZE = 40;

/** Longer texts are not tried with a pattern that is not read. In characters. */
const MAX_UNREAD = 16;

/** Examples of each format. */
const OF_FORMAT: { readonly [format: string]: string | readonly string[] } = {
  "date-time": "2030-01-31T12:00:00Z",
  date: "2030-01-31",
  time: ["12:00:00", "12:00:00Z"],
  duration: "P1D",
  email: "name@example.com",
  "idn-email": "name@example.com",
  hostname: "example.com",
  "idn-hostname": "example.com",
  uri: "https://example.com",
  "uri-reference": "https://example.com",
  iri: "https://example.com",
  "iri-reference": "https://example.com",
  "uri-template": "https://example.com/{name}",
  url: "https://example.com",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  "json-pointer": "/name",
  "relative-json-pointer": "0/name",
  regex: "^a$",
};

/** Texts that may fit, the plainest first. */
export function exampleTexts({ format, pattern, minLength = 0, maxLength = MAX_SIZE }: JsonSchema): readonly string[] {
  const [least, most] = [Number(minLength), Number(maxLength)];
  if (least > MAX_SIZE) return [];
  const ofFormat = typeof format === "string" && Object.hasOwn(OF_FORMAT, format) ? [OF_FORMAT[format]!].flat() : [];
  const plain = "text".padEnd(least, "-").slice(0, most);
  const isRead = typeof pattern === "string" && textOfPattern(pattern) !== undefined;
  // A pattern that is not read may take long to match.
  if (typeof pattern === "string" && !isRead) return [...ofFormat, plain].filter((text) => text.length <= MAX_UNREAD);
  const ofPattern = isRead ? [0, 1, 2, least, 5].flatMap((more) => textOfPattern(pattern, more) ?? []) : [];
  const padded = ofPattern.flatMap((text) => [text.padEnd(least, "a"), text.padStart(least, "a"), `a${text}`]);
  const fits = (text: string): boolean => text.length >= least && text.length <= most;
  return unique([
    ...ofFormat,
    ...[...ofPattern, ...padded].filter(fits),
    plain,
    ...["a", "a longer text"].filter(fits),
  ]);
}

/** Numbers that may fit, the plainest first. */
export function exampleNumbers(one: JsonSchema): readonly number[] {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf, type } = one;
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : 1;
  const bounds = [minimum, exclusiveMinimum, maximum, exclusiveMaximum].filter((bound) => typeof bound === "number");
  const first = exampleNumber(one, step);
  const near = bounds.flatMap((bound) => [
    bound,
    Math.ceil(bound / step) * step,
    Math.floor(bound / step) * step,
    Math.floor(bound / step) * step + step,
    Math.ceil(bound / step) * step - step,
    ...(type === "integer" ? [] : [bound + step / 2, bound - step / 2]),
  ]);
  return unique([first, ...near, step, 0, 1, -1, 2, 3, 0.5]).filter(Number.isFinite);
}

function exampleNumber(
  { minimum, exclusiveMinimum, maximum, exclusiveMaximum, type }: JsonSchema,
  step: number,
): number {
  const above =
    typeof exclusiveMinimum === "number" ? exclusiveMinimum + (type === "integer" ? step : step / 2) : undefined;
  const least = typeof minimum === "number" ? minimum : above;
  if (least !== undefined) return Math.ceil(least / step) * step;
  const most =
    typeof maximum === "number" ? maximum : typeof exclusiveMaximum === "number" ? exclusiveMaximum - step : step;
  return Math.floor(Math.min(most, step) / step) * step;
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
