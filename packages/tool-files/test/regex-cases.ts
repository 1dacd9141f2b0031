/** Lines that tell classes, boundaries, cases and line ends apart. */
export const REGEX_LINES: readonly (string | Uint8Array)[] = [
  ...["", "a", "ab", "A-b", "ä ß", "x1_y", "tab\there", "[set]", "{2}", "a.b", "a+b", "(a|b)", "back\\slash", "١٢"],
  ...["a\u00a0b", "end  ", "aaa", "ab ab", "é", "e\u0301", "日本語", "$1^", "a-z", "~!@#%&", "a/b", '"q"', "a\u2028b"],
  ...["a]b", "😀", "a😀b", "😀a", " 😀 ", "👩‍👩‍👧", "K", "\u212a", "k", "ſ", "s", "S", "σς", "Σ", "İ", "ı", "I"],
  ...[
    "DŽ ǅ ǆ",
    "Ω \u2126",
    "ﬁ",
    "Å \u212b",
    "żółw",
    "ЖУК",
    "жук",
    "αβγ",
    "ⅷ",
    "½",
    "_",
    "\u200d",
    "\u0600",
    "\x07\x0b\x0c",
  ],
  ...[
    "foo bar",
    "Foo.Bar(baz)",
    "fn main() {",
    "0xFFee",
    "a\rb",
    "\u0085",
    "\x7f",
    "\x1f",
    "^",
    "-",
    "\\",
    "&&",
    "--",
    "~~",
  ],
  new Uint8Array([0xe4, 0x61, 0xff]),
  new Uint8Array([0x61, 0xc3]),
  new Uint8Array([0x20, 0x80, 0x20]),
];

