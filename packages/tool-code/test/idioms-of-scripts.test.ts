import { describe, test } from "vitest";
import { SCRIPTS } from "./idioms/scripts.ts";
import { openShop } from "./shop-programs.ts";

const expectMeant = openShop();

describe("execute() does what the author of a script meant by", () => {
  test.each(SCRIPTS)("%s", (_, code, meant) => expectMeant(code, meant));
});
