/** Faults of charging profiles (mod_charging_profiles). */
import { isJson, type Json } from "../../partner/objects/validity.ts"
import type { Call } from "../../partner/wire.ts"
import {
  at,
  both,
  data,
  instead,
  isProfileResult,
  isResult,
  json,
  saying,
  sending,
  sentHeaders,
  storing,
  taking,
  without
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { rejected } from "./commanding.ts"

const profiles = at("chargingprofiles")
const profile = (...methods: ReadonlyArray<string>) => at("chargingprofiles", ...methods)
const sent = (edit: (call: Call) => Call | ReadonlyArray<Call>) => sending(isProfileResult, edit)

const inEnvelope = (call: Call): Call => ({ ...call, json: { data: call.json, status_code: 1000 } })

/** Rows of charging profiles. */
export const profileFaults: ReadonlyArray<Mutation> = withAll(
  { roles: ["CPO"], needs: { changesEach: 0, pushes: "put", objects: 6 } },
  [
    fault("profiles.no-timeout", "CP-001", data(profile("PUT"), without("timeout")), {
      follows: "CP-002 CP-003 CP-009"
    }),
    fault("profiles.result-in-envelope", "CP-002", sent(inEnvelope)),
    fault(
      "profiles.read-result-in-envelope",
      "CP-004",
      sent((call) => (isJson(call.json) && "profile" in call.json ? inEnvelope(call) : call))
    ),
    fault(
      "profiles.every-result-unsigned",
      "CMD-008",
      sending(
        (call, module) => isResult(call, module) || isProfileResult(call, module),
        sentHeaders((all) => ({ ...all, Authorization: "Token nothing" }))
      )
    ),
    fault(
      "profiles.every-result-in-envelope",
      "CMD-007",
      sending((call, module) => isResult(call, module) || isProfileResult(call, module), inEnvelope)
    ),
    fault("profiles.no-result", "CP-002", {
      sends: (call, module) => (isProfileResult(call, module) ? [] : [call])
    }),
    fault("profiles.no-result-of-commands-either", "CMD-004", {
      sends: (call, module) => (isProfileResult(call, module) || isResult(call, module) ? [] : [call])
    }),
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
    fault("profiles.refused-and-set", "CP-008", storing(both(profile("PUT"), saying(/"KW"/)))),
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
      { follows: "CP-010" }
    )
  ]
)
