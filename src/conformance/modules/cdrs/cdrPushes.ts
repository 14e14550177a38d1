/** How a CPO sends us CDRs (mod_cdrs, Receiver Interface). */

import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { mismatches } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { objectIn, sameId } from "../../../findings/json.ts"
import { objectDifferences } from "../../../findings/objectDifferences.ts"
import { type Check, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"
import { cdrSeconds, chargingCalls } from "../charge/chargingCalls.ts"
import {
  belongsTo,
  cdrCalls,
  completion,
  inPush,
  listAfter,
  pushedCdrs,
  pushedSessions
} from "../charge/chargingPushes.ts"
import { provoke } from "../sessions/sessionPushes.ts"

const base = {
  module: "cdrs",
  versions: versionNumbers,
  roles: ["CPO"],
  mode: "OBS",
  strength: "must",
  reference: "mod_cdrs, Receiver Interface, POST Method",
  sends: "nothing: looks at the CDRs that the partner sends during the run",
  needs: () => [chargingCalls]
} as const

const onCalls =
  (
    calls: (evidence: Evidence) => ReadonlyArray<Observation>,
    judge: (calls: ReadonlyArray<Observation>, evidence: Evidence) => ReadonlyArray<Finding>
  ) =>
  (evidence: Evidence): Judgement => {
    const found = calls(evidence)
    return found.length === 0
      ? inconclusive("unobservable", provoke)
      : noneOf(judge(found, evidence), `${found.length} calls looked at`)
  }

export const cdrPushesChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CDR-034",
    title: "Sends valid CDRs, by POST only",
    passes: "POST of a CDR of the version's form; never PUT, PATCH or DELETE",
    hint: "A CDR is sent once and never changed: take it back with a Credit CDR where the version has them.",
    judge: onCalls(cdrCalls, (calls, { profile }) =>
      calls.flatMap((seen) => {
        const { method } = seen.exchange.request
        if (method !== "POST") return [inPush(seen, "", "a CDR is not sent like that", "POST", method)]
        const schema = profile.objects.CDR
        return mismatches(seen, schema, seen.json)
      })
    )
  },
  {
    ...base,
    id: "CDR-035",
    title: "Sends each CDR once",
    strength: "should",
    passes: "no id twice, unless we did not take it the first time",
    hint: "Repeat a POST only when its answer was lost or said that it failed.",
    judge: onCalls(pushedCdrs, (calls) =>
      calls
        .filter((seen, index) => calls.slice(0, index).some((one) => isTaken(one) && isSame(one, seen)))
        .map((seen) =>
          inPush(seen, "/id", "the CDR was sent before, and taken", "each id once", objectIn(seen.json)["id"])
        )
    )
  },
  {
    ...base,
    id: "CDR-036",
    title: "Sends a CDR when a session is over",
    strength: "should",
    reference: "mod_cdrs, Module description",
    sends: `nothing but GET cdrs from the start of the run; waits up to ${cdrSeconds} seconds for the last CDR`,
    passes: `a CDR of each COMPLETED session that took energy, sent or listed within ${cdrSeconds} seconds`,
    hint: "Make the CDR as soon as the session is COMPLETED; say so when it takes longer by agreement.",
    needs: () => [chargingCalls, "cdrs.told"],
    partial: true,
    judge: (evidence) => {
      const ended = pushedSessions(evidence).flatMap((session) => {
        const end = completion(session)
        // What used nothing, a reservation for instance, may end without a CDR.
        return end?.state === undefined || end.state["kwh"] === 0 ? [] : [{ ...end, state: end.state }]
      })
      const known = [
        ...pushedCdrs(evidence).map(({ json }) => objectIn(json)),
        ...(listAfter(evidence, "cdrs") ?? [])
      ]
      return ended.length === 0
        ? inconclusive("unobservable", provoke)
        : noneOf(
            ended
              .filter(({ state }) => !known.some((cdr) => belongsTo(cdr, state, evidence)))
              .map(({ seen, state }) =>
                inPush(seen, "/id", "no CDR of the session came", "a CDR of it", state["id"])
              ),
            `${ended.length} sessions looked at`
          )
    }
  },
  {
    ...base,
    id: "CDR-037",
    title: "Lists a CDR as it was sent",
    reference: "mod_cdrs, Sender Interface, GET Method",
    sends: "GET cdrs from the start of the run, after what was sent",
    passes: "each CDR that was sent is in the list, and says the same",
    hint: "Send and list the same object: not one of them from another system.",
    needs: () => [chargingCalls, "cdrs.told"],
    judge: (evidence) => {
      const list = listAfter(evidence, "cdrs")
      return list === undefined
        ? inconclusive("not_tested", "the list of CDRs could not be read")
        : onCalls(pushedCdrs, (calls) => calls.flatMap((seen) => unlike(seen, list, evidence)))(evidence)
    }
  }
]

const isTaken = ({ exchange }: Observation) =>
  exchange.response !== null &&
  exchange.response.httpStatus < 300 &&
  exchange.response.ocpiStatusCode === 1000

const isSame = (a: Observation, b: Observation) => sameId(objectIn(a.json)["id"], objectIn(b.json)["id"])

function unlike(
  seen: Observation,
  list: ReadonlyArray<Readonly<Record<string, unknown>>>,
  { profile }: Evidence
): ReadonlyArray<Finding> {
  const { id } = objectIn(seen.json)
  const found = list.find((cdr) => sameId(cdr["id"], id))
  if (found === undefined) return [inPush(seen, "/id", "the CDR is not in the list", String(id), undefined)]
  return objectDifferences(seen.json, found, profile).map(({ actual, expected, pointer }) =>
    inPush(seen, pointer, "the list says otherwise", JSON.stringify(expected), actual)
  )
}
