/** Rules on a whole charge: do session, CDR and the order of messages agree? */
import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { type JsonObject, sameId } from "../../../findings/json.ts"
import { awayReason, awaySince } from "../../model/absence.ts"
import type { Rule, Ruling } from "../../model/JourneyTemplate.ts"
import { cameBefore, type RunHistory } from "../../model/RunHistory.ts"
import { sameAmount, wasFound } from "../../model/rulings.ts"
import { setOffByStart } from "../charge/catchUps.ts"
import { amountOf, ourCdr, ourSession } from "../charge/chargeFacts.ts"
import { differs, tokenDiffers } from "../charge/driver.ts"
import { ofSession } from "./sessionRules.ts"

const must = { strength: "must" } as const
const should = { strength: "should" } as const

/** Judges our CDR and our session; not tested while one is missing. */
const ofBoth =
  (judge: (cdr: JsonObject, session: JsonObject, history: RunHistory) => Ruling) =>
  (history: RunHistory): Ruling => {
    const cdr = ourCdr(history)
    const session = ourSession(history)
    return cdr === undefined || session === undefined
      ? {
          notTested:
            cdr === undefined
              ? "The partner sent no CDR of our session"
              : "The partner pushed no session of ours that we could accept"
        }
      : judge(cdr.body, session.state, history)
  }

/** The same for what a session has at its end alone: that the end did not come is a rule of another stage. */
const ofOver =
  (judge: Parameters<typeof ofBoth>[0]) =>
  (history: RunHistory): Ruling => {
    const session = ourSession(history)
    const isOpen = session !== undefined && session.state["status"] !== "COMPLETED"
    return isOpen && awaySince(history, setOffByStart(history)) === undefined
      ? { notTested: "The partner did not push the end of the session" }
      : ofBoth(judge)(history)
  }

/** If we may have missed the session's end, the stage since which we were away. */
const unlessCompleted = (history: RunHistory): string | undefined =>
  ourSession(history)?.state["status"] === "COMPLETED" ? undefined : setOffByStart(history)

const amountsDiffer = (what: string, pointer: string, actual: number, expected: number): Ruling =>
  sameAmount(actual, expected)
    ? undefined
    : { message: `${what} differ`, pointer, expected: `${expected}`, actual: `${actual}` }

const isSameInstant = (a: unknown, b: unknown): boolean => dateTimeMillis(a) === dateTimeMillis(b)

const parts = ["fixed", "energy", "time", "parking", "reservation"].map((part) => `total_${part}_cost`)

const partsOf = (cdr: JsonObject): ReadonlyArray<number> =>
  parts.flatMap((field) => amountOf(cdr[field]) ?? [])

/**
 * Whether the parts that a CDR names add up to its total. Each part is optional (mod_cdrs, CDR Object), so that what is missing to the
 * total may be in a part that it does not name.
 */
function costSum(cdr: JsonObject): Ruling {
  const total = amountOf(cdr["total_cost"])
  const named = partsOf(cdr)
  if (total === undefined || named.length === 0) return { notTested: "The CDR names no parts of its cost" }
  const sum = named.reduce((all, amount) => all + amount, 0)
  const ruling = amountsDiffer("The total and the sum of its parts", "/total_cost", total, sum)
  return ruling !== undefined && sum < total && named.length < parts.length
    ? { notTested: "The CDR does not name all parts of its cost" }
    : ruling
}

/** The rule that calculates the cost of the CDR. */
const tariffCost = "billed-tariffs.cost"

