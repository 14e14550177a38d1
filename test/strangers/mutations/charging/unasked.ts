/** Calls of a partner that nobody wanted: authorizations of commands, cancellations, active profiles, odd tokens. */
import { isJson, type Json } from "../../partner/objects/validity.ts"
import { type Call, parsed } from "../../partner/wire.ts"
import { at, isProfileResult, isPushOf, isResult, json, sending, set, without } from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { command } from "./commanding.ts"

/** A URL of ours: all our endpoints of a version stand side by side. */
export const ofOurs = ({ url }: Call, path: string): string =>
  `${/^(.*?\/ocpi\/[^/]+)\//.exec(url)?.[1] ?? url}/${path}`
export const bodyOf = (text: string): Json => {
  const body = parsed(text)
  return isJson(body) ? body : {}
}

/** Asks for an authorization of the token of a command. */
const authorizing = (type: RegExp) => () => {
  const uids = new Map<string, string>()
  return {
    reads: (
      asked: Parameters<ReturnType<typeof command>>[0],
      where: Parameters<ReturnType<typeof command>>[1]
    ) => {
      const { response_url: url, token } = bodyOf(asked.body)
      if (command("START_SESSION")(asked, where) && isJson(token) && type.test(String(token["type"])))
        uids.set(String(url), `${encodeURIComponent(String(token["uid"]))}/authorize?type=${token["type"]}`)
      return asked
    },
    sends: (call: Call, module: string) => {
      const path = isResult(call, module) ? uids.get(call.url) : undefined
      return path === undefined
        ? [call]
        : [
            {
              ...call,
              url: ofOurs(call, `tokens/${path}`),
              json: undefined
            },
            call
          ]
    }
  }
}

const active = (limit: number) => ({
  start_date_time: "2026-06-01T12:00:00Z",
  charging_profile: {
    charging_rate_unit: "W",
    duration: 900,
    charging_profile_period: [{ start_period: 0, limit }]
  }
})
const profiles = at("chargingprofiles", "PUT")
/** Pushes the active profile of a session after each result. */
const pushing = (limit: number, other?: string) => () => {
  const sessions = new Map<string, string>()
  return {
    reads: (asked: Parameters<typeof profiles>[0], where: Parameters<typeof profiles>[1]) => {
      if (profiles(asked, where))
        sessions.set(String(bodyOf(asked.body)["response_url"]), where.below[0] ?? "")
      return asked
    },
    sends: (call: Call, module: string) => {
      const session = isProfileResult(call, module) ? sessions.get(call.url) : undefined
      return session === undefined
        ? [call]
        : [
            call,
            {
              ...call,
              method: "PUT",
              url: ofOurs(call, `chargingprofiles/${encodeURIComponent(other ?? session)}`),
              json: active(limit)
            }
          ]
    }
  }
}

/** Rows of what a CPO sends although nobody wants it. */
export const unaskedFaults: ReadonlyArray<Mutation> = withAll(
  { roles: ["CPO"], needs: { changesEach: 0, pushes: "put", objects: 6 } },
  [
    fault("unasked.authorization-of-an-app", "CMD-024", authorizing(/APP_USER/)),
    fault("unasked.authorization-of-a-card", "CMD-025", authorizing(/RFID/)),
    fault("unasked.reservation-goes-on", "CMD-037", () => {
      const urls = new Set<string>()
      return {
        reads: (asked, where) => {
          if (command("RESERVE_NOW")(asked, where)) urls.add(String(bodyOf(asked.body)["response_url"]))
          return asked
        },
        sends: (call, module) =>
          isResult(call, module) && urls.has(call.url)
            ? [call, json(set({ result: "CANCELED_RESERVATION" }))(call)]
            : [call]
      }
    }),
    fault("unasked.profile-of-another-session", "CP-011", pushing(11_000, "ANOTHER")),
    fault("unasked.profile-too-exact", "CP-012", pushing(11_000.123))
  ]
)

/** Rows of tokens that an EMSP pushes. */
export const tokenPushFaults: ReadonlyArray<Mutation> = withAll(
  { roles: ["EMSP"], needs: { changesEach: 0, pushes: "put", objects: 6, routineSeconds: 20 } },
  [
    fault("pushes.token-in-part", "TOK-028", sending(isPushOf("tokens"), json(without("issuer")))),
    fault(
      "pushes.token-invalid-not-listed",
      "TOK-029",
      sending(isPushOf("tokens"), json(set({ valid: false }))),
      { needs: { routineSeconds: 7 } }
    )
  ]
)
