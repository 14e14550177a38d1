/** Why checks of a run were not judged, and what to do so that they are. Pure. */
import { type Assertion, type Attribution, unlistedInterface } from "../../schema/Assertion.ts"
import type { Need } from "../../schema/Need.ts"
import type { RunReport } from "../../schema/RunReport.ts"
import { answerIn, idsInWords } from "./causes.ts"

/** Checks that were not judged for one reason. */
interface Unjudged {
  readonly reason: string
  readonly attribution: Attribution
  /** What to do so that they are judged. */
  readonly next: string
  /** Does the reason say it? To say it again would only repeat it. */
  readonly isSaid: boolean
  readonly checks: ReadonlyArray<string>
  /** How many of them are `must` rules that keep the run from passing. */
  readonly required: number
}

const nextSteps: Readonly<Record<Attribution, string>> = {
  partner: "mend what keeps them from being judged, then run them again",
  ours: "a fault or a limit of plugfest: report it with the id of the run",
  network:
    "see in the request that was not answered how far it came, and mend what stopped it there, then run again",
  operator: "provide what is missing at the partner, or ask for it when the run is started, then run again",
  ambiguous: "agree on a reading of the text, then run again"
}

const nextOfNeeds: Readonly<Record<Need, string>> = {
  partner_acts: "make that happen at the partner while the run goes on, then run again",
  partner_data: "add such data at the partner, then run again",
  second_registration: nextSteps.operator,
  risk: "order it by name or by its need, then run again"
}

/** What is done about an interface of the version that the partner does not list: a few are missing by mistake. */
const nextOfUnlisted =
  "if the partner has that interface, list its endpoint in the version details, then run again"

/** The reasons, those with most checks first. Checks that do not apply have one only where an interface is not listed. */
export const unjudgedIn = (assertions: ReadonlyArray<Assertion>): ReadonlyArray<Unjudged> => {
  const groups = new Map<string, Array<Assertion>>()
  for (const one of assertions) {
    if (!isOpen(one) && !isUnlisted(one)) continue
    const key = keyOf(one)
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
    .map((checks) => {
      const first = checks[0]!
      const attribution = attributionOf(first)
      const reason = reasonOf(first)
      return {
        reason,
        isSaid: endsWithNextStep.test(reason),
        attribution,
        next: namesUnlisted(first)
          ? nextOfUnlisted
          : attribution === "operator" && first.need !== undefined
            ? nextOfNeeds[first.need]
            : nextSteps[attribution],
        checks: checks.map(({ id }) => id),
        required: checks.filter(isRequired).length
      }
    })
    .toSorted((a, b) => b.required - a.required || b.checks.length - a.checks.length)
}

/** The reason in one line: `12 checks: no driver came (TOK-201, …)`. */
export const unjudgedInWords = ({ checks, isSaid, next, reason }: Unjudged): string =>
  `${checks.length === 1 ? "1 check" : `${checks.length} checks`}: ${reason} (${idsInWords(checks)})${
    isSaid ? "" : `; ${next}`
  }`

const endsWithNextStep =
  /\b(then run again|run the registration suite meanwhile)$|: (graded only when the order names it|(start|change|make|order|show) )/

/** The reasons of checks of interfaces that the partner's version details do not list, each in one line. */
export const unlistedInWords = (assertions: ReadonlyArray<Assertion>): ReadonlyArray<string> =>
  unjudgedIn(assertions.filter(isUnlisted)).map(unjudgedInWords)

/**
 * Why a run that has ended without a failure did not pass, or passed on little; undefined when most of it was judged.
 */
export const littleJudged = (
  assertions: ReadonlyArray<Assertion>,
  verdict: "pass" | "warn" | "fail" | "inconclusive" | null
): string | undefined => {
  const open = assertions.filter(isOpen)
  const graded = assertions.filter(({ outcome }) => ["passed", "warned", "failed"].includes(outcome))
  if (verdict === "fail" || verdict === null || (verdict !== "inconclusive" && open.length <= graded.length))
    return undefined
  const required = open.filter(isRequired)
  const needy = required.filter(({ need }) => need !== undefined)
  return [
    `${open.length} of ${open.length + graded.length} checks were not judged`,
    ...(required.length === 0
      ? []
      : [
          `${required.length === 1 ? "1 of them is a must rule" : `${required.length} of them are must rules`}, without which a run does not pass: ${idsInWords(required.map(({ id }) => id))}`
        ]),
    ...(needy.length === 0
      ? []
      : [
          `ordered with "needs": [], a run does not count ${needy.length === required.length ? "them" : `${needy.length} of these`}`
        ])
  ].join("; ")
}

/**
 * The modules that no suite judges, in sentences: first those that the partner announced, because a run says nothing of
 * them. Empty when there are none.
 */
export const modulesNotJudged = ({
  notJudged = [],
  ocpiVersion
}: Pick<RunReport, "notJudged" | "ocpiVersion">): ReadonlyArray<string> => {
  const names = (isAnnounced: boolean) =>
    notJudged
      .filter(({ announced = false }) => announced === isAnnounced)
      .map(({ name }) => name)
      .join(", ")
  const [announced, others] = [names(true), names(false)]
  return [
    ...(announced === ""
      ? []
      : [
          `The partner announces modules that plugfest does not judge: ${announced}. Test them by other means: this run says nothing of them`
        ]),
    ...(others === "" ? [] : [`Other modules of OCPI ${ocpiVersion} that plugfest does not judge: ${others}`])
  ]
}

/** Whose act decides what comes of a check that did not pass. */
export const attributionOf = (check: Assertion): Attribution =>
  namesUnlisted(check) ? "partner" : (check.attribution ?? usualAttribution[check.outcome] ?? "operator")

/** Of results of earlier releases, which do not say it. */
const usualAttribution: Readonly<Partial<Record<Assertion["outcome"], Attribution>>> = {
  error: "ours",
  failed: "partner",
  warned: "partner"
}

const isOpen = ({ outcome }: Assertion) =>
  outcome === "unobservable" || outcome === "not_tested" || outcome === "error"

/** Was nothing asked because the partner's version details have no such endpoint? Then all checks of it are left out at once. */
const isUnlisted = (one: Assertion) => one.outcome === "not_applicable" && namesUnlisted(one)

/** The same of a stage of a journey, which is not judged then. */
const namesUnlisted = ({ reason }: Assertion) => reason?.startsWith(unlistedInterface) === true

/** As the verdict counts them: a `must` rule that could not be observed, was blocked, or ended by an error of ours. */
export const isRequired = ({ blockedBy, outcome, strength }: Assertion) =>
  strength === "must" && (outcome === "unobservable" || outcome === "error" || blockedBy !== undefined)

/** Checks that are blocked by the same answer have one reason, whatever their requests were. */
const keyOf = (one: Assertion): string =>
  one.blockedBy === undefined ? reasonOf(one) : (one.blockedBy.check ?? answerIn(one.blockedBy.what))

const reasonOf = ({ message, outcome, reason }: Assertion) => reason ?? message ?? outcome