/** Rules of stage `consistency`. */
export const consistencyRules: ReadonlyArray<Rule> = [
  {
    id: "consistency.session-id",
    title: "The CDR has the session's id",
    ...must,
    reference: "mod_cdrs, CDR Object",
    judge: ofBoth((cdr, session, { profile }) =>
      profile.cdrDetails
        ? differs("session_id", "/session_id", cdr["session_id"], session["id"])
        : { notApplicable: "CDRs of this version name no session" }
    )
  },
  {
    id: "consistency.token",
    title: "Session and CDR name the driver's token",
    ...must,
    reference: "mod_cdrs, CDR Object",
    checkId: "JRN-003",
    judge: ofBoth((cdr, session, history) => {
      const flaw = tokenDiffers("the CDR's token", cdr, history)
      // The token of the session is a rule of the stage in which it became ACTIVE.
      return flaw !== undefined && tokenDiffers("the CDR's token", session, history) !== undefined
        ? { notTested: "The session itself does not name the driver's token" }
        : flaw
    })
  },
  {
    id: "consistency.authorization-reference",
    title: "Session and CDR have the same authorization_reference",
    ...must,
    reference: "mod_cdrs, CDR Object",
    judge: ofBoth((cdr, session, { profile }) =>
      profile.authorizationDetails
        ? differs(
            "The authorization_reference",
            "/authorization_reference",
            cdr["authorization_reference"],
            session["authorization_reference"]
          )
        : { notApplicable: "The version has no authorization_reference" }
    )
  },
  {
    id: "consistency.times",
    title: "Session and CDR have the same start and end",
    ...should,
    reference: "mod_cdrs, CDR Object",
    setOffBy: unlessCompleted,
    judge: (history) => {
      const { cdrNames, sessionNames } = history.profile
      const starts = (ourSession(history)?.messages ?? []).map(({ after }) => after[sessionNames.start])
      return ofOver((cdr, session) => {
        // A used reservation is billed from its own start.
        const isStart = starts.some((start) => isSameInstant(start, cdr[cdrNames.start]))
        const apart = (["start", "end"] as const).find(
          (name) =>
            !(name === "start" && isStart) && !isSameInstant(cdr[cdrNames[name]], session[sessionNames[name]])
        )
        if (apart === undefined) return undefined
        // That the session has none is a rule of the stage in which it is due.
        if ((session[sessionNames[apart]] ?? undefined) === undefined)
          return { notTested: `The session has no ${sessionNames[apart]}` }
        // The start of the reservation may have been pushed during an absence.
        const away = apart === "start" ? awaySince(history, "reserve") : undefined
        if (away !== undefined) return { unobservable: awayReason(away) }
        const field = cdrNames[apart]
        return differs(field, `/${field}`, cdr[field], session[sessionNames[apart]])
      })(history)
    }
  },
  {
    id: "consistency.energy",
    title: "kwh of the session equals total_energy of the CDR",
    ...should,
    reference: "mod_cdrs, CDR Object",
    checkId: "JRN-005",
    setOffBy: unlessCompleted,
    judge: ofOver(({ total_energy }, { kwh }) =>
      typeof total_energy !== "number" || typeof kwh !== "number"
        ? { message: "The session has no kwh, or the CDR no total_energy", pointer: "/total_energy" }
        : amountsDiffer("Session and CDR energy", "/total_energy", total_energy, kwh)
    )
  },
  {
    id: "consistency.cost",
    title: "total_cost and currency of the session equal those of the CDR",
    ...should,
    reference: "mod_cdrs, CDR Object",
    checkId: "JRN-005",
    setOffBy: unlessCompleted,
    judge: ofOver((cdr, session, history) => {
      const [billed, shown] = [amountOf(cdr["total_cost"]), amountOf(session["total_cost"])]
      if (billed === undefined || shown === undefined)
        return { notTested: "The session carries no total_cost" }
      if (!sameId(cdr["currency"], session["currency"]))
        return differs("The currency", "/currency", cdr["currency"], session["currency"])
      // A CDR that contradicts itself is told by the rule about its parts, or its tariffs.
      const sum = costSum(cdr)
      return (sum !== undefined && "message" in sum) || wasFound(history, tariffCost)
        ? { notTested: "The total_cost of the CDR does not agree with the CDR itself" }
        : amountsDiffer("Session and CDR total_cost", "/total_cost", billed, shown)
    })
  },
  {
    id: "consistency.cost-sum",
    title: "The partial costs of the CDR add up to total_cost",
    ...should,
    reference: "mod_cdrs, CDR Object",
    judge: ofBoth((cdr, _, history) =>
      wasFound(history, tariffCost)
        ? { notTested: "The total_cost of the CDR does not agree with its tariffs" }
        : costSum(cdr)
    )
  },
  {
    id: "consistency.nothing-after-completed",
    title: "The partner sends no message about the session after COMPLETED",
    ...must,
    reference: "mod_sessions, Flow and Lifecycle",
    setOffBy: setOffByStart,
    judge: ofSession(({ messages }) => {
      const end = messages.findIndex(({ after }) => after["status"] === "COMPLETED")
      if (end < 0) return { notTested: "The session was not completed" }
      const late = messages.length - 1 - end
      return late === 0
        ? undefined
        : {
            message: "The partner sent session messages after COMPLETED",
            expected: "0",
            actual: `${late}`
          }
    })
  },
  {
    id: "consistency.cdr-last",
    title: "The partner sends the CDR after it has completed the session",
    ...should,
    reference: "mod_cdrs, Flow and Lifecycle",
    setOffBy: setOffByStart,
    judge: (history) => {
      const cdr = ourCdr(history)
      if (cdr?.pushed === false) return { unobservable: "The CDR was read after we were away, not pushed" }
      const done = ourSession(history)?.messages.find(({ after }) => after["status"] === "COMPLETED")
      if (cdr === undefined || done === undefined)
        return { notTested: "There is no completed session with a CDR" }
      return cameBefore(history, cdr.exchange, done.exchange)
        ? { message: "The partner sent the CDR before it pushed the session as COMPLETED" }
        : undefined
    }
  }
]
