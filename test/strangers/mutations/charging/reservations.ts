/** Faults of reservations, of unlocking and of results that come again (mod_commands). */
import type { Json } from "../../partner/objects/validity.ts"
import { answering, instead, isResult, json, refusing, those, without } from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { accepted, command, isRejected, isReservation, rejected, result } from "./commanding.ts"

/** Rows of reservations, of unlocking and of results that come again. */
export const reservationFaults: ReadonlyArray<Mutation> = withAll(
  { roles: ["CPO"], needs: { changesEach: 0, pushes: "put", objects: 6 } },
  [
    fault("commands.reservation-id-refused", "CMD-028", refusing(command("RESERVE_NOW")), {
      follows: "CMD-011 CMD-029 CMD-030 CMD-031 CMD-032 CMD-033 CMD-035"
    }),
    fault(
      "commands.reserved-not-shown",
      "CMD-029",
      {
        shows: (one, name) =>
          name === "Location"
            ? {
                ...one,
                evses: ((one["evses"] ?? []) as ReadonlyArray<Json>).map((evse) =>
                  evse["status"] === "RESERVED" ? { ...evse, status: "AVAILABLE" } : evse
                )
              }
            : one
      },
      { follows: "CMD-031 JRN-004" }
    ),
    fault(
      "commands.reservation-not-told",
      "CMD-030",
      {
        says: (said, _, where) =>
          where.module === "sessions" && Array.isArray(said.data)
            ? { ...said, data: said.data.filter((one) => !isReservation(one as Json)) }
            : said,
        sends: (call, module) =>
          module === "sessions" && isReservation((call.json ?? {}) as Json) ? [] : [call]
      },
      { follows: "JRN-007 CMD-031 CMD-033 CMD-035" }
    ),
    fault(
      "commands.no-second-time",
      "CMD-031",
      () => {
        const known = new Set<unknown>()
        return {
          instead: (asked, where) => {
            if (!command("RESERVE_NOW")(asked, where)) return undefined
            const id = /"reservation_id":\s*("?[^",]+"?)/.exec(asked.body)?.[1]
            if (id !== undefined && known.has(id))
              return { http: 200, code: 1000, data: rejected("REJECTED") }
            known.add(id)
            return undefined
          }
        }
      },
      { follows: "CMD-035" }
    ),
    fault(
      "commands.reserves-the-past",
      "CMD-032",
      answering(command("RESERVE_NOW"), (said) => (isRejected(said.data) ? accepted : said)),
      { follows: "CMD-004 CMD-019" }
    ),
    fault(
      "commands.never-cancels",
      "CMD-033",
      instead(command("CANCEL_RESERVATION"), { http: 200, code: 1000, data: rejected("REJECTED") }),
      { follows: "CMD-034 JRN-007" }
    ),
    fault(
      "commands.cancels-anything",
      "CMD-034",
      result(json((one) => (one["result"] === "UNKNOWN_RESERVATION" ? { ...one, result: "ACCEPTED" } : one)))
    ),
    fault(
      "commands.reservation-never-ends",
      "CMD-035",
      those(
        "Session",
        (one) => Number(one["kwh"]) === 0 && one["status"] === "COMPLETED",
        (one) => without("end_date_time")({ ...one, status: "RESERVATION" })
      ),
      { versions: "2.2+", follows: "CMD-033 JRN-007 CMD-031 SESS-026" }
    ),
    fault("commands.unlock-refused", "CMD-038", refusing(command("UNLOCK_CONNECTOR")), {
      follows: "CMD-039 CMD-011 CMD-012 CMD-019"
    }),
    fault(
      "commands.unlock-without-result",
      "CMD-039",
      () => {
        let sent = 0
        return {
          sends: (call, module) => {
            if (!isResult(call, module)) return [call]
            sent += 1
            return sent % 2 === 0 ? [] : [call]
          }
        }
      },
      { follows: "CMD-038" }
    ),
    fault(
      "commands.result-retried",
      "CMD-040",
      {
        asks: (call) => (call.method === "POST" && /command/.test(call.url) ? [call, call] : [call])
      },
      { follows: "CMD-009 CMD-031" }
    )
  ]
)
