import { harnessSource } from "./harness-source.ts";

let url: string | undefined;

/** The harness as a URL Deno takes for its main module: there is no file to protect, and no right to read one. */
export function harnessUrl(): string {
  // Shorter than base64 by a quarter.
  url ??= `data:application/javascript,${harnessSource().replaceAll(/[%#\n\r\t]|[^ -~]+/g, encodeURIComponent)}`;
  return url;
}
