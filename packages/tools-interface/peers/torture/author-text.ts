import { NotOfferedError } from "@dispatch/check";

/** Stands for the author of a tool whose system takes nothing but finished text. */
export class AuthorText {
  #unfinished = false;

  /** The text of a tool's answer. Anything else is noted: how it is shown is the author's decision. */
  of(value: unknown): string {
    if (typeof value === "string") return value;
    this.#unfinished = true;
    return "";
  }

  /** @throws {NotOfferedError} When a tool answered something else than text. */
  check(): void {
    if (this.#unfinished) throw new NotOfferedError("tools answer text that their authors made");
  }
}
