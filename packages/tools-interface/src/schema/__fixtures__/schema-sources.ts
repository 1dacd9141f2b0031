import { Type } from "@sinclair/typebox";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod3";
import { z as z3v4 } from "zod3/v4";
import type { Schema } from "../../index.ts";

/** The same parameters in every library. */
export const schemaSources: readonly (readonly [string, Schema])[] = [
  [
    "Zod 4",
    z.object({
      city: z.string().describe("Name of the city"),
      days: z.number().int().max(14).optional(),
      tags: z.array(z.string()).default([]),
    }),
  ],
  [
    "zod/mini",
    mini.object({
      city: mini.string().check(mini.describe("Name of the city")),
      days: mini.optional(mini.int().check(mini.lte(14))),
      tags: mini._default(mini.array(mini.string()), []),
    }),
  ],
  [
    "zod/v4 inside zod 3.25",
    z3v4.object({
      city: z3v4.string().describe("Name of the city"),
      days: z3v4.number().int().max(14).optional(),
      tags: z3v4.array(z3v4.string()).default([]),
    }),
  ],
  [
    "Zod 3",
    z3.object({
      city: z3.string().describe("Name of the city"),
      days: z3.number().int().max(14).optional(),
      tags: z3.array(z3.string()).default([]),
    }),
  ],
  [
    "Valibot",
    toStandardJsonSchema(
      v.object({
        city: v.pipe(v.string(), v.description("Name of the city")),
        days: v.optional(v.pipe(v.number(), v.integer(), v.maxValue(14))),
        tags: v.optional(v.array(v.string()), []),
      }),
    ),
  ],
  [
    "ArkType",
    type({
      city: type("string").describe("Name of the city"),
      "days?": "number.integer <= 14",
      tags: type("string[]").default(() => []),
    }).onUndeclaredKey("delete"),
  ],
  [
    "TypeBox",
    Type.Object({
      city: Type.String({ description: "Name of the city" }),
      days: Type.Optional(Type.Integer({ maximum: 14 })),
      tags: Type.Optional(Type.Array(Type.String())),
    }),
  ],
  [
    "JSON Schema",
    {
      type: "object",
      properties: {
        city: { type: "string", description: "Name of the city" },
        days: { type: "integer", maximum: 14 },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["city"],
      additionalProperties: false,
    },
  ],
];
