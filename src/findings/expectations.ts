/** What an answer is expected to be: rules about one answered exchange, and how to combine them. */
import type { Schema } from "effect"
import {
  type AnsweredExchange,
  dataOf,
  envelope,
  header,
  isClientError,
  isServerError,
  named,
  statusCode,
  statusLine,
  succeeded
} from "./answers.ts"
import type { Finding, Flaw } from "./Flaw.ts"
import { finding, unexpected, unless } from "./finding.ts"
import { isObject } from "./json.ts"
import type { Path } from "./pointer.ts"
import { contradictionIn, isByClient, isRefusal } from "./refusals.ts"
import { ruledViolations } from "./violations/violations.ts"
import { shown } from "./words.ts"

/** A rule about an answer: what is wrong with it; empty when nothing is. Pure. */
export type AnswerRule = (seen: AnsweredExchange) => ReadonlyArray<Finding>

/** A rule in these words: the answer is `expected` when `holds`. */
export const answer =
  (expected: string, holds: (seen: AnsweredExchange) => boolean): AnswerRule =>
  (seen) =>
    unless(holds(seen), () => unexpected(seen, expected))

/** One of these HTTP statuses. */
export const http = (...statuses: ReadonlyArray<number>): AnswerRule =>
  answer(`HTTP ${statuses.join(" or ")}`, ({ response }) => statuses.includes(response.httpStatus))

/** An HTTP status from `first` to `last`, both included: `httpWithin(200, 299)`. */
export const httpWithin = (first: number, last: number): AnswerRule =>
  answer(
    `HTTP ${first} to ${last}`,
    ({ response }) => response.httpStatus >= first && response.httpStatus <= last
  )

/** One of these OCPI status codes. */
export const ocpiStatus = (...codes: ReadonlyArray<number>): AnswerRule =>
  answer(`status_code ${codes.join(" or ")}`, (seen) => codes.includes(statusCode(seen)))

/** Any OCPI status code of these thousands: `ocpiStatusOf(1)` is 1000 to 1999. */
export const ocpiStatusOf = (thousands: number): AnswerRule =>
  answer(`status_code ${thousands}xxx`, (seen) => {
    return Math.floor(statusCode(seen) / 1000) === thousands
  })

/** A refusal by OCPI status code: 2xxx, and no HTTP 5xx. */
export const clientError: AnswerRule = answer("status_code 2xxx", isClientError)

/** Anything but HTTP 5xx. */
export const noServerError: AnswerRule = answer("no HTTP 5xx", (seen) => !isServerError(seen))

/** HTTP 2xx and a status_code of success, which is 1000 as a rule. */
export const accepted: AnswerRule = answer("HTTP 200 or 201, status_code 1000", succeeded)

/**
 * HTTP 200 and a status_code of success, which is 1000 as a rule. HTTP 201 for what creates no object breaks a SHOULD
 * (status_codes).
 */
export const success: AnswerRule = (seen) =>
  unless(seen.response.httpStatus === 200 && succeeded(seen), () =>
    unexpected(
      seen,
      "HTTP 200, status_code 1000",
      seen.response.httpStatus === 201 && succeeded(seen)
        ? { strength: "should", hint: "Answer HTTP 200: HTTP 201 says that an object was created." }
        : envelope(seen) === undefined || seen.response.httpStatus !== 200
          ? {}
          : { pointer: "/status_code" }
    )
  )

/** HTTP 401: what a request without a token is answered, and one with a token that was never valid. */
export const unauthorized: AnswerRule = (seen) => {
  const hasToken = /^token \S/i.test(seen.exchange.request.headers["authorization"] ?? "")
  const open = hasToken
    ? "Any token opens the endpoint: accept those alone that you have issued."
    : "The endpoint is open to anyone: check the token before anything else."
  const hint = succeeded(seen)
    ? open
    : "Answer HTTP 401 whenever the token is missing or unknown, before looking at the rest."
  return unauthorizedFor(seen, hasToken ? "with a token that was never valid" : "without a valid token", hint)
}

