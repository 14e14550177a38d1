/** Faults in objects that a stranger sends of its own accord (mod_sessions, mod_cdrs, mod_locations). */

import type { Bend } from "../../partner/Bend.ts"
import { momentOf } from "../../partner/objects/dress.ts"
import type { Json } from "../../partner/objects/validity.ts"
import type { Call } from "../../partner/wire.ts"
import { change, isPushOf, json, sending, set, those, without } from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

const isOurs = (session: Json) => session["auth_method"] !== "WHITELIST"
const sessions = isPushOf("sessions")
const cdrs = isPushOf("cdrs")
const locations = isPushOf("locations")
const isOf = (status: string) => (call: Call, module: string) =>
  sessions(call, module) && ((call.json ?? {}) as Json)["status"] === status

const nextSecond = (text: string) => `${new Date(momentOf(text)! + 1000).toISOString().slice(0, 19)}Z`

/** Lists its locations as they were first read, whatever it pushes. */
const listStays = (): Bend => {
  const first = new Map<unknown, Json>()
  return {
    lists: (all, module) => {
      if (module !== "locations") return all
      for (const one of all) if (!first.has(one["id"])) first.set(one["id"], structuredClone(one))
      return all.map((one) => first.get(one["id"]) ?? one)
    },
    // The whole location first, so that the EVSE is known where it is pushed to.
    sends: (call, module) => {
      const url = call.url.slice(0, call.url.lastIndexOf("/"))
      const whole = first.get(decodeURIComponent(url.slice(url.lastIndexOf("/") + 1)))
      return locations(call, module) && whole !== undefined
        ? [{ ...call, method: "PUT", url, json: whole }, call]
        : [call]
    }
  }
}

