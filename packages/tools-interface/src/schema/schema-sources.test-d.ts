import { Type } from "@sinclair/typebox";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod3";
import { z as z3v4 } from "zod3/v4";
import { defineTool, type InferInput, type InferOutput } from "../index.ts";

interface Accepted {
  city: string;
  tags?: string[] | undefined;
}
interface Produced {
  city: string;
  tags: string[];
}

const zod4 = z.object({ city: z.string(), tags: z.array(z.string()).default([]) });
const zodMini = mini.object({ city: mini.string(), tags: mini._default(mini.array(mini.string()), []) });
const zod3 = z3.object({ city: z3.string(), tags: z3.array(z3.string()).default([]) });
const zod3v4 = z3v4.object({ city: z3v4.string(), tags: z3v4.array(z3v4.string()).default([]) });
const valibot = toStandardJsonSchema(v.object({ city: v.string(), tags: v.optional(v.array(v.string()), []) }));
const arktype = type({ city: "string", tags: type("string[]").default(() => []) });
const typebox = Type.Object({ city: Type.String(), tags: Type.Array(Type.String()) });
const raw = { type: "object", properties: { city: { type: "string" } } } as const;

expectTypeOf<InferInput<typeof zod4>>().toEqualTypeOf<Accepted>();
expectTypeOf<InferInput<typeof zodMini>>().toEqualTypeOf<Accepted>();
expectTypeOf<InferInput<typeof zod3>>().toEqualTypeOf<Accepted>();
expectTypeOf<InferInput<typeof zod3v4>>().toEqualTypeOf<Accepted>();
expectTypeOf<InferInput<typeof valibot>>().toEqualTypeOf<Accepted>();
expectTypeOf<InferInput<typeof arktype>>().toExtend<{ city: string; tags?: string[] }>();
expectTypeOf<{ city: string }>().toExtend<InferInput<typeof arktype>>();
expectTypeOf<InferInput<typeof typebox>>().toEqualTypeOf<Produced>();
expectTypeOf<InferInput<typeof raw>>().toEqualTypeOf<Record<string, unknown>>();

expectTypeOf<InferOutput<typeof zod4>>().toEqualTypeOf<Produced>();
expectTypeOf<InferOutput<typeof zodMini>>().toEqualTypeOf<Produced>();
expectTypeOf<InferOutput<typeof zod3>>().toEqualTypeOf<Produced>();
expectTypeOf<InferOutput<typeof zod3v4>>().toEqualTypeOf<Produced>();
expectTypeOf<InferOutput<typeof valibot>>().toEqualTypeOf<Produced>();
expectTypeOf<InferOutput<typeof arktype>>().toEqualTypeOf<Produced>();
expectTypeOf<InferOutput<typeof typebox>>().toEqualTypeOf<Produced>();
expectTypeOf<InferOutput<typeof raw>>().toEqualTypeOf<Record<string, unknown>>();

/** A schema whose type is an interface, as those of TypeBox 1 are. */
interface Interfaced {
  readonly type: "object";
  readonly properties: object;
}
declare const interfaced: Interfaced;
defineTool({ name: "t", description: "T.", parameters: interfaced, execute: ({ city }) => String(city) });

const spec = { name: "t", description: "T." } as const;
defineTool({ ...spec, parameters: zodMini, execute: ({ tags }) => expectTypeOf(tags).toEqualTypeOf<string[]>() });
defineTool({ ...spec, parameters: zod3v4, execute: ({ tags }) => expectTypeOf(tags).toEqualTypeOf<string[]>() });
defineTool({ ...spec, parameters: valibot, execute: ({ tags }) => expectTypeOf(tags).toEqualTypeOf<string[]>() });
defineTool({ ...spec, parameters: arktype, execute: ({ tags }) => expectTypeOf(tags).toEqualTypeOf<string[]>() });
defineTool({ ...spec, parameters: typebox, execute: ({ tags }) => expectTypeOf(tags).toEqualTypeOf<string[]>() });
defineTool({ ...spec, parameters: raw, execute: ({ city }) => expectTypeOf(city).toEqualTypeOf<unknown>() });