/** HTTP 401 to a request with a token that was valid before. Why it is not any more is said by the hint of the check. */
export const revoked: AnswerRule = (seen) => unauthorizedFor(seen, "with a token that is not valid any more")

/** HTTP 401 to a request with Token A, which is valid for the registration alone; see the hint of the check. */
export const onlyForRegistration: AnswerRule = (seen) => unauthorizedFor(seen, "with Token A")

function unauthorizedFor(seen: AnsweredExchange, how: string, hint?: string): ReadonlyArray<Finding> {
  const against = seen.response.httpStatus === 401 ? contradictionIn(seen) : undefined
  if (against !== undefined) return [contradicted(seen, "HTTP 401", against)]
  const name = named(seen)
  const said = /\bwith (an unknown|a random) token\b|\bwithout Authorization header\b/.test(name)
  return unless(seen.response.httpStatus === 401, () =>
    finding(seen, `${said ? name : `${name} ${how}`} was answered ${statusLine(seen)}`, {
      expected: "HTTP 401",
      actual: statusLine(seen),
      ...(hint === undefined ? {} : { hint })
    })
  )
}

/** Anything but HTTP 401: the token that the request had is known. */
export const opened: AnswerRule = answer(
  "another answer than HTTP 401",
  ({ response }) => response.httpStatus !== 401
)

const kinds = {
  "an array": Array.isArray,
  "a non-empty array": (data: unknown) => Array.isArray(data) && data.length > 0,
  "an object": isObject
} as const

/** `data` of the answer is of that kind. */
export const dataIs =
  (kind: keyof typeof kinds): AnswerRule =>
  (seen) =>
    unless(kinds[kind](dataOf(seen)), () =>
      finding(seen, `${named(seen)}: data is not ${kind}`, {
        expected: kind,
        actual: shown(dataOf(seen)),
        pointer: "/data"
      })
    )

/** What breaks the schema in JSON of the exchange, at `path` of its body; nothing where there is no schema. */
export const mismatches = (
  { exchange }: Pick<AnsweredExchange, "exchange">,
  schema: Schema.Schema.AnyNoContext | undefined,
  json: unknown,
  path: Path = []
): ReadonlyArray<Finding> =>
  (schema === undefined ? [] : ruledViolations(schema, json, path)).map(({ rule, ...flaw }) => ({
    ...flaw,
    ...(exchange.request.method === "PATCH" && exchange.direction === "inbound"
      ? hintOfPatch(flaw, json)
      : hintOfFlaw(flaw, rule === "required")),
    exchangeId: exchange.id
  }))

/** As `hintOfFlaw`, of a PATCH that came to us: a serializer that writes null for what is not set names every field. */
const hintOfPatch = (flaw: Flaw, json: unknown): Pick<Finding, "hint"> => {
  const name = flaw.pointer?.split("/")[1] ?? ""
  return isObject(json) && json[name] === null
    ? { hint: `Leave ${name} out of a PATCH that does not change it.` }
    : hintOfFlaw(flaw, false)
}

/** What to change where a field has not the form of the schema: the hint of a rule is seldom about that. */
export const hintOfFlaw = ({ expected, pointer = "" }: Flaw, isLeftOut: boolean): Pick<Finding, "hint"> => {
  const field = pointer.split("/").findLast((segment) => !/^\d*$/.test(segment))
  if (expected === undefined || field === undefined) return {}
  return { hint: `${isLeftOut ? "Always send" : "Send"} ${field} as ${expected}.` }
}

/** The header of the answer is `expected`, when `fits`; `value` is undefined when it is absent. */
export const headerIs =
  (
    name: string,
    expected: string,
    fits: (value: string | undefined, seen: AnsweredExchange) => boolean
  ): AnswerRule =>
  (seen) => {
    const value = header(seen, name)
    return unless(fits(value, seen), () =>
      finding(seen, `${named(seen)}: ${name} is ${value === undefined ? "missing" : `not ${expected}`}`, {
        expected,
        actual: value ?? "absent"
      })
    )
  }

