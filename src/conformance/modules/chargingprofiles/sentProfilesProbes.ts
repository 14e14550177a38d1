/** What an EMSP hears of the charging profiles that it has asked us for (mod_charging_profiles, Sender Interface). */
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { pathSegments } from "../../../findings/calledPath.ts"
import { type JsonObject, objectIn, textIn } from "../../../findings/json.ts"
import { parseJson } from "../../../findings/readJson.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Probe, type ProbeRequest, type ProbeStep, withheld } from "../../model/Probe.ts"

/** Prefix of the ids of the probes that send results. */
const sentProfiles = "chargingprofiles.results"
const received = "chargingprofiles.received"

interface ProfileRequest {
  readonly method: string
  readonly sessionId: string
  readonly responseUrl: string
}

/** The partner's profile requests that we accepted, newest first; only these have results. */
const requestsIn = (evidence: Evidence): ReadonlyArray<ProfileRequest> => {
  const calls = evidence.seen(received)
  return calls
    .flatMap(({ exchange, json }) => {
      const { method, url } = exchange.request
      const { searchParams } = new URL(url)
      const responseUrl = textIn(objectIn(json)["response_url"]) ?? searchParams.get("response_url")
      const sessionId = pathSegments(url).at(-1) ?? ""
      return exchange.module === "chargingprofiles" &&
        isAccepted(exchange.response?.body) &&
        responseUrl !== null &&
        URL.canParse(responseUrl)
        ? [{ method, sessionId, responseUrl }]
        : []
    })
    .toReversed()
}

const isAccepted = (body: string | null | undefined) =>
  objectIn(objectIn(parseJson(body ?? ""))["data"])["result"] === "ACCEPTED"

const provoke = "the partner has asked for no charging profile that we could accept"
const what = {
  PUT: "order listenSeconds, and meanwhile set a charging profile from its app on the session that the run publishes",
  GET: "let it ask for the active profile of a session of ours that is under way",
  DELETE: "let it clear the charging profile of a session of ours that is under way"
} as const

/** A profile that limits nothing much, for the next ten minutes. */
const activeProfile = (evidence: Evidence): JsonObject => ({
  start_date_time: dateTimeOf(Date.parse(evidence.startedAt)),
  charging_profile: {
    charging_rate_unit: "W",
    duration: 600,
    charging_profile_period: [{ start_period: 0, limit: 11000 }]
  }
})

const about = (
  id: string,
  method: keyof typeof what,
  asking: (request: ProfileRequest, evidence: Evidence) => Omit<ProbeRequest, "module" | "interfaceRole">
): Probe => {
  const step: ProbeStep = {
    id: "sent",
    act: (evidence) => {
      const request = requestsIn(evidence).find((one) => one.method === method)
      return request === undefined
        ? withheld("unobservable", `${provoke}: ${what[method]}`)
        : {
            send: { module: "chargingprofiles", interfaceRole: "SENDER", ...asking(request, evidence) }
          }
    }
  }
  return { id: `${sentProfiles}-${id}`, after: [received], steps: [step] }
}

const result =
  (more: (evidence: Evidence) => JsonObject = () => ({})) =>
  ({ responseUrl }: ProfileRequest, evidence: Evidence) => ({
    operation: "POST result",
    method: "POST" as const,
    url: responseUrl,
    body: { result: "ACCEPTED", ...more(evidence) }
  })

/** The steps that post one result each: of setting, reading and clearing a profile. */
export const resultSteps: ReadonlyArray<string> = ["set", "read", "clear"].map(
  (id) => `${sentProfiles}-${id}#sent`
)
/** The step that PUTs the active profile. */
export const activeStep = `${sentProfiles}-active#sent`

/** The probes that send results and the active profile for requests of the partner. */
export const sentProfilesProbes: ReadonlyArray<Probe> = [
  { id: received, source: "inbound" },
  about("set", "PUT", result()),
  about(
    "read",
    "GET",
    result((evidence) => ({ profile: activeProfile(evidence) }))
  ),
  about("clear", "DELETE", result()),
  about("active", "PUT", ({ sessionId }, evidence) => ({
    operation: "PUT active profile",
    method: "PUT",
    path: [sessionId],
    body: activeProfile(evidence)
  }))
]
