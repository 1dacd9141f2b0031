export { createToolTelemetry } from "./tool-telemetry.ts";
export type { ToolTelemetry, ToolTelemetryOptions } from "./tool-telemetry.ts";
export type { ContentKind, ContentRedactor } from "./call-spans.ts";
