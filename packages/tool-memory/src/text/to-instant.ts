/** A time as ISO 8601 in UTC with milliseconds; `undefined` when the text is none, or its year has not four digits. */
export function toInstant(text: string): string | undefined {
  const time = new Date(text);
  // PostgreSQL and SQLite compare years of four digits alike.
  const isTime = !Number.isNaN(time.getTime()) && time.getUTCFullYear() >= 0 && time.getUTCFullYear() <= 9_999;
  return isTime ? time.toISOString() : undefined;
}
