/** Faults of an EMSP with drivers: of the commands and profile requests that it sends, and of how it takes their results. */
import type { Call } from "../../partner/wire.ts"
import {
  admitting,
  answering,
  at,
  both,
  change,
  crashing,
  json,
  refusing,
  saying,
  sending,
  set,
  taking,
  within,
  without
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { commands } from "./commanding.ts"

const isCommand =
  (...names: ReadonlyArray<string>) =>
  ({ method, url }: Call, module: string): boolean =>
    module === "commands" && method === "POST" && names.some((name) => url.includes(name))
const starts = isCommand("START_SESSION")
const says = (word: string) => both(commands, saying(new RegExp(`"${word}"`)))
/** What follows from a command that we refuse. */
const refused = "CMD-107 CMD-108 CMD-111"

/** Falls over when a result comes a second time. */
const crashingAgain = () => {
  const seen = new Set<string>()
  return crashing((asked, where) => {
    if (!commands(asked, where) || asked.headers["authorization"] === undefined) return false
    const isAgain = seen.has(asked.url.pathname)
    seen.add(asked.url.pathname)
    return isAgain
  })
}

/** Rows of an EMSP whose drivers act on the site that a run publishes. */
export const driverFaults: ReadonlyArray<Mutation> = withAll(
  { roles: ["EMSP"], order: { part: "full", hasDrivers: true, listenSeconds: 60 } },
  [
    fault("starts.token-in-part", "CMD-101", sending(starts, json(within("token", without("valid")))), {
      follows: refused
    }),
    fault("starts.one-url-for-all", "CMD-102", () => {
      let first: unknown
      return sending(
        isCommand("START_SESSION", "RESERVE_NOW", "UNLOCK_CONNECTOR"),
        json(
          change("response_url", (url) => {
            first ??= url
            return first
          })
        )
      )
    }),
    fault(
      "starts.token-of-others",
      "CMD-103",
      sending(starts, json(within("token", set({ party_id: "OTH" }))))
    ),
    fault("starts.nowhere", "CMD-104", sending(starts, json(set({ location_id: "NOWHERE" }))), {
      follows: refused
    }),
    fault("starts.no-connector", "CMD-105", sending(starts, json(without("connector_id"))), {
      follows: refused
    }),
    fault(
      "unlocks.incapable",
      "CMD-106",
      sending(isCommand("UNLOCK_CONNECTOR"), json(change("evse_uid", (uid: string) => `${uid}2`))),
      { follows: `${refused} CMD-104` }
    ),
    fault("results.accepted-refused", "CMD-107", refusing(says("ACCEPTED"))),
    fault("results.rejected-refused", "CMD-108", refusing(says("REJECTED"))),
    fault("results.any-word", "CMD-109", taking(commands)),
    fault("results.open", "CMD-110", admitting(commands), { follows: "CRED-049 CRED-051" }),
    fault("results.again-crash", "CMD-111", crashingAgain, { follows: "CMD-107 CMD-108 CMD-109 CMD-112" }),
    fault("results.cancelled-refused", "CMD-112", refusing(says("CANCELED_RESERVATION"))),
    fault(
      "profile-results.with-data",
      "CP-101",
      answering(at("chargingprofiles", "POST"), (said) => ({ ...said, data: { stored: true } }))
    ),
    fault(
      "profiles.without-unit",
      "CP-103",
      sending(
        (call, module) => module === "chargingprofiles" && call.method === "PUT",
        json(within("charging_profile", without("charging_rate_unit")))
      )
    ),
    fault("active-profiles.refused", "CP-102", refusing(at("chargingprofiles", "PUT")))
  ]
)
