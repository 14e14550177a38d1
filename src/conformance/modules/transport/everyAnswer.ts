/** Judges every response of a run over OCPI, whatever the request: reads, writes, commands, and what had to be refused. */

import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { header, named, statusLine } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, unless } from "../../../findings/finding.ts"
import { blocked, either, type Judgement, noneOf, type SuiteScope } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { scopeOf } from "../../model/expects.ts"
import type { Probe } from "../../model/Probe.ts"
import { isBesideOcpi } from "../shared/besideOcpi.ts"
import { perList } from "../shared/lists.ts"

/** The OCPI document about transport. */
export const transportChapter = "transport_and_format"

/** Requests of every kind of which at least the answers are judged: good ones, and wrong ones. */
const reads = (scope: SuiteScope) => [
  ...["versions", "details", "credentials"],
  ...perList("list", "limit1", "future")(scope),
  "unknown-ids"
]

/** Requests that have to be refused. */
export const refusals = (scope: SuiteScope): ReadonlyArray<string> => [
  "versions.random-token",
  "unknown-ids",
  "truncated-json",
  ...perList("not-instants")(scope).slice(0, 1)
]

/** The probe of every answer of the run. */
const everything = "transport.answers"

/** Sends nothing: gathers every answer of the run. */
export const answersProbe = (scope: SuiteScope): Probe => ({
  id: everything,
  after: reads(scope),
  source: "answers"
})

/** Says that nobody has looked at the request; it often comes from a gateway in front of the partner. */
const tooManyRequests = 429

/**
 * The answers of the run over OCPI, each once, by the rules of this version: to reads, writes, commands and wrong requests.
 * `more`: probes whose answers belong to them although they may come later.
 */
export const allAnswers = (evidence: Evidence, more: ReadonlyArray<string> = []): ReadonlyArray<Answered> => {
  const met = new Set<string>()
  return [...needs(scopeOf(evidence)), ...more].flatMap(evidence.answered).filter((one) => {
    const { exchange, followedBy, response } = one
    const isNew = !met.has(exchange.id)
    met.add(exchange.id)
    const isOfOcpi = followedBy === undefined && !isBesideOcpi(one)
    return isNew && isOfOcpi && response.httpStatus !== tooManyRequests
  })
}

/** The answers of the run that were followed by a request to the same URL with or without a slash at its end. */
export const slashRedirects = (evidence: Evidence): ReadonlyArray<Answered> =>
  evidence.answered(everything).filter(({ followedBy }) => followedBy === "slash")

const needs = (scope: SuiteScope) => [...reads(scope), everything]

/** The message ids that a request of ours carried, by header. */
const messageIds = { "X-Request-ID": "requestId", "X-Correlation-ID": "correlationId" } as const

/** The answer does not repeat the message id of the request. */
export const notRepeated = (seen: Answered, name: keyof typeof messageIds): ReadonlyArray<Finding> => {
  const sent = seen.exchange[messageIds[name]]
  return unless(header(seen, name) === sent, () =>
    finding(seen, `${named(seen)}, ${statusLine(seen)}: ${name} is not repeated`, {
      expected: sent,
      actual: header(seen, name) ?? "absent"
    })
  )
}

/** What the checks of the form of answers have in common. They are judged when everything but RISK has been sent. */
export const everyAnswer = {
  module: "transport",
  versions: versionNumbers,
  roles: either,
  mode: "RO",
  phase: "watch",
  strength: "must",
  sends: "no request of its own: the check looks at every answer of the run",
  needs,
  partial: true
} as const

/**
 * The rule for those of the run's answers that it is about; `none` says why there is none. `more`: probes that the check
 * needs beside those of `everyAnswer`.
 */
export const ofAnswers = (
  about: (seen: Answered, evidence: Evidence) => boolean,
  rule: (seen: Answered, evidence: Evidence) => ReadonlyArray<Finding>,
  none: Judgement,
  more: (scope: SuiteScope) => ReadonlyArray<string> = () => []
) => ({
  needs: (scope: SuiteScope) => [...needs(scope), ...more(scope)],
  judge: (evidence: Evidence): Judgement => {
    const seen = allAnswers(evidence, more(scopeOf(evidence))).filter((one) => about(one, evidence))
    return seen.length === 0
      ? none
      : noneOf(
          seen.flatMap((one) => rule(one, evidence)),
          `${seen.length} answers looked at`
        )
  }
})

/** A rule of error responses that `check` has for the answers which it is `of`. */
interface SharedRule {
  readonly check: string
  readonly of: (seen: Answered) => boolean
  /** Of which errors it is a rule; default: of all. */
  readonly about?: (seen: Answered) => boolean
  readonly flaws: (seen: Answered) => ReadonlyArray<Finding>
}

/**
 * As `ofAnswers`, for error responses: a flaw that every other answer of the module has as well (or of the run, where the module gave
 * none) is the finding of the check about these. It blocks this check where errors have no flaw of their own.
 */
export const ofErrors = (
  about: (seen: Answered, evidence: Evidence) => boolean,
  {
    own = () => [],
    shared
  }: {
    readonly own?: (seen: Answered) => ReadonlyArray<Finding>
    readonly shared: ReadonlyArray<SharedRule>
  },
  none: Judgement,
  more: (scope: SuiteScope) => ReadonlyArray<string> = () => []
) => ({
  needs: (scope: SuiteScope) => [...needs(scope), ...more(scope)],
  judge: (evidence: Evidence): Judgement => {
    const all = allAnswers(evidence, more(scopeOf(evidence)))
    const errors = all.filter((one) => about(one, evidence))
    if (errors.length === 0) return none
    const found = errors.flatMap(own)
    const told: Array<{ readonly check: string; readonly flaw: Finding }> = []
    for (const { about: isOf = () => true, check, flaws, of } of shared) {
      const others = all.filter((one) => of(one) && !errors.includes(one))
      const flawed = new Set(others.filter((one) => flaws(one).length > 0))
      const isOfAll = new Map<string, boolean>()
      for (const seen of errors.filter(isOf)) {
        const { module } = seen.exchange
        if (!isOfAll.has(module)) {
          const near = others.filter(({ exchange }) => exchange.module === module)
          const alike = near.length > 0 ? near : others
          isOfAll.set(module, alike.length > 0 && alike.every((one) => flawed.has(one)))
        }
        for (const flaw of flaws(seen))
          if (isOfAll.get(module) === true) told.push({ check, flaw })
          else found.push(flaw)
      }
    }
    const [first] = told
    return found.length === 0 && first !== undefined
      ? blocked({
          check: first.check,
          what: first.flaw.message,
          ...(first.flaw.exchangeId === undefined ? {} : { exchangeId: first.flaw.exchangeId })
        })
      : noneOf(found, `${errors.length} answers looked at`)
  }
})
