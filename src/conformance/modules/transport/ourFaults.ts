/** Checks of how the partner copes with HTTP 5xx, absence and invalid objects of ours; graded only when the order names them. */

import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { finding } from "../../../findings/finding.ts"
import {
  type Check,
  either,
  inconclusive,
  type Judgement,
  noneOf,
  notGathered,
  pass
} from "../../model/Check.ts"
import { type Evidence, isWithheld } from "../../model/Evidence.ts"
import { transportChapter } from "./everyAnswer.ts"
import { answeredWithFault, awaited, awaySeconds, nextOfPage } from "./ourFaultsProbes.ts"

const base = {
  module: "transport",
  versions: versionNumbers,
  roles: either,
  mode: "OBS",
  phase: "risk",
  strength: "should",
  reference: transportChapter,
  partial: true
} as const

/** Why a wait did not come to its end; undefined: it did, with a call or without. */
const brokenOff = (evidence: Evidence, step: string): Judgement | undefined => {
  const gathered = evidence.gathered(step)
  return gathered !== undefined && isWithheld(gathered) && gathered.withheld !== "unobservable"
    ? notGathered(gathered)
    : undefined
}

const unseen = (evidence: Evidence, step: string): Judgement => {
  const gathered = evidence.gathered(step)
  return gathered !== undefined && isWithheld(gathered)
    ? notGathered(gathered)
    : inconclusive("unobservable", "the partner has sent nothing of that kind")
}

const again = "transport.refused-push#again"
const next = "transport.broken-page#next"
const caughtUp = "transport.away#catches up"

/** Judge how the partner copes with faults of our responses (transport_and_format). */
export const ourFaultsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TRANS-056",
    title: "Pushes: not repeated after HTTP 500",
    reference: `${transportChapter}, Offline behaviour`,
    sends:
      "no request: our side answers HTTP 500 to a push of the partner, and the check looks at the calls after it",
    passes: "the same message does not come again; a newer state may",
    hint: "Drop what could not be pushed: the other side asks for what it has missed.",
    needs: () => ["transport.refused-push#refused", again],
    judge: (evidence) => {
      const refused = awaited(evidence, "transport.refused-push#refused")
      if (refused === undefined) return unseen(evidence, "transport.refused-push#refused")
      const off = brokenOff(evidence, again)
      if (off !== undefined) return off
      const repeated = awaited(evidence, again)
      return repeated === undefined
        ? pass()
        : noneOf([
            finding(
              repeated,
              `${repeated.exchange.request.method} ${repeated.exchange.module} came again, although it had been answered HTTP 500`,
              { expected: "no repetition", actual: `the same message, at ${repeated.exchange.startedAt}` }
            )
          ])
    }
  },
  {
    ...base,
    id: "TRANS-057",
    title: "Pushes: after our absence the partner reads our lists with date_from",
    reference: `${transportChapter}, Offline behaviour`,
    sends: "no request: our side answers HTTP 503 to everything for ten minutes, or for listenSeconds",
    passes: "afterwards a GET of one of our lists with date_from comes",
    hint: "Read our lists with date_from of our last answer when we can be reached again.",
    needs: () => [caughtUp, "inbound.away"],
    judge: (evidence) => {
      const off = brokenOff(evidence, caughtUp)
      if (off !== undefined) return off
      const call = awaited(evidence, caughtUp)
      if (call !== undefined) return pass(new URL(call.exchange.request.url).search)
      const failed = answeredWithFault(evidence, "unavailable")
      return failed.length === 0
        ? inconclusive(
            "unobservable",
            "the partner did not call while we were away, so it cannot know of it: make it push or poll meanwhile"
          )
        : noneOf([
            {
              message: `we were away for ${awaySeconds(evidence)} s, ${failed.length} of its calls failed, and it has not asked our lists for what has changed`,
              expected: "GET of a list with date_from",
              actual: "no such call",
              exchangeId: failed[0]?.exchange.id ?? ""
            }
          ])
    }
  },
  {
    ...base,
    id: "TRANS-058",
    title: "Lists: reading goes on after an object that is not valid",
    sends: "no request: one object in a page of our list is broken when the partner reads it",
    passes: "the page after it is asked for",
    hint: "Leave out the one object, take the others, and go on with the next page.",
    needs: () => ["transport.broken-page#page", next],
    judge: (evidence) => {
      const page = awaited(evidence, "transport.broken-page#page")
      if (page === undefined) return unseen(evidence, "transport.broken-page#page")
      const off = brokenOff(evidence, next)
      if (off !== undefined) return off
      return awaited(evidence, next) === undefined
        ? noneOf([
            finding(
              page,
              `the partner read no further in our ${page.exchange.module} after a page with one broken object`,
              { expected: `GET ${nextOfPage(page) ?? ""}`, actual: "no such call" }
            )
          ])
        : pass()
    }
  }
]
