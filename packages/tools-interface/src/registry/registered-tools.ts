import type { ToolCall } from "../call/parse-call.ts";
import type { AnyTool, TooMany } from "../call/tool.ts";

/** Tools by their names, as a registry's type keeps them. */
export type ToolRecord = { readonly [name: string]: AnyTool };

/** The types behind a registry. */
export interface RegistryTypes<Tools, Context> {
  /** Its tools by name. */
  readonly tools: Tools;
  /** Takes their names. Looked up here once: the compiler would collect them anew for each `keyof`. */
  names(name: keyof Tools & string): void;
  /** Takes the context that dispatching needs. */
  readonly needs: (context: Context) => void;
}

/** A tool of a registry's list. Registered elsewhere, it brings the types of all that it may be along. */
export interface RegisteredTool<Tools, Context> extends AnyTool {
  /** The types behind the registry, for inference; never there at run time. */
  readonly "~registry"?: RegistryTypes<Tools, Context>;
}

/**
 * A registry as those methods see it that look a tool up by name. They read its tools from `this`: from the type parameter of
 * their interface the compiler would copy all tools for each call.
 */
export interface TypedRegistry {
  /** The types behind the registry, for inference; never there at run time. */
  readonly "~types"?: RegistryTypes<ToolRecord, never>;
}

type ToolsOf<Self extends TypedRegistry> = NonNullable<Self["~types"]>["tools"];

type NamesOf<Self extends TypedRegistry> =
  NonNullable<Self["~types"]> extends { names(name: infer Name): void } ? Name : never;

/**
 * Names that are not written in the source, or any names for a registry whose tools are known only at run time. Otherwise the
 * compiler passes over the signature, and reports a wrong name by the one of known names alone.
 */
export type RunTimeNames<Name extends string, Self extends TypedRegistry> =
  {} extends Record<Name, true> ? readonly Name[] : {} extends ToolsOf<Self> ? readonly Name[] : [];

/*
 * These conditions stand one in the other and name no other condition: for each condition in a condition the compiler would
 * copy all tools for each call.
 */

/** A call, or a name: one that is written in the source has to be that of a tool. */
export type CallFor<Call, Self extends TypedRegistry> = [Call] extends [ToolCall]
  ? ToolCall
  : Call extends string
    ? {} extends Record<Call, true>
      ? Call
      : {} extends ToolsOf<Self>
        ? Call
        : NamesOf<Self>
    : ToolCall;

/** The tool of a name. */
export type ToolFor<Name extends string, Self extends TypedRegistry> =
  {} extends Record<Name, true> ? AnyTool : {} extends ToolsOf<Self> ? AnyTool : ToolsOf<Self>[Name];

/** The arguments of a dispatch after the name of a tool. No call has those after an object: another signature takes it. */
export type RestFor<Call, Self extends TypedRegistry, Options extends unknown[]> = [Call] extends [ToolCall]
  ? TooMany
  : Call extends string
    ? {} extends Record<Call, true>
      ? [params: unknown, ...options: Options]
      : {} extends ToolsOf<Self>
        ? [params: unknown, ...options: Options]
        : [params: InputOf<ToolsOf<Self>[Call]>, ...options: Options]
    : TooMany;

/** A call that is an object. */
export type ObjectCall<Call> = Call extends string ? Call : ToolCall;

/** The arguments of a dispatch after a call that is an object. */
export type ObjectRest<Call, Options extends unknown[]> = [Call] extends [ToolCall]
  ? Options
  : Call extends string
    ? TooMany
    : Options;

/** The data of the result of a dispatch. */
export type DataFor<Call, Self extends TypedRegistry> = [Call] extends [ToolCall]
  ? unknown
  : Call extends string
    ? {} extends Record<Call, true>
      ? unknown
      : {} extends ToolsOf<Self>
        ? unknown
        : DataOfTool<ToolsOf<Self>[Call]>
    : unknown;

/** The type of the parameters that callers may pass to a tool. */
type InputOf<T> = TypesOf<T> extends { readonly input: infer Input } ? Input : never;

/** The data of a tool's success. */
type DataOfTool<T> = TypesOf<T> extends { readonly data: infer Data } ? Data : never;

type TypesOf<T> = T extends { readonly "~types"?: infer Types } ? NonNullable<Types> : never;

/** A tool, or one of a list. A choice of several lists counts as all of them. */
export type ItemOf<T> = T extends readonly (infer Item)[] ? Item : T;

