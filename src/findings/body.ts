/** Questions about the JSON of an exchange. Pointers are into the whole body, envelope included. */
import { Either, type Schema } from "effect"
import type { Exchange } from "../../schema/Exchange.ts"
import type { ExchangeRule, Flaw } from "./Flaw.ts"
import { noAnswer } from "./http.ts"
import { FoundFlaws, violations } from "./violations.ts"
import { actualOf } from "./words.ts"

/** The JSON of the answer; undefined when there is none that can be read. */
export const jsonOf = (exchange: Exchange): unknown => Either.getOrUndefined(answerJson(exchange))

/** The JSON of the request; undefined when there is none that can be read. For calls that came in. */
export const requestJsonOf = (exchange: Exchange): unknown => Either.getOrUndefined(requestJson(exchange))

/** `data` of the answer's envelope; undefined when it is absent. */
export const dataOf = (exchange: Exchange): unknown => {
  const json = jsonOf(exchange)
  return isObject(json) ? json["data"] : undefined
}

/** The answer's body fits the schema; the flaw is the first violation and says how many there are. */
export const bodyMatches = (schema: Schema.Schema.AnyNoContext): ExchangeRule =>
  judging(answerJson, (json, found) => violations(schema, json, [], found))

/** The request's body fits the schema. */
export const requestMatches = (schema: Schema.Schema.AnyNoContext): ExchangeRule =>
  judging(requestJson, (json, found) => violations(schema, json, [], found))

/** `data` of the answer fits the schema. */
export const dataMatches = (schema: Schema.Schema.AnyNoContext): ExchangeRule =>
  judging(answerJson, (json, found) => dataViolations(schema, json, found))

/** `data` is a list of which every entry fits the schema. */
export const itemsMatch = (schema: Schema.Schema.AnyNoContext): ExchangeRule =>
  judging(answerJson, (json, found) => itemViolations(schema, json, found))

/** The violations of `data` in an answer's JSON. */
export const dataViolations = (
  schema: Schema.Schema.AnyNoContext,
  json: unknown,
  found?: FoundFlaws
): ReadonlyArray<Flaw> =>
  isObject(json) && "data" in json ? violations(schema, json["data"], ["data"], found) : [noData]

/** The violations of the entries of `data` in an answer's JSON. */
export const itemViolations = (
  schema: Schema.Schema.AnyNoContext,
  json: unknown,
  found = new FoundFlaws()
): ReadonlyArray<Flaw> => {
  if (!isObject(json) || !("data" in json)) return [noData]
  const items = json["data"]
  return Array.isArray(items)
    ? items.flatMap((item, index) => violations(schema, item, ["data", index], found))
    : [{ message: "data is not a list", pointer: "/data", expected: "a list", actual: actualOf(items) }]
}

const noData: Flaw = { message: "data is missing", pointer: "/data", expected: "data", actual: "nothing" }

function judging(
  read: (exchange: Exchange) => Either.Either<unknown, Flaw>,
  judge: (json: unknown, found: FoundFlaws) => ReadonlyArray<Flaw>
): ExchangeRule {
  return (exchange) => {
    const json = read(exchange)
    if (Either.isLeft(json)) return json.left
    const found = new FoundFlaws()
    const [first] = judge(json.right, found)
    return first === undefined || found.count < 2
      ? first
      : { ...first, message: `${first.message} (and ${found.count - 1} more)` }
  }
}

function answerJson(exchange: Exchange): Either.Either<unknown, Flaw> {
  return exchange.response === null ? Either.left(noAnswer(exchange)) : parsed(exchange.response)
}

function requestJson(exchange: Exchange): Either.Either<unknown, Flaw> {
  return parsed(exchange.request)
}

function parsed(part: Exchange["request"] | NonNullable<Exchange["response"]>): Either.Either<unknown, Flaw> {
  const { body, truncated } = part
  if (truncated) {
    return Either.left({ message: "the body was too large to be kept whole, so it was not read as JSON" })
  }
  if (body === null || body === "") {
    return Either.left({
      message: "there is no body",
      pointer: "",
      expected: "a JSON body",
      actual: "nothing"
    })
  }
  try {
    return Either.right(JSON.parse(body))
  } catch {
    return Either.left({
      message: "the body is not JSON",
      pointer: "",
      expected: "JSON",
      actual: actualOf(body)
    })
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
