/**
 * Turns the types of input on the wire into the types that a handler gets. What happens in between: null where it means
 * the same as absent is taken out, validation fills in defaults, so what has one is present, and HTTP has lower-cased the
 * names of headers.
 */
import type { operations } from './generated/types.ts'

type Wire = operations
type Id = keyof Wire

/** An object without members, where an operation has no input of a kind. */
export type None = Record<never, never>

type OrNone<T> = [NonNullable<T>] extends [never] ? None : NonNullable<T>

/**
 * `T` with the fields at the dotted paths present. An intersection rather than a mapped type, because a mapped
 * type forgets fields beside an index signature.
 */
type WithDefaults<T, Path extends string> = [Path] extends [never]
  ? T
  : T & Required<Pick<T, Path & keyof T>> & DefaultsBelow<Pick<T, HeadOf<Path> & keyof T>, Path>

type DefaultsBelow<T, Path extends string> = {
  [Name in keyof T]: WithDefaults<Exclude<T[Name], undefined>, RestOf<Path, Name>>
}

type HeadOf<Path extends string> = Path extends `${infer Head}.${string}` ? Head : never

type RestOf<Path extends string, Head> = Path extends `${Head & string}.${infer Rest}` ? Rest : never

export type ParamsOf<K extends Id> = OrNone<Wire[K]['parameters']['path']>

export type QueryOf<K extends Id, Defaulted extends string = never> = WithDefaults<
  OrNone<Wire[K]['parameters']['query']>,
  Defaulted
>

type LowerCased<T> = { [Name in keyof T as Lowercase<Name & string>]: T[Name] }

export type HeadersOf<K extends Id> = LowerCased<OrNone<Wire[K]['parameters']['header']>>

type JsonBodyIn<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined

/** `T` without the nulls in it, at any depth. */
type WithoutNull<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? WithoutNull<Item>[]
    : T extends object
      ? { [Name in keyof T]: WithoutNull<Exclude<T[Name], null>> }
      : T

type JsonBody<K extends Id> = JsonBodyIn<NonNullable<Wire[K]['requestBody']>>

/** Undefined where an operation takes no body, and where a caller may leave it out. */
export type BodyOf<K extends Id, Defaulted extends string = never> = [
  NonNullable<Wire[K]['requestBody']>,
] extends [never]
  ? undefined
  : WithDefaults<WithoutNull<JsonBody<K>>, Defaulted> | OptionalMark<Wire[K]['requestBody']>

/** The body of a PATCH: null is a value of its own fields. */
export type PatchOf<K extends Id, Defaulted extends string = never> = WithNulls<
  WithDefaults<WithoutNull<JsonBody<K>>, Defaulted>,
  JsonBody<K>
>

/** `T` with null in the fields that can be null in `Body`. */
type WithNulls<T, Body> = {
  [Name in keyof T]: T[Name] | (Name extends keyof Body ? Extract<Body[Name], null> : never)
}

type OptionalMark<T> = undefined extends T ? undefined : never

type WireResponses<K extends Id> = Wire[K]['responses']

/** The JSON body of a success; undefined where the answer has none. */
export type AnswerOf<K extends Id, Status> = JsonBodyIn<WireResponses<K>[Status & keyof WireResponses<K>]>

/** The body of a refusal, with the codes that this operation gives with this status. */
export type RefusalOf<K extends Id, Status, Code> = {
  error: Omit<ErrorOf<AnswerOf<K, Status>>, 'code'> & { code: Code }
}

type ErrorOf<Body> = Body extends { error: infer Facts } ? Facts : never
