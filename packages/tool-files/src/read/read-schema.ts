import { z } from "zod";
import type { LineNumbers } from "../text/line-numbers.ts";

export const MAX_LINES = 2000;
/** Most bytes of one answer: 50 KB. */
export const MAX_BYTES: number = 50 * 1024;

/** Most bytes of one answer to a program: 4 MiB. */
export const MAX_PROGRAM_BYTES: number = 4 * 1024 * 1024;

/** The parameters of `read_file` and the data of its answers, with lines numbered from `numbers.first`. */
export function readSchemas(numbers: LineNumbers) {
  const { first, based } = numbers;
  const parameters = z.object({
    path: z.string().describe("File to read, relative to the worktree"),
    start_line: z
      .int()
      .optional()
      .describe(`First line, ${based}; -20 begins with the last 20 lines. Default ${first}`),
    end_line: z
      .int()
      .min(-1)
      .optional()
      .describe(`Last line, ${based} and inclusive; -1 is the end of the file. Default -1`),
    start_byte: z
      .int()
      .min(0)
      .optional()
      .describe("Byte of the first line to begin at, 0-based, to read on in a line that was cut. Default 0"),
    pages: z.string().optional().describe('Pages of a PDF, from 1, such as "3" or "3-5". Default: the first 20'),
    encoding: z
      .string()
      .optional()
      .describe(
        "Encoding of the file, such as windows-1251 or Shift_JIS, if it is neither UTF-8 nor UTF-16, which are recognised",
      ),
  });
  const output = z.object({
    path: z.string().describe("The file that was read, links resolved"),
    content: z.string().describe("Text of the lines as in the file, line ends included, without numbers"),
    start_line: z.int().describe(`First line, ${based}`),
    end_line: z.int().describe(`Last line, ${based} and inclusive; start_line - 1 when there is none`),
    total_lines: z
      .int()
      .nullable()
      .describe(
        "Lines of the file, null when it is too long to count them or an image; of a PDF those of the pages read",
      ),
    next: parameters.nullable().describe("Parameters of the call that reads on, null when nothing was cut"),
    cut: z.array(parameters).describe("For each line that was cut, parameters of the call that reads on in it"),
    encoding: z.string().nullable().describe("How the file writes text, such as UTF-8; null for an image or a PDF"),
    version: z.string().nullable().describe("Names the contents for if_version; null for a file above 8 MiB"),
    image: z
      .object({ mime_type: z.string(), width: z.int(), height: z.int() })
      .nullable()
      .describe("What kind of image it is, its size in pixels; null for text"),
  });
  return { parameters, output };
}

export type ReadParameters = z.infer<ReturnType<typeof readSchemas>["parameters"]>;

export type ReadOutput = z.infer<ReturnType<typeof readSchemas>["output"]>;
