/** An answer for a fake provider, in no provider's format. */
export interface Answer {
  /** Comes in two pieces. */
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: object }[];
  /** Whether the answer reaches its longest length; its last call is then half. */
  readonly cutOff?: boolean;
  /** Why the answer ended, in the provider's own word, where the test wants another than the usual one. */
  readonly stopReason?: string;
  /** A refusal instead of an answer. Only whole answers of OpenAI's protocols have it. */
  readonly refusal?: string;
  /** Tokens that the provider counted in the request. Default 42. */
  readonly inputTokens?: number;
}

/** A text in pieces, as a stream brings it. */
export function inPieces(text: string): readonly string[] {
  const length = Math.max(1, Math.ceil(text.length / 3));
  return text.match(new RegExp(`.{1,${length}}`, "gsu")) ?? [];
}

/** The arguments of a call as JSON in pieces; of a call that is cut off, not all of them. */
export function argumentPieces(input: object, isCut: boolean): readonly string[] {
  const pieces = inPieces(JSON.stringify(input));
  return isCut ? pieces.slice(0, -1) : pieces;
}