/** All of the rules, in their order: the findings of the first that does not hold. */
export const allOf =
  <S extends AnsweredExchange, C extends ReadonlyArray<unknown>>(
    ...rules: ReadonlyArray<(seen: S, ...context: C) => ReadonlyArray<Finding>>
  ) =>
  (seen: S, ...context: C): ReadonlyArray<Finding> => {
    for (const rule of rules) {
      const found = rule(seen, ...context)
      if (found.length > 0) return found
    }
    return []
  }

/** The rule of the answer to a wrong request: what it finds where that was accepted needs no valid one beside it. */
export const ofWrong =
  <S extends AnsweredExchange, C extends ReadonlyArray<unknown>>(
    rule: (seen: S, ...context: C) => ReadonlyArray<Finding>
  ) =>
  (seen: S, ...context: C): ReadonlyArray<Finding> =>
    rule(seen, ...context).map((one) => (succeeded(seen) ? { ...one, isWronglyAccepted: true } : one))

/**
 * The request is refused. An answer that is no refusal, or whose body contradicts it, breaks the rule; a refusal that is not
 * `due` breaks no more than a `should`, because nothing was done.
 */
export const refused = (
  expected: string,
  due: (seen: AnsweredExchange) => boolean = () => true
): AnswerRule =>
  ofWrong((seen) => {
    if (!isRefusal(seen)) return [unexpected(seen, expected)]
    const against = contradictionIn(seen)
    return against === undefined
      ? unless(due(seen), () => unexpected(seen, expected, { strength: "should" }))
      : [contradicted(seen, expected, against)]
  })

/** The answer says that the request is refused, and its body says otherwise. */
const contradicted = (seen: AnsweredExchange, expected: string, against: string): Finding =>
  finding(seen, `${named(seen)} was answered ${statusLine(seen)}, but ${against}`, {
    expected,
    actual: `${statusLine(seen)}; ${against}`,
    hint: "End the handling of a request with its refusal: nothing is written or stored after it."
  })

/**
 * A body or parameter that is not valid is refused with status_code 2001 (status_codes, 2xxx: Client errors). Another refusal by
 * the client's fault breaks no more than a `should`, a plain HTTP 400 too: 2.1.1 and 2.2 expect an HTTP error with the code in
 * its body; later versions expect HTTP 2xx, and TRANS-018 tells of the HTTP error.
 */
export const invalidParameters: AnswerRule = ofWrong(
  allOf(answer("status_code 2001", isByClient), (seen: AnsweredExchange) =>
    refused(
      "status_code 2001",
      (one) => statusCode(one) === 2001
    )(seen).map((found) => (found.strength === "should" ? { ...found, hint: otherRefusal } : found))
  )
)

/** What there is to change where the request is refused all the same. */
const otherRefusal =
  "Answer status_code 2001 to what is not valid: this request is refused, but in another way."

/** One of the rules: otherwise the findings of the first, which then names what the others expect too. */
export const anyOf =
  (...rules: ReadonlyArray<AnswerRule>): AnswerRule =>
  (seen) => {
    const found = rules.map((rule) => rule(seen))
    if (found.some(({ length }) => length === 0)) return []
    const expected = [...new Set(found.flat().flatMap((one) => one.expected ?? []))].join(", or ")
    return (found[0] ?? []).map((one) => ({ ...one, expected }))
  }

/** The rule, of which no more than `should` is broken where `mild`. */
export const milder =
  (mild: (seen: AnsweredExchange) => boolean, rule: AnswerRule): AnswerRule =>
  (seen) =>
    rule(seen).map((one) => (mild(seen) ? { ...one, strength: "should" } : one))
