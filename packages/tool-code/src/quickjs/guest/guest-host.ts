/** Requests of the sandboxed side to the host. Only texts and numbers cross. */
export interface GuestHost {
  /** Sends a message, JSON, as a sandboxed process would. */
  (operation: "call" | "done", json: string): void;
  /** Prints text. */
  (operation: "print", text: string): void;
  /** Asks for `fire` after so many milliseconds; a negative number takes that back. */
  (operation: "wake", delayMs: number): void;
  /** Asks for `idle` after so many milliseconds, even if work is in progress then. */
  (operation: "linger", delayMs: number): void;
  /** Ends the program without an answer. */
  (operation: "stop"): void;
  /** Answers "full" when the program once used all of its memory, else nothing. */
  (operation: "full"): string | undefined;
  /** Parses a URL, or sets one of its parts. Returns the parts as JSON, or nothing when it is no URL. */
  (operation: "url", href: string, base?: string, part?: string): string | undefined;
  /** A number or a date as text, by the host's `Intl`. The arguments are JSON. Returns JSON. */
  (operation: "format", method: string, value: number | string, options: string): string;
  /** Maps a position in the module to one in the program: `line:column`, or nothing when it is not the program's. */
  (operation: "place", line: number, column: number): string | undefined;
}
