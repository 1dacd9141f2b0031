import { describe, test } from "vitest";
import { ANSWERS } from "./idioms/answers.ts";
import { openShop } from "./shop-programs.ts";

const expectMeant = openShop();

describe("execute() does what a model meant by", () => {
  test.each(ANSWERS)("%s", (_, code, meant) => expectMeant(code, meant));
});
