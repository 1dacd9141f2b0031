/** A date of ISO 8601, or the beginning of one, with or without a time. Other texts mean one thing here and another elsewhere. */
const TIME = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/i;

/**
 * A time as ISO 8601 in UTC with milliseconds; `undefined` when the text is none, or its year is not 1 to 9999. Without an offset
 * it is in UTC.
 */
export function toInstant(text: string): string | undefined {
  const [, year, month = "01", day = "01", clock = "00:00", seconds = ":00", zone = "Z"] =
    TIME.exec(typeof text === "string" ? text : "") ?? [];
  const date = `${year}-${month}-${day}`;
  // A day that a month does not have would be one of the next month.
  if (new Date(date).getUTCDate() !== Number(day)) return undefined;
  const time = new Date(`${date}T${clock}${seconds}${zone}`.toUpperCase());
  // PostgreSQL and SQLite compare years of four digits alike; PostgreSQL has no year 0.
  const isTime = !Number.isNaN(time.getTime()) && time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9_999;
  return isTime ? time.toISOString() : undefined;
}
