/** Charging profiles at a CPO (mod_charging_profiles): set, read and cleared on a session that was started for it. */
import { unlistedInterface } from "../../../../schema/Assertion.ts"
import type { JsonObject } from "../../../findings/json.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Probe, type ProbeRequest, type ProbeStep, withheld } from "../../model/Probe.ts"
import { idOf, type Shown, shownAt } from "../commands/commandSessions.ts"
import {
  atTarget,
  command,
  commandToken,
  targetFields,
  targetFor,
  targetProbes,
  withoutTarget
} from "../commands/commandTargets.ts"
import { sessionSteps, stopSteps } from "../commands/remoteStartsProbes.ts"
import { commandSteps, isAccepted, isRefused, resultOfStep, resultStep } from "../shared/commandLegs.ts"
import { isResultOf } from "../shared/stepAnswers.ts"

/** Id of the probe that sets, reads and clears charging profiles on a session of its own. */
export const profiles = "chargingprofiles.set"
/** Id of the probe that sends requests about an unknown session. */
const unknownSession = "chargingprofiles.unknown"

const module = "chargingprofiles"
/** duration of GET, in seconds; within the 5 to 60 minutes of an ActiveChargingProfile. */
const reachSeconds = 900
const quietSeconds = 2
/** Query of the response_url, which the partner must not change. */
const query = (evidence: Evidence) => ({ run: evidence.mark, note: "a b&c" })

const capable = "CHARGING_PROFILE_CAPABLE"

const token = (evidence: Evidence): JsonObject =>
  commandToken(evidence, "profile", 7, evidence.profile.appToken)

const target = (evidence: Evidence) => targetFor(evidence, "charging profiles")

/** Does the partner take charging profiles? Without that no session is started for them. */
const isServed = ({ party }: Evidence): boolean =>
  party.counterpart.endpoints.some(({ identifier, role }) => identifier === module && role !== "SENDER")

/** The session that the profiles are for. */
export const profiledSession = (evidence: Evidence): Shown | undefined =>
  shownAt(evidence, `${profiles}#session`, [`${profiles}#sessions`], token(evidence))

const profile: JsonObject = {
  charging_rate_unit: "W",
  duration: reachSeconds,
  charging_profile_period: [
    { start_period: 0, limit: 7400 },
    { start_period: 600, limit: 5000.5 }
  ]
}

const asking = (
  method: NonNullable<ProbeRequest["method"]>,
  sessionId: string
): Omit<ProbeRequest, "about"> => ({
  module,
  interfaceRole: "RECEIVER",
  operation: `${method} chargingprofile`,
  method,
  path: [sessionId]
})

const set = (sessionId: string, charging_profile: unknown = profile): ProbeRequest => ({
  ...asking("PUT", sessionId),
  body: charging_profile === undefined ? {} : { charging_profile },
  resultOf: "ChargingProfileResult",
  resultVia: { module }
})
const readWithoutDuration = (evidence: Evidence, sessionId: string): ProbeRequest => ({
  ...asking("GET", sessionId),
  resultOf: "ActiveChargingProfileResult",
  resultVia: { module, in: "query", query: query(evidence) }
})
const read = (evidence: Evidence, sessionId: string): ProbeRequest => ({
  ...readWithoutDuration(evidence, sessionId),
  query: { duration: `${reachSeconds}` }
})
const clear = (evidence: Evidence, sessionId: string): ProbeRequest => ({
  ...asking("DELETE", sessionId),
  resultOf: "ClearProfileResult",
  resultVia: { module, in: "query", query: query(evidence) }
})

const unknown = "TST-NO-SUCH-SESSION"

/** A step about the session; none without it. */
const about = (id: string, make: (evidence: Evidence, sessionId: string) => ProbeRequest): ProbeStep => ({
  id,
  act: (evidence) => {
    const sessionId = idOf(profiledSession(evidence))
    return sessionId === undefined ? undefined : { send: make(evidence, sessionId) }
  }
})
const withResult = (id: string, make: (evidence: Evidence, sessionId: string) => ProbeRequest) => [
  about(id, make),
  resultOfStep(profiles, id)
]