/** Expressions in Rust's syntax that both engines have to take and to read alike. */
export const REGEX_QUERIES: readonly string[] = [
  ...String.raw`a ^a b$ . ^.$ ^..$ \d+ \w+ ^\W \s \S+\s+\S \bab\b \Bb [a-c]+ [^a-z] [\d_] [\w-]$ []a] [^]a] a{2,} a{3} (a|b)+`.split(
    " ",
  ),
  ...String.raw`(?:a)b (?P<n>a)b (?<n>a)b (?i)A (?i)Ä \. \[ \{2\} \\ \- \/ \x61 \x{61} \u{61} \u0061 \U00000061 \pL \p{Greek}`.split(
    " ",
  ),
  ...String.raw`\p{Lu} \PL \t x* ^$ \$1\^ [a/] [.] \~ \" a| ] [a\]] \# [&] [~!] a-z (?i)[A-B] [(?:] [{2}] [(?]b [\^a] [a^] [^^]`.split(
    " ",
  ),
  ...String.raw`\p{Letter} / [\s\S] [\s\S]+$ ^[\S\s]$ [\d\D] [\w\W] [\W] [^\W] [^\D] [\W\d] [^\s\d] [\S] [^\S] [\D]$ [\PL] [^\PL] [\P{Lu}a]`.split(
    " ",
  ),
  ...String.raw`[[:alpha:]] [[:^alpha:]] [[:alnum:]_] [[:ascii:]] [^[:ascii:]] [[:blank:]] [[:cntrl:]] [[:digit:]] [[:graph:]] [[:lower:]]`.split(
    " ",
  ),
  ...String.raw`[[:print:]] [[:punct:]] [[:space:]] [[:upper:]] [[:word:]] [[:xdigit:]]+$ [[:foo:]] [[.a.]] ^[[:upper:][:digit:]]+$`.split(
    " ",
  ),
  ...String.raw`[a&&b] [a-c&&b-d] [\w&&[^\d]] [\w--\d] [a-z--[aeiou]] [a-c~~b-d] [\pL&&\p{Greek}] [\p{L}--\p{Lu}--a] [^\w&&\S] [[a-c][x-z]] [^[a-z]]`.split(
    " ",
  ),
  ...String.raw`[a[b]] [a-] [-a] [--a] [a-c-e] [a\-c] [&&a] [a&b] [a-c&&] [[]] [^[^a]] [^-] [^a-] [\t-\r] [\x61-\x63] [\n-a] [a\]b]`
    .split(" ")
    .filter((query) => !/^\[(?:\\n|&&a|\[\]\]|a-c&&\])|\\r/.test(query)),
  ...String.raw`(?i:A)b a(?i)B (?i:ä) (?i:k) (?i)k (?i)\u212a (?i)s (?i)ſ (?i)σ (?i)ω (?i)å (?i:[a-c])B (?i)[^k] (?i)[^a-z] (?i)\p{Lu} (?i)\P{Lu} (?i)[^\p{Lu}]`.split(
    " ",
  ),
  ...String.raw`(?i)[[:upper:]] (?i)[k--K] (?i)[\w--k] (?i)i (?i)ı (?i)İ (?i)ǅ (?i)ﬁ (?-i)a (?i)a(?-i)B (?i-s:a.) (?i)(?-i:a)B a(?i)b|C (a(?i)b|C)d|A`.split(
    " ",
  ),
  ...String.raw`(?m)^a (?m)b$ (?s). (?s)a. (?sm)^.$ (?s:.) (?U)a+ (?U)a+?$ (?x)a\x20b (?u)\w (?R)b$ (?R)^$ (?is)A. (?x:a) (?im:^A)`.split(
    " ",
  ),
  "(?x) a   b",
  "(?x)[ a b ]c",
  "(?x)a {2}",
  "(?x) \\ ",
  "a b",
  "[ ]",
  "\\ ",
  ...String.raw`\b \B \B. .\B \B\B \b. ^\B \B$ \b$ ^\b \B😀 😀\b 😀\B \b😀 ^😀$ ^.😀 😀. 😀$ ^$ ^^ $$ ^* $+ \b? (?:^)a (^|a)b (a|$) \B*a`.split(
    " ",
  ),
  ...String.raw`\< \> \<a a\> \b{start}a a\b{end} \b{start-half} \b{end-half}$ \b{start-half}\W \W\b{end-half} \b{start}\b{end}`.split(
    " ",
  ),
  ...String.raw`\p{greek} \p{Script=Latin} \p{sc=Han} \p{scx=Han} \p{gc=Lu} \p{General_Category=Nd} \p{uppercase_letter} \p{IsLatin} \p{Alphabetic}`.split(
    " ",
  ),
  ...String.raw`\p{White_Space} \pN \p{Nl} \p{Emoji} \P{Emoji} \p{Emoji_Presentation} \p{XID_Start} \p{L} \p{M} \p{Cyrillic} \p{Han} \p{ASCII} \p{Any} \p{Cc}`.split(
    " ",
  ),
  ...String.raw`\p{Upper} \p{Lowercase} \p{Cased} \p{Zs} \p{P} \p{Sm} \p{So} \p{Cf} \p{Cn} \p{Co} \p{C} \p{Latin} \p{LC} \p{hex_digit} \p{letter} \p{lu}`.split(
    " ",
  ),
  ...String.raw`a** a+* a?? a??? a+?* (a*)* (a|b*)*c? (?:)* () (|a) a||b |a (?:a|)b a{1} a{0} a{0,1}b a{1,2}? a{1,}? (a{2}){1} a{1}{2} (?:a{2})?b`.split(
    " ",
  ),
  ...String.raw`\a \f \v \x07 [\a\f\v] [\x{1F600}] \x{1F600} [😀a] [^😀] [😀-🙏] (?:😀|a)+ ^(?:\w+\s?)+$ \w\W\w ^\S+$ \S😀 [\w😀]$ \D+$ .*b .*?b ^.*$ .+ ^.+?$`.split(
    " ",
  ),
  ...String.raw`(?P<a.b>a) (?P<a_1>a)(?P<b>b) \!\"\#\%\&\'\,\; \_ \- \: \= \@ \` [\_\-\.\*] [*+?()|] [$^] \} } a}`
    .split(" ")
    .filter((query) => query !== String.raw`\!\"\#\%\&\'\,\;`),
];
