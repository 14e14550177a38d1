/** Faults of the answers to commands and of their results (mod_commands). */
import type { Json } from "../../partner/objects/validity.ts"
import {
  answering,
  both,
  data,
  instead,
  isResult,
  json,
  saying,
  sentHeaders,
  set,
  storing,
  turning,
  within,
  without
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { accepted, answer, command, commands, rejected, result, results, started } from "./commanding.ts"

/** Rows of the answer and of the result. */
export const commandFaults: ReadonlyArray<Mutation> = withAll(
  { roles: ["CPO"], needs: { changesEach: 0, pushes: "put", objects: 6 } },
  [
    fault(
      "commands.bare-answer",
      "CMD-001",
      answer((one: Json) => one["result"])
    ),
    fault("commands.no-timeout", "CMD-002", answer(without("timeout")), { follows: "CMD-001" }),
    fault("commands.message-as-text", "CMD-002", answer(set({ message: "gladly" })), { follows: "CMD-001" }),
    fault(
      "commands.timeout-at-once",
      "CMD-003",
      answer((one: Json) => (one["result"] === "REJECTED" ? { ...one, result: "TIMEOUT" } : one)),
      { follows: "CMD-001 CMD-012 CMD-032 CMD-019" }
    ),
    fault("commands.session-by-case", "CMD-041", () => {
      const told = new Set<unknown>()
      return {
        shows: (json, name) => {
          if (name === "Session") told.add(json["id"])
          return json
        },
        ...instead(
          (asked, where) => {
            if (!command("STOP_SESSION")(asked, where)) return false
            const { session_id } = JSON.parse(asked.body) as Json
            return (
              [...told].some(
                (id) => id !== session_id && String(id).toUpperCase() === String(session_id).toUpperCase()
              ) && !told.has(session_id)
            )
          },
          { http: 200, code: 1000, data: rejected("UNKNOWN_SESSION") }
        )
      }
    }),
    fault("commands.no-result", "CMD-004", {
      sends: (call, module) => (isResult(call, module) ? [] : [call])
    }),
    fault(
      "commands.late-result",
      "CMD-005",
      // The charge point answers 11.6 s after the answer to the command.
      answer(set({ timeout: 11 })),
      { versions: "2.2+", needs: { chargePointSeconds: 12, latency: 400 } }
    ),
    fault(
      "commands.url-without-query",
      "CMD-006",
      result((call) => ({ ...call, url: call.url.split("?")[0]! })),
      { follows: "TRANS-060" }
    ),
    fault("commands.unknown-result", "CMD-007", results("PERHAPS")),
    fault(
      "commands.result-in-envelope",
      "CMD-007",
      result((call) => ({
        ...call,
        json: { data: call.json, status_code: 1000, timestamp: "2026-06-01T12:00:00Z" }
      }))
    ),
    fault(
      "commands.stop-result-in-envelope",
      "CMD-007",
      () => {
        const stops = new Set<string>()
        return {
          reads: (asked, where) => {
            if (command("STOP_SESSION")(asked, where))
              stops.add(String((JSON.parse(asked.body) as Json)["response_url"]))
            return asked
          },
          sends: (call, module) =>
            isResult(call, module) && stops.has(call.url)
              ? [
                  {
                    ...call,
                    json: { data: call.json, status_code: 1000, timestamp: "2026-06-01T12:00:00Z" }
                  }
                ]
              : [call]
        }
      },
      {}
    ),
    fault("commands.stop-without-timeout", "CMD-002", data(command("STOP_SESSION"), without("timeout"))),
    fault(
      "commands.result-unsigned",
      "CMD-008",
      result(sentHeaders((all) => ({ ...all, Authorization: "Token nothing" })))
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
      answer((one: Json) => ({ ...one, result: one["result"] === "ACCEPTED" ? "REJECTED" : one["result"] }))
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
      "commands.unknown-location-started",
      "CMD-011",
      storing(both(commands, saying(/NO-SUCH-LOCATION/))),
      {
        needs: { beginsPending: false }
      }
    ),
    fault("commands.unknown-evse-started", "CMD-012", storing(both(commands, saying(/wrong-b/))), {
      needs: { beginsPending: false }
    }),
    fault("commands.invalid-started", "CMD-015", storing(both(commands, saying(/wrong-c/))), {
      needs: { beginsPending: false }
    }),
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
      "commands.starts-twice-later",
      "CMD-018",
      result(json((one) => (one["result"] === "EVSE_OCCUPIED" ? { ...one, result: "ACCEPTED" } : one))),
      { versions: "2.2+", follows: "CMD-020" }
    ),
    fault("commands.starts-incapable", "CMD-019", {
      shows: (one, name) => (name === "Location" ? within("evses", set({ capabilities: [] }))(one) : one)
    }),
    fault("commands.result-failed", "CMD-020", results("FAILED"), {
      versions: "2.2+"
    }),
    fault("commands.other-auth-method", "CMD-021", started(set({ auth_method: "AUTH_REQUEST" })), {
      follows: "CDR-038 CDR-021"
    }),
    fault("commands.lost-reference", "CMD-022", started(without("authorization_reference")), {
      follows: "CDR-027"
    }),
    fault(
      "commands.known-tokens-only",
      "CMD-023",
      answering(both(command("START_SESSION"), saying(/APP_USER/)), () => ({ http: 200, code: 2004 })),
      { follows: "CMD-001 CMD-011 CMD-012 CMD-024" }
    ),
    fault(
      "commands.never-completed",
      "CMD-026",
      started((one) =>
        one["status"] === "COMPLETED"
          ? without("end_date_time", "end_datetime")({ ...one, status: "ACTIVE" })
          : one
      ),
      { follows: "CDR-021 CMD-033 CMD-035 CMD-031 CDR-036" }
    )
  ]
)
