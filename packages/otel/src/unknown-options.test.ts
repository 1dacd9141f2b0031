import { expect, test } from "vitest";
import * as otel from "./index.ts";

test("every public function names the option that was meant", () => {
  expect(Object.keys(otel)).toEqual(["createToolTelemetry"]);
  const options = { captureContents: true } as object;
  expect(() => otel.createToolTelemetry(options)).toThrow(
    'Cannot create telemetry: found the option "captureContents", did you mean "captureContent"',
  );
});
