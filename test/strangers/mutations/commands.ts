/** Faults of commands, reservations and charging profiles at a CPO (mod_commands, mod_charging_profiles). */
import type { Json } from "../partner/validity.ts"
import type { Call } from "../partner/wire.ts"
import {
  type At,
  answering,
  at,
  both,
  data,
  instead,
  isProfileResult,
  isResult,
  json,
  refusing,
  saying,
  sending,
  sentHeaders,
  set,
  taking,
  those,
  turning,
  within,
  without
} from "./bends.ts"
import { fault, type Mutation, withAll } from "./Mutation.ts"

const commands = at("commands", "POST")
const command =
  (name: string): At =>
  (asked, where) =>
    commands(asked, where) && where.below[0] === name
const accepted = { http: 200, code: 1000, data: { result: "ACCEPTED", timeout: 30 } }
const answer = (edit: (json: Json) => unknown) => data(commands, edit)
const result = (edit: (call: Call) => Call | ReadonlyArray<Call>) => sending(isResult, edit)
const results = (word: string) => result(json(set({ result: word })))
const isOurs = (session: Json) => session["auth_method"] !== "WHITELIST"
const started = (edit: (one: Json) => Json) => those("Session", isOurs, edit)
const isReservation = (session: Json) => session["status"] === "RESERVATION"
/** What comes of a command that did not go as it should. */
const later = "CMD-02* CMD-03* JRN-0* SESS-02* SESS-03* CDR-03* CP-0*"
const rejected = (reason: string): Json => ({ result: reason, timeout: 30 })

