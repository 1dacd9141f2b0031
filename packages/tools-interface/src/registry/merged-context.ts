/**
 * The context that several tools need together, from a union of `[Context]`, one of each tool. Objects are merged field
 * by field, because fields of the same name and type are one type to the compiler: it never compares the contexts with
 * each other, which takes time in the square of their number.
 */
export type MergedContext<Needs> = [Needs] extends [never]
  ? unknown
  : Flat<RequiredFields<FieldOf<Needs>> & OptionalFields<FieldOf<Needs>> & AllOf<OddOf<Needs>>>;

/**
 * The context that a registry needs together with that of further tools. A context that has all their fields already stays
 * the same type, so that a chain of registrations costs nothing for the tools that need what others need.
 */
export type JoinedContext<Context, More> = unknown extends Context
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
type FieldOf<Need> = Need extends readonly [infer Context]
  ? IsPlain<Context> extends true
    ? {
        [Key in keyof Context]-?: [{} extends Pick<Context, Key> ? "optional" : "required", Key, Context[Key]];
      }[keyof Context]
    : never
  : never;

/** The contexts that fields do not describe, such as a union of objects. */
type OddOf<Need> = Need extends readonly [infer Context]
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
export type AllOf<Taking> = [Taking] extends [never]
  ? unknown
  : [Taking] extends [(value: infer Value) => void]
    ? Value
    : unknown;

type Flat<T> = T extends unknown ? { [Key in keyof T]: T[Key] } : never;
