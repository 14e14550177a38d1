/** Faults of a CPO that receives charging profiles. */
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectIn } from "../../../findings/json.ts"
import type { Push } from "../../../party/wire/PartnerQuirks.ts"
import { field, inEach, inside, without } from "../edits.ts"
import { cpo, type Fault } from "../Fault.ts"
import { aboutModule, editData, editEnvelope, when } from "../replies.ts"

const base = {
  module: "chargingprofiles",
  versions: versionsWhere(({ modules }) => modules.includes("chargingprofiles")),
  roles: cpo,
  strength: "must"
} as const

const answer = (edit: (answer: JsonObject) => JsonObject) => ({
  reply: when(
    aboutModule("chargingprofiles"),
    editData((data) => (isObject(data) ? edit(data) : data))
  )
})
/** Changes what the CPO pushes of this module: results by POST, the active profile by PUT. */
const pushed = (method: Push["method"], edit: (push: Push) => ReadonlyArray<Push>) => ({
  push: (push: Push) => (push.module === "chargingprofiles" && push.method === method ? edit(push) : [push])
})

/** Answers ACCEPTED where the honest CPO answers 2001, invalid or missing parameters. */
const acceptedAnyhow = (methods: ReadonlyArray<string>) =>
  when(
    (request) => aboutModule("chargingprofiles")(request) && methods.includes(request.method),
    editEnvelope((envelope) =>
      envelope["status_code"] === ocpiStatus.invalidParameters
        ? { ...envelope, status_code: ocpiStatus.success, data: { result: "ACCEPTED", timeout: 30 } }
        : envelope
    )
  )
/** Changes the `result` of a ClearProfileResult. */
const cleared = (edit: (word: unknown) => unknown) =>
  pushed("POST", (push) => [
    push.url?.includes("/ClearProfileResult/") === true
      ? { ...push, body: field("result", edit)(objectIn(push.body)) }
      : push
  ])

/**
 * Faults of a CPO's ChargingProfiles Receiver interface: its answers, its results and the active profiles that it sends.
 */
export const chargingProfilesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "chargingprofiles.no-timeout",
    description: "Leaves the timeout out of its answers",
    caughtBy: ["CP-001"],
    behaviour: answer(without("timeout"))
  },
  {
    ...base,
    id: "chargingprofiles.unknown-session-accepted",
    description: "Accepts profiles for sessions that it does not know",
    caughtBy: ["CP-003"],
    behaviour: answer(field("result", (word) => (word === "UNKNOWN_SESSION" ? "ACCEPTED" : word)))
  },
  {
    ...base,
    id: "chargingprofiles.no-result",
    description: "Accepts requests and never sends their result",
    caughtBy: ["CP-002"],
    behaviour: pushed("POST", () => [])
  },
  {
    ...base,
    id: "chargingprofiles.enveloped-result",
    description: "Wraps the result of setting a profile in the response envelope",
    caughtBy: ["CP-002"],
    behaviour: pushed("POST", (push) => [{ ...push, body: { data: push.body, status_code: 1000 } }])
  },
  {
    ...base,
    id: "chargingprofiles.result-twice",
    strength: "should",
    description: "Sends each result of a request about a charging profile twice",
    caughtBy: ["CP-002", "CP-004", "CP-006"],
    behaviour: pushed("POST", (push) => [push, { ...push, delayMillis: push.delayMillis + 200 }])
  },
  {
    ...base,
    id: "chargingprofiles.result-without-profile",
    description: "Sends the result of reading the active profile without the profile",
    caughtBy: ["CP-004"],
    behaviour: pushed("POST", (push) => [{ ...push, body: without("profile")(objectIn(push.body)) }])
  },
  {
    ...base,
    id: "chargingprofiles.three-decimals",
    strength: "should",
    description: "Gives the limits of an active profile with three decimals",
    caughtBy: ["CP-012"],
    behaviour: pushed("PUT", (push) => [
      {
        ...push,
        body: inside(
          "charging_profile",
          inEach(
            "charging_profile_period",
            field("limit", (limit) => Number(limit) + 0.123)
          )
        )(objectIn(push.body))
      }
    ])
  },
  {
    ...base,
    id: "chargingprofiles.anything-read",
    description: "Accepts GET and DELETE without the response_url",
    caughtBy: ["CP-005"],
    behaviour: { reply: acceptedAnyhow(["GET", "DELETE"]) }
  },
  {
    ...base,
    id: "chargingprofiles.anything-set",
    description: "Accepts invalid charging profiles",
    caughtBy: ["CP-008"],
    behaviour: { reply: acceptedAnyhow(["PUT"]) }
  },
  {
    ...base,
    id: "chargingprofiles.never-cleared",
    description: "Reports that the charge point did not clear the profile",
    caughtBy: ["CP-006"],
    behaviour: cleared((word) => (word === "ACCEPTED" ? "REJECTED" : word))
  },
  {
    ...base,
    id: "chargingprofiles.none-rejected",
    strength: "should",
    description: "Sends REJECTED instead of UNKNOWN when there is no profile to clear",
    caughtBy: ["CP-007"],
    behaviour: cleared((word) => (word === "UNKNOWN" ? "REJECTED" : word))
  },
  {
    ...base,
    id: "chargingprofiles.set-when-over",
    strength: "should",
    description: "Accepts profiles for sessions that have ended",
    caughtBy: ["CP-009"],
    behaviour: answer(field("result", (word) => (word === "REJECTED" ? "ACCEPTED" : word)))
  },
  {
    ...base,
    id: "chargingprofiles.result-of-rejected",
    description: "Rejects GET of the active profile and sends its result all the same",
    caughtBy: ["CP-010"],
    behaviour: {
      reply: when(
        (request) => aboutModule("chargingprofiles")(request) && request.method === "GET",
        editData((data) =>
          isObject(data) ? field("result", (word) => (word === "ACCEPTED" ? "REJECTED" : word))(data) : data
        )
      )
    }
  },
  {
    ...base,
    id: "chargingprofiles.unknown-unit",
    description: "Sends active profiles in a unit that OCPI does not know",
    caughtBy: ["CP-011"],
    behaviour: pushed("PUT", (push) => [
      {
        ...push,
        body: inside(
          "charging_profile",
          field("charging_rate_unit", () => "KW")
        )(objectIn(push.body))
      }
    ])
  }
]
