import { describe, test } from "vitest";
import { CODE_MODE, CODE_MODE_OF_DENO } from "./idioms/code-mode.ts";
import { SCRIPTS } from "./idioms/scripts.ts";
import { openShop } from "./shop-programs.ts";

const expectMeant = openShop();

describe("execute() does what the author of a script meant by", () => {
  test.each([...SCRIPTS, ...CODE_MODE, ...CODE_MODE_OF_DENO])("%s", (_, code, meant) => expectMeant(code, meant));
});
