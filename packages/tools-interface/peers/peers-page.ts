import { countCases, countMended, type Comparison } from "./comparison.ts";
import { failuresOf } from "./failures.ts";
import { markdownTable } from "./markdown-table.ts";
import { damages, wrongCall } from "./repair/damages.ts";
import type { Mended } from "./repair/repair-report.ts";

/** The page with the results. Same results, same text. */
export function peersPage(all: readonly Comparison[]): string {
  return `# Compared with other packages

Written by \`npx pnpm bench peers\`, which repeats everything on this page: it installs the packages of
\`packages/tools-interface/peers\` and runs the same cases on all of them. Do not edit it.

The cases are those of \`@dispatch/check\`. They were written for this package, and they hold others to
what this package promises: a call settles, does not reject, and ends in a text that tells a model what happened. A package
that promises something else fails cases without being at fault. Rejecting when a call is cancelled, for one, is what several
of them document. "With a host that catches" therefore counts again with the least that a host can do about it: a rejection
becomes a failure with the error's message.

## How each was driven

${all.map(driven).join("\n")}

Every package is called as its documentation has agents call it, with the options it has for what a case is about. A case
about something that it does not have counts as not offered, neither passed nor failed. Where a package leaves asking for
approval to its host, approvers that misbehave never reach it: not offered. Each system runs in processes of its own; one
that hangs, ends or leaves an unhandled rejection fails the case at hand, and the next case has a fresh process. Figures of
this package are those of its source, the others' of what is installed.

## Misbehaving tools, models and hosts

${totals(all)}

Passed of offered, by what the cases are about:

${themes(all, "verdict")}

The same with a host that catches:

${themes(all, "caught")}

## Damaged calls

What becomes of ten calls that are almost right. ✓: the tool ran with what was meant; –: it did not run; ≠: it ran with
something else; ·: such a call never reaches the package, which is given parsed arguments by its host.

${repairs(all)}

What answers a call with three wrong fields (${wrongCall.wrongFields.map((field) => `\`${field}\``).join(", ")}):

${errors(all)}

## Failed cases

By what they are about and how they failed where nothing is caught. "Throws or rejects with" and "returns or resolves with"
stand for two cases each.

${all.map(failures).join("\n\n")}
`;
}

const shown = ({ peer }: Comparison): string => `\`${peer.packageName}\``;

function driven(comparison: Comparison): string {
  const { peer, version } = comparison;
  const without = peer.notOffered === "" ? "" : ` Not offered: ${peer.notOffered}.`;
  return `- ${shown(comparison)} ${version}: ${peer.path}. Options: ${peer.options}.${without}`;
}

function totals(all: readonly Comparison[]): string {
  const row = (comparison: Comparison): string[] => {
    const { cases } = comparison;
    const counts = [
      countCases(cases, "passed"),
      countCases(cases, "failed"),
      countCases(cases, "not_offered"),
      countCases(cases, "passed", "caught"),
    ];
    return [shown(comparison), ...counts.map(String)];
  };
  return markdownTable([
    [`of ${all[0]?.cases.length ?? 0} cases`, "passed", "failed", "not offered", "passed with a host that catches"],
    ...all.map(row),
  ]);
}

function themes(all: readonly Comparison[], host: "verdict" | "caught"): string {
  const topics = [...new Set(all[0]?.cases.map(({ topic }) => topic))];
  const cell = ({ cases }: Comparison, topic: string): string => {
    const own = cases.filter((each) => each.topic === topic);
    const offered = own.length - countCases(own, "not_offered", host);
    return offered === 0 ? "–" : `${countCases(own, "passed", host)}/${offered}`;
  };
  return markdownTable([
    ["", ...all.map(shown)],
    ...topics.map((topic) => [topic, ...all.map((comparison) => cell(comparison, topic))]),
  ]);
}

const marks: Readonly<Record<Mended, string>> = {
  mended: "✓",
  refused: "–",
  "ran with other values": "≠",
  "never reaches it": "·",
};

function repairs(all: readonly Comparison[]): string {
  return markdownTable([
    ["", ...all.map(shown)],
    ...damages.map(({ name }, index) => [name, ...all.map(({ repair }) => marks[repair.mended[index] ?? "refused"])]),
    [`of ${damages.length}`, ...all.map(({ repair }) => String(countMended(repair)))],
  ]);
}

function errors(all: readonly Comparison[]): string {
  return markdownTable([
    ["", "characters", "wrong fields named"],
    ...all.map((comparison) => {
      const { length, named } = comparison.repair.error;
      return [shown(comparison), String(length), `${named} of ${wrongCall.wrongFields.length}`];
    }),
  ]);
}

function failures(comparison: Comparison): string {
  const groups = failuresOf(comparison.cases);
  if (groups.length === 0) return `### ${shown(comparison)}\n\nNone.`;
  const lines = groups.map(
    ({ topic, cause, count, names }) =>
      `- ${topic}, ${cause} (${count}): ${names.join("; ").replaceAll(/__\w+__/g, "`$&`")}`,
  );
  return `### ${shown(comparison)}\n\n${lines.join("\n")}`;
}
