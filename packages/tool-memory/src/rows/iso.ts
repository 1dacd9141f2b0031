/** SQL that formats a `timestamptz` column as ISO 8601 in UTC with milliseconds, the same with every driver. */
export function iso(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
