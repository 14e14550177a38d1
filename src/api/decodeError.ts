/** Messages for requests that break their schema: the field, the value seen and the rule, but never a secret. */
import { HttpApiError, HttpApiSchema, HttpServerRequest } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { issuesOf } from "../../schema/fields/issues.ts"
import { ErrorBody } from "./envelope.ts"

// The platform's own version prints every rejected value twice in full, and it cannot be configured.
HttpApiError.HttpApiDecodeError.fromParseError = (error) => {
  return Effect.map(Effect.serviceOption(HttpServerRequest.HttpServerRequest), (request) => {
    const query = Option.match(request, { onNone: () => "", onSome: ({ url }) => url.split("?", 2)[1] ?? "" })
    const issues = saidOfRepeated(issuesOf(error), new URLSearchParams(query))
    return new HttpApiError.HttpApiDecodeError({ issues, message: describeIssues(issues) })
  })
}

/** The issues, once for each query parameter that is given several times: its value is a list, which no rule of it is about. */
function saidOfRepeated<A extends Placed>(
  issues: ReadonlyArray<A>,
  query: URLSearchParams
): ReadonlyArray<A> {
  const told = new Set<PropertyKey>()
  return issues.flatMap((issue) => {
    const [name, ...deeper] = issue.path
    const times = typeof name === "string" && deeper.length === 0 ? query.getAll(name).length : 0
    if (times < 2 || !issue.message.includes(", actual [")) return [issue]
    if (told.has(name!)) return []
    told.add(name!)
    return [{ ...issue, message: `is given ${times} times in the query; give it once` }]
  })
}

const secretive = /token|secret|password|authorization|key|^code$/i
const longestValue = 120

/** One issue as `field: what is wrong`. The value is left out where the name of the field suggests a secret. */
export const describeIssue = (path: ReadonlyArray<PropertyKey>, message: string): string => {
  const field = path.map(String).join(".")
  const at = message.indexOf(", actual ")
  if (field === "") {
    // The rule is the name of a schema of ours, and the value may hold secrets.
    return at < 0
      ? `the request: ${message}`
      : "the request: expected a JSON object with fields, and got something else"
  }
  if (at < 0) return `${field}: ${message}`
  const rule = message.slice(0, at)
  if (secretive.test(field)) return `${field}: ${rule} (the value is not shown)`
  const value = message.slice(at + ", actual ".length)
  const shown = value.length > longestValue ? `${value.slice(0, longestValue)}…` : value
  return `${field}: ${rule}, actual ${shown}`
}

/** What is wrong at a place. */
interface Placed {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

/** All issues, joined by `; `; the alternatives of one field are merged into one `expected one of …`. */
export const describeIssues = (issues: ReadonlyArray<Placed>): string =>
  mergedIssues(issues)
    .map(({ message, path }) => describeIssue(path, message))
    .join("; ")

/** The issues in their order; the alternatives of one field are merged into one `expected one of …`. */
export const mergedIssues = (issues: ReadonlyArray<Placed>): ReadonlyArray<Placed> => {
  const places = new Map<
    string,
    { readonly path: ReadonlyArray<PropertyKey>; readonly messages: Array<string> }
  >()
  for (const { message, path } of issues) {
    if (message.startsWith("Expected null,") && issues.some((other) => isWithin(other.path, path))) continue
    const place = path.map(String).join(".")
    const known = places.get(place)
    if (known === undefined) places.set(place, { path, messages: [message] })
    else known.messages.push(message)
  }
  return [...places.values()].flatMap(({ messages, path }) =>
    alternatives(messages).map((message) => ({ path, message }))
  )
}

/** Is `inner` the path of a part of what `outer` leads to? */
function isWithin(inner: ReadonlyArray<PropertyKey>, outer: ReadonlyArray<PropertyKey>): boolean {
  return inner.length > outer.length && outer.every((name, index) => name === inner[index])
}

/** Merges the messages of a union's members into `expected one of …`. */
function alternatives(messages: ReadonlyArray<string>): ReadonlyArray<string> {
  const refusals = messages.map((message) => /^Expected (.+?), actual (.*)$/s.exec(message))
  const actual = refusals[0]?.[2]
  if (messages.length < 2 || refusals.some((refusal) => refusal === null || refusal[2] !== actual))
    return messages
  return [`expected one of ${refusals.map((refusal) => refusal![1]).join(", ")}, actual ${actual}`]
}

/** The platform's decode error as our error body, in answers, document and derived client. */
export const DecodeErrorWire = Schema.transform(
  ErrorBody,
  Schema.declare(
    (input: unknown): input is HttpApiError.HttpApiDecodeError =>
      input instanceof HttpApiError.HttpApiDecodeError
  ),
  {
    strict: true,
    decode: ({ message }) => new HttpApiError.HttpApiDecodeError({ issues: [], message }),
    encode: ({ issues, message }) => ({
      success: false as const,
      message: issues.length === 0 ? message : describeIssues(issues)
    })
  }
).annotations(
  HttpApiSchema.annotations({
    status: 400,
    description:
      "Malformed or not as the schema says: the message names the field, the value seen and the rule"
  })
)
