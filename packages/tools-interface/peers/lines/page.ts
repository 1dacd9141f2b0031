/** The output of the tools of the loops here. */
export const page = {
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  mimeType: "image/png",
} as const;

/** Asks the person at the keyboard. */
export type Ask = (tool: string, input: unknown) => Promise<boolean>;
