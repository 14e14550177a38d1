/** What a CPO tells us of charges during the run, once the last one is settled, and its lists of the same. */
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { pathSegments } from "../../../findings/calledPath.ts"
import { objectIn, sameId } from "../../../findings/json.ts"
import { isReservation } from "../../../ocpi/reservedSession.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import { clockSkewMillis } from "../../model/clocks.ts"
import { asAnswered, type Evidence, isWithheld, type Observation } from "../../model/Evidence.ts"
import type { Probe, ProbeRequest } from "../../model/Probe.ts"
import { firstPage, linked } from "../shared/lists.ts"
import { sessionIdOf } from "../shared/sessionIdOf.ts"

/** Id of the probe with the calls that checks of pushes judge. */
export const chargingCalls = "charging.calls"

/** What the operator can do so that a charge is pushed: its session and its CDR. */
export const provokeCharge =
  "start and stop a charge while the run goes on (listenSeconds), or let the run start one (the suite commands)"

/** How long the CDR of a completed session may take, in seconds. */
export const cdrSeconds = 60

/** The partner's calls about sessions, CDRs and tokens that a probe saw, oldest first. */
export const callsAt = (evidence: Evidence, probe: string): ReadonlyArray<Observation> => {
  const gathered = evidence.gathered(probe)
  return gathered === undefined || isWithheld(gathered)
    ? []
    : gathered.seen.filter(({ exchange }) => exchange.direction === "inbound")
}

const is =
  (module: string, methods: ReadonlyArray<string>) =>
  ({ exchange }: Observation) =>
    exchange.module === module && methods.includes(exchange.request.method)
const isCdr = is("cdrs", ["POST"])
const isPush = is("sessions", ["PUT", "PATCH"])
const statusOf = ({ json }: Observation) => sessionStatus(objectIn(json))

const isEnd = (seen: Observation) => isPush(seen) && statusOf(seen) === "COMPLETED"

/** Was the session of that push a reservation that nobody charged with? It has no CDR. */
const isUnusedReservation = (calls: ReadonlyArray<Observation>, push: Observation): boolean => {
  const id = sessionIdOf(push)
  const told = calls.filter((seen) => isPush(seen) && sameId(sessionIdOf(seen), id)).map(statusOf)
  return told.some(isReservation) && !told.includes("ACTIVE")
}

/** Did a session end, and no CDR come after it? */
const isOpen = (calls: ReadonlyArray<Observation>): boolean =>
  calls.findLastIndex((seen) => isEnd(seen) && !isUnusedReservation(calls, seen)) > calls.findLastIndex(isCdr)

/** A partner that sends a CDR twice does so at once. */
const repetitionSeconds = 1

const listed = (module: "sessions" | "cdrs"): Probe => ({
  id: `${module}.told`,
  after: [chargingCalls],
  asks: (evidence) => [sinceTheRun(module, evidence)],
  next: (seen) => linked(module, seen.flatMap(asAnswered).at(-1))
})

/** last_updated is by the partner's clock. */
function sinceTheRun(module: string, evidence: Evidence): ProbeRequest {
  const date_from = dateTimeOf(Date.parse(evidence.startedAt) - clockSkewMillis)
  // `again`: the same request may have been made while the charge went on.
  return { ...firstPage(module, evidence, { date_from }), operation: "list, of what was told", again: true }
}

/**
 * Waits for the CDR of the last session that ended, then reads the calls of the partner since the run began, and GET
 * sessions and GET cdrs.
 */
export const chargingCallProbes: ReadonlyArray<Probe> = [
  { id: "charging.so-far", source: "inbound.run" },
  {
    id: "charging.settled",
    after: ["charging.so-far"],
    steps: [
      {
        id: "cdr",
        act: (evidence) => {
          const before = callsAt(evidence, "charging.so-far")
          const known = new Set(before.map(({ exchange }) => exchange.id))
          return isOpen(before)
            ? {
                wait: {
                  seconds: cdrSeconds,
                  kind: "push of a CDR",
                  instruction: "The partner must send the CDR of the session that ended",
                  provoke: "no CDR came",
                  matches: (seen) => isCdr(seen) && !known.has(seen.exchange.id),
                  attempts: ({ exchange }) =>
                    (exchange.module === "cdrs" || pathSegments(exchange.request.url).includes("cdrs")) &&
                    Date.parse(exchange.startedAt) >=
                      Date.parse(before.findLast(isEnd)?.exchange.startedAt ?? evidence.startedAt)
                }
              }
            : undefined
        }
      },
      {
        id: "repetitions",
        act: (evidence) =>
          callsAt(evidence, "charging.so-far").some(isEnd)
            ? { pause: repetitionSeconds, instruction: "The partner has time to send a push again" }
            : undefined
      }
    ]
  },
  { id: chargingCalls, after: ["charging.settled"], source: "inbound.run" },
  listed("sessions"),
  listed("cdrs")
]