/** Requests that lack what they need, by the id of their step. */
const lacking: Readonly<Record<string, (evidence: Evidence, sessionId: string) => ProbeRequest>> = {
  "read without duration": (evidence, id) => ({
    ...readWithoutDuration(evidence, id),
    about: "without duration",
    wrongOnPurpose: { query: "duration is missing" }
  }),
  "read without response_url": (_, id) => ({
    ...asking("GET", id),
    query: { duration: `${reachSeconds}` },
    about: "without response_url",
    wrongOnPurpose: { query: "response_url is missing" }
  }),
  "clear without response_url": (_, id) => ({
    ...asking("DELETE", id),
    about: "without response_url",
    wrongOnPurpose: { query: "response_url is missing" }
  })
}
/** The limit of the profile that is not valid, by which it is recognised where it is applied all the same. */
export const wrongLimit = 7.3
const wrong: Readonly<Record<string, (evidence: Evidence, sessionId: string) => ProbeRequest>> = {
  "set in KW": (_, id) => ({
    ...set(id, {
      ...profile,
      charging_rate_unit: "KW",
      charging_profile_period: [{ start_period: 0, limit: wrongLimit }]
    }),
    about: "charging_rate_unit KW",
    wrongOnPurpose: { body: "charging_rate_unit is no unit" }
  }),
  "set nothing": (_, id) => ({
    ...set(id),
    body: {},
    about: "without charging_profile",
    wrongOnPurpose: { body: "charging_profile is missing" }
  })
}

const at = (id: string) => `${profiles}#${id}`
/** Steps whose requests lack duration or response_url. */
export const lackingSteps: ReadonlyArray<string> = Object.keys(lacking).map(at)
/** Steps that PUT a charging profile that is not valid. */
export const wrongProfileSteps: ReadonlyArray<string> = Object.keys(wrong).map(at)
/** Steps about an unknown session. */
export const unknownSessionSteps: ReadonlyArray<string> = ["set", "read", "clear"].map(
  (id) => `${unknownSession}#${id}`
)
/** Requests whose result was waited for. */
export const profileSteps: ReadonlyArray<string> = ["clear none", "set", "read", "clear", "set late"].map(at)

/** Of all requests about profiles, those that were refused. */
export const refusedProfileSteps = (evidence: Evidence): ReadonlyArray<string> =>
  [...profileSteps, ...lackingSteps, ...wrongProfileSteps, ...unknownSessionSteps].filter((step) =>
    isRefused(evidence, step)
  )

const quiet: ProbeStep = {
  id: "quiet",
  forChecks: true,
  act: () => ({
    wait: {
      seconds: quietSeconds,
      instruction: "The partner must not send a result for a request that was not accepted",
      provoke: "no result came for a request that was not accepted",
      matches: (seen, evidence) =>
        refusedProfileSteps(evidence).some((step) => isResultOf(seen, evidence, step))
    }
  })
}

/**
 * PUT, GET and DELETE of charging profiles on a session of its own and on an unknown one, and the calls of the partner
 * since the run began.
 */
export const chargingProfileProbes: ReadonlyArray<Probe> = [
  {
    id: profiles,
    after: targetProbes,
    alone: true,
    ...atTarget("charging profiles"),
    steps: [
      ...commandSteps(profiles, "start", (evidence) => {
        if (!isServed(evidence))
          return withheld("not_applicable", `${unlistedInterface} ${module} endpoint with role RECEIVER`)
        const place = target(evidence)
        if (place === undefined) return withoutTarget(evidence, capable)
        return {
          send: command("START_SESSION", { token: token(evidence), ...targetFields(evidence, place) })
        }
      }),
      ...sessionSteps(profiles, token, profiledSession),
      ...withResult("clear none", clear),
      {
        id: "set",
        act: (evidence) => {
          const sessionId = idOf(profiledSession(evidence))
          return sessionId === undefined
            ? undefined
            : { send: set(sessionId), undo: clear(evidence, sessionId) }
        }
      },
      resultOfStep(profiles, "set"),
      ...withResult("read", read),
      {
        id: "clear",
        act: (evidence) => {
          const sessionId = idOf(profiledSession(evidence))
          return sessionId === undefined ? undefined : { send: clear(evidence, sessionId), undoes: "set" }
        }
      },
      resultOfStep(profiles, "clear"),
      ...Object.entries({ ...lacking, ...wrong }).map(([id, make]) => ({
        ...about(id, make),
        forChecks: true as const
      })),
      { ...about("read after wrong", read), forChecks: true },
      resultOfStep(profiles, "read after wrong"),
      ...stopSteps(profiles, token, profiledSession),
      {
        id: "set late",
        act: (evidence) => {
          const sessionId = idOf(profiledSession(evidence))
          const ended = evidence.gathered(`${profiles}#completed`)
          return sessionId === undefined || ended === undefined || "withheld" in ended
            ? undefined
            : { send: set(sessionId) }
        }
      },
      {
        id: resultStep("set late"),
        act: (evidence) =>
          isAccepted(evidence, at("set late")) ? resultOfStep(profiles, "set late").act(evidence) : undefined
      },
      quiet
    ]
  },
  {
    id: unknownSession,
    steps: [
      { id: "set", act: () => ({ send: set(unknown) }) },
      { id: "read", act: (evidence) => ({ send: read(evidence, unknown) }) },
      { id: "clear", act: (evidence) => ({ send: clear(evidence, unknown) }) }
    ]
  },
  { id: "chargingprofiles.calls", after: [profiles], source: "inbound.run" }
]
