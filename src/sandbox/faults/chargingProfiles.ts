/** Faults of a CPO that takes charging profiles. */
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import type { Push } from "../../party/Behaviours.ts"
import { isObject, type JsonObject, objectIn } from "../../party/json.ts"
import { field, inEach, inside, without } from "./edits.ts"
import { cpo, type Fault } from "./Fault.ts"
import { aboutModule, editData, when } from "./replies.ts"

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
/** Results are posted; the active profile is PUT. */
const pushed = (method: Push["method"], edit: (push: Push) => ReadonlyArray<Push>) => ({
  push: (push: Push) => (push.module === "chargingprofiles" && push.method === method ? edit(push) : [push])
})

export const chargingProfilesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "chargingprofiles.no-timeout",
    description: "Does not say how long the result of setting a profile may take",
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
    description: "Accepts profiles and never sends what became of them",
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
    id: "chargingprofiles.result-without-profile",
    description: "Reports that it has read the active profile, and leaves the profile out",
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
  }
]
