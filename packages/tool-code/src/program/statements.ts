import jsTokens from "js-tokens";

/** A token that is neither space nor a comment. */
export interface CodeToken {
  readonly type: string;
  readonly value: string;
  /** Position in the program, in characters. */
  readonly start: number;
  readonly end: number;
  /** Whether a line ends between it and the token before it. */
  readonly startsLine: boolean;
  /** How many brackets it stands in. */
  readonly depth: number;
}

/** A statement of a program that stands in no bracket. */
export interface Statement {
  readonly kind: "import" | "export" | "declaration" | "control" | "expression";
  /** Its tokens, a semicolon at its end not among them. */
  readonly tokens: readonly CodeToken[];
}

const DECLARES = /^(?:const|let|var|function|class|using)$/;
/** Words that declare something only where a name follows them in the same line. */
const MAY_DECLARE = /^(?:interface|type|enum|namespace|module|abstract|declare)$/;
const CONTROLS = /^(?:if|for|while|do|switch|try|throw|return|break|continue|with|debugger)$/;
/** Words that go on with a statement whose block has ended. */
const GOES_ON = /^(?:else|catch|finally)$/;
/** Tokens at the start of a line that go on with the line before. */
const CONTINUES = /^(?:[([`*/.,?:<>=&|^%+-].*|!==?|instanceof|in|of|as|satisfies)$/;
/** Tokens at the end of a line that ask for more. */
const ASKS_FOR_MORE =
  /^(?:[-+*/%&|^=<>!~?:.,([{].*|typeof|void|delete|new|await|yield|in|of|instanceof|as|satisfies|else|do|extends|implements|case)$/;
const HEADED = /^(?:if|for|while|with)$/;
const NAME = /^[\p{L}_$]/u;

/** The tokens of a program. */
export function tokensOf(code: string): readonly CodeToken[] {
  const tokens: CodeToken[] = [];
  let start = 0;
  let startsLine = true;
  let depth = 0;
  for (const { type, value } of jsTokens(code)) {
    const end = start + value.length;
    if (type === "LineTerminatorSequence" || (type === "MultiLineComment" && value.includes("\n"))) startsLine = true;
    else if (type !== "WhiteSpace" && !type.endsWith("Comment")) {
      const closes = type === "TemplateTail" || (type === "Punctuator" && /^[)\]}]$/.test(value));
      if (closes) depth -= 1;
      tokens.push({ type, value, start, end, startsLine, depth });
      if (type === "TemplateHead" || (type === "Punctuator" && /^[([{]$/.test(value))) depth += 1;
      startsLine = false;
    }
    start = end;
  }
  return tokens;
}

/**
 * The statements of a program. A guess, made of tokens: its results have to be tried. TypeScript is read as far as its
 * brackets pair as those of JavaScript do.
 */
export function statementsOf(tokens: readonly CodeToken[]): readonly Statement[] {
  const statements: Statement[] = [];
  let current: CodeToken[] = [];
  const end = (): void => {
    if (current.length > 0) statements.push({ kind: kindOf(current), tokens: current });
    current = [];
  };
  for (const token of tokens) {
    if (token.depth <= 0 && current.length > 0 && beginsStatement(current, token)) end();
    if (token.depth <= 0 && token.value === ";" && token.type === "Punctuator") end();
    else current.push(token);
  }
  end();
  return statements;
}

function kindOf([first, second]: readonly CodeToken[]): Statement["kind"] {
  const word = first?.type === "IdentifierName" ? first.value : "";
  const after = second?.value ?? "";
  const namesNext = second !== undefined && !second.startsLine && NAME.test(after);
  if (word === "import" && after !== "(" && after !== ".") return "import";
  if (word === "export") return "export";
  if (word === "async" && after === "function" && !second?.startsLine) return "declaration";
  if (DECLARES.test(word) && (word !== "using" || namesNext)) return "declaration";
  if (MAY_DECLARE.test(word) && namesNext && !/^(?:in|instanceof|as|satisfies)$/.test(after)) return "declaration";
  if (CONTROLS.test(word) || first?.value === "{" || first?.value === "@") return "control";
  return NAME.test(word) && after === ":" ? "control" : "expression";
}

function beginsStatement(current: readonly CodeToken[], token: CodeToken): boolean {
  const last = current.at(-1) as CodeToken;
  if (last.value === "}" && last.type === "Punctuator" && endsWithBlock(current)) {
    if (GOES_ON.test(token.value)) return false;
    return !(token.value === "while" && current[0]?.value === "do");
  }
  if (!token.startsLine || last.depth > 0 || token.type === "TemplateTail") return false;
  if (CONTINUES.test(token.value) && !/^(?:\+\+|--)$/.test(token.value)) return false;
  if (token.value === "{" && kindOf(current) !== "expression") return false;
  if (last.type === "Punctuator" && !/^(?:\+\+|--|[)\]}!])$/.test(last.value)) return false;
  if (last.type === "IdentifierName" && ASKS_FOR_MORE.test(last.value) && current.at(-2)?.value !== ".") return false;
  return !(last.value === ")" && current[0]?.value !== "do" && closesHead(current));
}

/** Whether a statement that has a block at its end is over with it. */
function endsWithBlock(current: readonly CodeToken[]): boolean {
  const kind = kindOf(current);
  if (kind === "control") return !/^(?:return|throw)$/.test(current[0]?.value ?? "");
  if (kind !== "declaration" && kind !== "export") return false;
  const words = current.slice(0, 4).map(({ value }) => value);
  return (
    words.some((word) => /^(?:function|class|interface|enum|namespace|module)$/.test(word)) && !words.includes("=")
  );
}

/** Whether the bracket that ends the tokens closes the head of a loop or a condition. */
function closesHead(current: readonly CodeToken[]): boolean {
  const depth = current.at(-1)?.depth;
  const open = current.findLastIndex(
    (token, at) => at < current.length - 1 && token.depth === depth && token.value === "(",
  );
  const before = current[open - 1]?.value ?? "";
  return HEADED.test(before === "await" ? (current[open - 2]?.value ?? "") : before);
}