/** Rows of the answer and of the result. */
export const commandFaults: ReadonlyArray<Mutation> = withAll(
  { roles: ["CPO"], needs: { pushes: "put", objects: 6 } },
  [
    fault(
      "commands.bare-answer",
      "CMD-001",
      answer((one: Json) => one["result"]),
      { follows: `CMD-0* CP-0* ${later}` }
    ),
    fault("commands.no-timeout", "CMD-002", answer(without("timeout")), { follows: "CMD-001" }),
    fault("commands.message-as-text", "CMD-002", answer(set({ message: "gladly" })), { follows: "CMD-001" }),
    fault(
      "commands.timeout-at-once",
      "CMD-003",
      answer((one: Json) => (one["result"] === "REJECTED" ? { ...one, result: "TIMEOUT" } : one)),
      { follows: "CMD-001 CMD-012 CMD-032 CMD-019" }
    ),
    fault(
      "commands.no-result",
      "CMD-004",
      { sends: (call, module) => (isResult(call, module) ? [] : [call]) },
      { follows: `CMD-0* ${later}` }
    ),
    fault("commands.late-result", "CMD-005", {}, { needs: { chargePointSeconds: 12 as 0 }, follows: "" }),
    fault(
      "commands.url-without-query",
      "CMD-006",
      result((call) => ({ ...call, url: call.url.split("?")[0]! })),
      { follows: `CMD-0* ${later} TRANS-060` }
    ),
    fault("commands.unknown-result", "CMD-007", results("PERHAPS"), { follows: later }),
    fault(
      "commands.result-in-envelope",
      "CMD-007",
      result((call) => ({
        ...call,
        json: { data: call.json, status_code: 1000, timestamp: "2026-06-01T12:00:00Z" }
      })),
      { follows: "CMD-038" }
    ),
    fault(
      "commands.result-unsigned",
      "CMD-008",
      result(sentHeaders((all) => ({ ...all, Authorization: "Token nothing" }))),
      { follows: `CMD-0* ${later} TRANS-00*` }
    ),
    fault(
      "commands.result-twice",
      "CMD-009",
      result((call) => [call, call]),
      { follows: "CMD-040 CMD-031" }
    ),
    fault(
      "commands.any-answer-accepted",
      "CMD-010",
      answer((one: Json) => ({ ...one, result: one["result"] === "ACCEPTED" ? "REJECTED" : one["result"] })),
      { follows: `CMD-0* ${later}` }
    ),
    fault("commands.unknown-location-accepted", "CMD-011", turning(commands, { code: 2003 }, accepted), {
      follows: "CMD-004 CMD-012"
    }),
    fault(
      "commands.unknown-location-rejected",
      "CMD-011",
      turning(commands, { code: 2003 }, { http: 200, code: 1000, data: rejected("REJECTED") })
    ),
    fault(
      "commands.any-place",
      "CMD-012",
      answer((one: Json) => (one["result"] === "REJECTED" ? { ...one, result: "ACCEPTED" } : one)),
      { follows: "CMD-004 CMD-018 CMD-019 CMD-032 CMD-017" }
    ),
    fault(
      "commands.unknown-session-rejected",
      "CMD-013",
      answer((one: Json) => (one["result"] === "UNKNOWN_SESSION" ? { ...one, result: "REJECTED" } : one))
    ),
    fault(
      "commands.any-name",
      "CMD-014",
      answering(commands, (said, _, { below }) =>
        ["FOO", "CANCEL_RESERVATION"].includes(below[0] ?? "") && said.data === undefined ? accepted : said
      ),
      { needs: { notFound: "envelope" } }
    ),
    fault(
      "commands.anything-accepted",
      "CMD-015",
      answering(commands, (said) => (said.code === 2001 ? accepted : said)),
      { follows: "CMD-004 CMD-016 TRANS-019 TRANS-021" }
    ),
    fault(
      "commands.connector-of-any-evse",
      "CMD-016",
      answering(
        both(commands, ({ body }) => body.includes("connector_id") && !body.includes("evse_uid")),
        (said) => (said.code === 2001 ? accepted : said)
      ),
      { follows: "CMD-015 CMD-004" }
    ),
    fault("commands.connector-not-needed", "CMD-017", {
      shows: (one, name) =>
        name === "Location"
          ? {
              ...one,
              evses: ((one["evses"] ?? []) as ReadonlyArray<Json>).map((evse, index) =>
                index === 0
                  ? {
                      ...evse,
                      capabilities: [
                        ...((evse["capabilities"] ?? []) as ReadonlyArray<string>),
                        "START_SESSION_CONNECTOR_REQUIRED"
                      ]
                    }
                  : evse
              )
            }
          : one
    }),
    fault(
      "commands.starts-twice",
      "CMD-018",
      answering(
        both(command("START_SESSION"), () => true),
        (said) => ({ ...said, ...(isRejected(said.data) ? accepted : {}) })
      ),
      { versions: "2.1.1", follows: "CMD-004 CMD-012" }
    ),
    fault(
      "commands.starts-twice-later",
      "CMD-018",
      result(json((one) => (one["result"] === "EVSE_OCCUPIED" ? { ...one, result: "ACCEPTED" } : one))),
      { versions: "2.2+", follows: "CMD-020" }
    ),
    fault("commands.starts-incapable", "CMD-019", {
      shows: (one, name) => (name === "Location" ? within("evses", set({ capabilities: [] }))(one) : one)
    }),
    fault("commands.result-failed", "CMD-020", results("FAILED"), {
      versions: "2.2+",
      follows: `CMD-0* ${later}`
    }),
    fault("commands.other-auth-method", "CMD-021", started(set({ auth_method: "AUTH_REQUEST" })), {
      follows: "CDR-038 CDR-021"
    }),
    fault("commands.lost-reference", "CMD-022", started(without("authorization_reference")), {
      follows: "SESS-032 CDR-027"
    }),
    fault(
      "commands.known-tokens-only",
      "CMD-023",
      answering(both(command("START_SESSION"), saying(/APP_USER/)), () => ({ http: 200, code: 2004 })),
      { follows: "CMD-024 CMD-012 CMD-011" }
    ),
    fault(
      "commands.never-completed",
      "CMD-026",
      started((one) =>
        one["status"] === "COMPLETED"
          ? without("end_date_time", "end_datetime")({ ...one, status: "ACTIVE" })
          : one
      ),
      { follows: `SESS-* CDR-021 JRN-0* CMD-033 CMD-035 CMD-031 CDR-036` }
    ),
    fault("commands.reservation-id-refused", "CMD-028", refusing(command("RESERVE_NOW")), {
      follows: "CMD-029 CMD-030 CMD-031 CMD-032 CMD-033 CMD-035"
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
      { follows: "CMD-031 LOC-04* JRN-004" }
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
      { follows: "PAGE-* SESS-02* JRN-007 CMD-031 CMD-033 CMD-035" }
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
      { versions: "2.2+", follows: "CMD-033 SESS-0* JRN-007 CMD-031" }
    ),
    fault("commands.unlock-refused", "CMD-038", refusing(command("UNLOCK_CONNECTOR")), {
      follows: "CMD-039 CMD-012 CMD-019"
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
      { follows: `CMD-0* ${later}` }
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

function isRejected(value: unknown): boolean {
  return (value as Json | undefined)?.["result"] === "REJECTED"
}

const profiles = at("chargingprofiles")
const profile = (...methods: ReadonlyArray<string>) => at("chargingprofiles", ...methods)
const sent = (edit: (call: Call) => Call | ReadonlyArray<Call>) => sending(isProfileResult, edit)

/** Rows of charging profiles. */
export const profileFaults: ReadonlyArray<Mutation> = withAll(
  { roles: ["CPO"], needs: { pushes: "put", objects: 6 } },
  [
    fault("profiles.no-timeout", "CP-001", data(profile("PUT"), without("timeout")), {
      follows: "CP-002 CP-003 CP-009"
    }),
    fault(
      "profiles.result-in-envelope",
      "CP-002",
      sent((call) => ({ ...call, json: { data: call.json, status_code: 1000 } })),
      { follows: "CP-004 CP-006 CP-007" }
    ),
    fault(
      "profiles.no-result",
      "CP-002",
      { sends: (call, module) => (isProfileResult(call, module) ? [] : [call]) },
      { follows: "CP-0*" }
    ),
    fault(
      "profiles.unknown-session-accepted",
      "CP-003",
      data(profiles, (one: Json) =>
        one["result"] === "UNKNOWN_SESSION" ? { ...one, result: "ACCEPTED" } : one
      ),
      { follows: "CP-010 CP-009" }
    ),
    fault("profiles.result-without-profile", "CP-004", sent(json((one) => without("profile")(one)))),
    fault("profiles.anything-read", "CP-005", taking(profile("GET", "DELETE")), { follows: "TRANS-019" }),
    fault(
      "profiles.never-cleared",
      "CP-006",
      instead(profile("DELETE"), { http: 200, code: 1000, data: rejected("REJECTED") }),
      { follows: "CP-003 CP-005 CP-007" }
    ),
    fault(
      "profiles.none-rejected",
      "CP-007",
      sent(json((one) => (one["result"] === "UNKNOWN" ? { ...one, result: "REJECTED" } : one)))
    ),
    fault("profiles.anything-set", "CP-008", taking(profile("PUT")), {
      follows: "TRANS-019 TRANS-020 TRANS-021"
    }),
    fault(
      "profiles.set-anywhere",
      "CP-009",
      data(profile("PUT"), (one: Json) =>
        ["REJECTED", "NOT_SUPPORTED"].includes(String(one["result"])) ? { ...one, result: "ACCEPTED" } : one
      ),
      { follows: "CP-002 CP-010" }
    ),
    fault(
      "profiles.accepted-as-rejected",
      "CP-010",
      data(profile("PUT"), (one: Json) =>
        one["result"] === "ACCEPTED" ? { ...one, result: "REJECTED" } : one
      ),
      { follows: "CP-00* CP-010" }
    )
  ]
)