/** Tools by their names. */
export type RecordOf<Item> = [RegistryOf<Item>] extends [never]
  ? Named<Item>
  : [OwnOf<Item>] extends [never]
    ? AllOf<RegistryOf<Item>>
    : Named<OwnOf<Item>> & AllOf<RegistryOf<Item>>;

/** In a condition, because the compiler would show the name of this type in place of the tools. */
type Named<Item> = [Item] extends [never] ? {} : { readonly [Each in Item as NameOf<Each>]: Each };

type OwnOf<Item> = Item extends unknown ? ([RegistryOf<Item>] extends [never] ? Item : never) : never;

type NameOf<Item> = Item extends { readonly name: infer Name extends string } ? Name : never;

/** Takes the tools of the registries whose lists the tools are of. */
type RegistryOf<Item> = Item extends { readonly "~registry"?: RegistryTypes<infer Tools, infer _> }
  ? 0 extends 1 & Tools
    ? never
    : (tools: Tools) => void
  : never;

/** Of a registry whose tools are known only at run time no tool is known: `any` would take in the others. */
export type Known<Tools> = 0 extends 1 & Tools ? {} : Tools;

/** All context that several tools and registries need. */
export type ContextWith<Context, Item> = [NeedOf<Item>] extends [never]
  ? Context
  : JoinedContext<Context, MergedContext<NeedOf<Item>>>;

type NeedOf<Item> = Item extends { readonly "~registry"?: RegistryTypes<infer _, infer Context> }
  ? Need<Context>
  : Item extends { readonly "~types"?: { readonly context: infer Context } }
    ? Need<Context>
    : never;

/** Of tools that are known only at run time nothing is known: `any` would take in the needs of all others. */
type Need<Context> = 0 extends 1 & Context ? never : unknown extends Context ? never : [Context];

/**
 * The context that several tools need together, from a union of `[Context]`, one of each tool. Objects are merged field
 * by field, because fields of the same name and type are one type to the compiler: it never compares the contexts with
 * each other, which takes time in the square of their number.
 */
type MergedContext<Needs> = [Needs] extends [never]
  ? unknown
  : Flat<RequiredFields<FieldOf<Needs>> & OptionalFields<FieldOf<Needs>> & AllOf<OddOf<Needs>>>;

/**
 * The context that a registry needs together with that of further tools. A context that has all their fields already stays
 * the same type, so that a chain of registrations costs nothing for the tools that need what others need.
 */
type JoinedContext<Context, More> = unknown extends Context
  ? More
  : [keyof More] extends [keyof Context]
    ? [Context] extends [More]
      ? Context
      : MergedContext<[Context] | [More]>
    : MergedContext<[Context] | [More]>;

type RequiredFields<Field> = {
  [Each in Field as Each extends readonly ["required", infer Key extends PropertyKey, unknown] ? Key : never]: AllOf<
    Each extends readonly [unknown, unknown, infer Value] ? (value: Value) => void : never
  >;
};

type OptionalFields<Field> = {
  [Each in Field as Each extends readonly ["optional", infer Key extends PropertyKey, unknown] ? Key : never]?: AllOf<
    Each extends readonly [unknown, unknown, infer Value] ? (value: Value) => void : never
  >;
};

/**
 * The fields of objects, each as whether it is required, its name and its type. The type is looked up here: a merged context
 * that held the one before it would make a chain of contexts, which the compiler follows only to a depth of 100.
 */
type FieldOf<Needed> = Needed extends readonly [infer Context]
  ? IsPlain<Context> extends true
    ? {
        [Key in keyof Context]-?: [{} extends Pick<Context, Key> ? "optional" : "required", Key, Context[Key]];
      }[keyof Context]
    : never
  : never;

/** The contexts that fields do not describe, such as a union of objects. */
type OddOf<Needed> = Needed extends readonly [infer Context]
  ? IsPlain<Context> extends true
    ? never
    : (context: Context) => void
  : never;

type IsPlain<Context> = [Context] extends [object]
  ? string extends keyof Context
    ? false
    : [keyof Context] extends [never]
      ? false
      : IsUnion<Context> extends true
        ? false
        : true
  : false;

type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never;

/** A union of functions is only callable with the intersection of their parameters. */
type AllOf<Taking> = [Taking] extends [never]
  ? unknown
  : [Taking] extends [(value: infer Value) => void]
    ? Value
    : unknown;

type Flat<T> = T extends unknown ? { [Key in keyof T]: T[Key] } : never;