/** Rows of pushed objects. */
export const pushFaults: ReadonlyArray<Mutation> = withAll(
  { roles: ["CPO"], needs: { changesEach: 0, pushes: "put", objects: 6 } },
  [
    fault(
      "pushes.session-in-part",
      "SESS-024",
      sending((call, module) => sessions(call, module) && call.method === "PUT", json(without("currency"))),
      {
        follows: "SESS-025 SESS-031"
      }
    ),
    fault(
      "pushes.session-status-back",
      "SESS-026",
      sending(isOf("COMPLETED"), (call) => [call, json(set({ status: "ACTIVE" }))(call)]),
      {
        follows: "SESS-027 SESS-029 SESS-031 SESS-025 CMD-026"
      }
    ),
    fault(
      "pushes.session-after-end",
      "SESS-027",
      sending(isOf("COMPLETED"), (call) => [call, json(set({ kwh: 99 }))(call)]),
      {
        follows: "SESS-029 SESS-031 JRN-005 CDR-021"
      }
    ),
    fault(
      "pushes.session-below",
      "SESS-025",
      sending(
        (call, module) => sessions(call, module) && call.method === "PATCH",
        (call) => ({ ...call, url: `${call.url}/charging_periods` })
      ),
      {
        needs: { pushes: "patch" },
        follows: "TRANS-060"
      }
    ),
    fault(
      "pushes.periods-again",
      "SESS-030",
      sending(
        (call, module) =>
          sessions(call, module) &&
          call.method === "PATCH" &&
          "charging_periods" in ((call.json ?? {}) as Json),
        // Word for word the same would be a repeat of the request, as after an answer that was lost.
        (call) => [call, json(change("last_updated", nextSecond))(call)]
      ),
      { needs: { pushes: "patch" }, follows: "SESS-027 SESS-029 SESS-031" }
    ),
    fault(
      "pushes.energy-shrinks",
      "SESS-029",
      () => {
        let kwh = 90
        return sending(
          sessions,
          json((one) => {
            kwh -= 1
            return { ...one, kwh }
          })
        )
      },
      { follows: "SESS-007 SESS-031 SESS-027 CMD-026" }
    ),
    fault(
      "pushes.start-kept",
      "SESS-028",
      () => {
        const starts = new Map<unknown, unknown>()
        return sending(sessions, (call) =>
          json((one) => {
            const known = starts.get(call.url) ?? one["start_date_time"]
            starts.set(call.url, known)
            return "start_date_time" in one ? { ...one, start_date_time: known } : one
          })(call)
        )
      },
      { needs: { beginsPending: true }, follows: "SESS-031 SESS-008" }
    ),
    fault("pushes.listed-otherwise", "SESS-031", sending(isOf("COMPLETED"), json(set({ currency: "SEK" }))), {
      follows: "JRN-005"
    }),
    fault(
      "pushes.own-reference",
      "SESS-032",
      sending(isOf("COMPLETED"), json(set({ authorization_reference: "OWN" }))),
      { follows: "SESS-031 CDR-027" }
    ),
    fault("pushes.cdr-in-part", "CDR-034", sending(cdrs, json(without("currency"))), { follows: "CDR-037" }),
    fault(
      "pushes.cdr-twice",
      "CDR-035",
      sending(cdrs, (call) => [call, call])
    ),
    fault(
      "pushes.cdr-never",
      "CDR-036",
      {
        says: (said, _, { module }) =>
          module === "cdrs" && Array.isArray(said.data)
            ? { ...said, data: said.data.filter((one) => isOfPast(one as Json)) }
            : said,
        sends: (call, module) => (cdrs(call, module) ? [] : [call])
      },
      { needs: { meterSeconds: 1 }, follows: "JRN-002" }
    ),
    fault("pushes.cdr-otherwise", "CDR-037", sending(cdrs, json(set({ remark: "another" })))),
    fault(
      "pushes.evse-in-part",
      "LOC-042",
      sending((call, module) => locations(call, module) && call.method === "PUT", json(without("connectors")))
    ),
    fault(
      "pushes.evse-status-in-lower-case",
      "LOC-043",
      sending(
        (call, module) => locations(call, module) && call.method === "PATCH",
        json(change("status", (word: string) => word.toLowerCase()))
      ),
      {
        needs: { pushes: "patch" },
        follows: "JRN-004 LOC-044"
      }
    ),
    fault(
      "pushes.status-kept-secret",
      "LOC-044",
      { sends: (call, module) => (locations(call, module) ? [] : [call]) },
      { order: { part: "full", listenSeconds: 120 }, follows: "JRN-004" }
    ),
    fault(
      "pushes.status-without-stamp",
      "LOC-051",
      sending(locations, json(set({ last_updated: "2026-05-01T00:00:00Z" })))
    ),
    fault(
      "pushes.ahead-of-list",
      "LOC-045",
      sending(locations, json(set({ last_updated: "2026-06-02T23:00:00Z" }))),
      { follows: "LOC-051" }
    ),
    fault("pushes.list-stays", "LOC-045", listStays),
    fault(
      "pushes.other-token",
      "JRN-003",
      sending(sessions, (call) =>
        json((one) =>
          one["status"] === "COMPLETED"
            ? {
                ...one,
                ...("cdr_token" in one
                  ? { cdr_token: { ...(one["cdr_token"] as Json), uid: "OTHER" } }
                  : { auth_id: "OTHER" })
              }
            : one
        )(call)
      ),
      {
        follows: "SESS-031 CMD-021"
      }
    ),
    fault(
      "pushes.never-free",
      "JRN-004",
      sending(
        (call, module) => locations(call, module) && ((call.json ?? {}) as Json)["status"] === "AVAILABLE",
        json(set({ status: "CHARGING" }))
      ),
      {
        follows: "LOC-044"
      }
    ),
    fault(
      "pushes.more-energy",
      "JRN-005",
      those(
        "CDR",
        isOurs,
        change("total_energy", (kwh: number) => kwh + 7)
      ),
      {
        follows: "CDR-008 CDR-021"
      }
    ),
    fault(
      "pushes.unused-with-energy",
      "JRN-007",
      those("Session", (one) => Number(one["kwh"]) === 0 && one["status"] === "COMPLETED", set({ kwh: 3 })),
      {
        versions: "2.2+",
        follows: "SESS-007"
      }
    ),
    fault(
      "pushes.not-listed",
      "JRN-009",
      {
        says: (said, _, { isSender, module }) =>
          module === "sessions" && isSender && Array.isArray(said.data)
            ? { ...said, data: said.data.filter((one) => !isOurs(one as Json)) }
            : said
      },
      { follows: "CDR-021 PAGE-028 SESS-031" }
    )
  ]
)

function isOfPast(cdr: Json): boolean {
  return String(cdr["start_date_time"]) < "2026-06-01"
}
