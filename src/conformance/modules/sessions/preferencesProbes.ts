/**
 * Probes of a driver's charging preferences (mod_sessions, Set: Charging Preferences): one session at an EVSE that takes them,
 * one at an EVSE that does not.
 */
import { hourMillis } from "../../../../schema/fields/durations.ts"
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { isEmpty } from "../../../findings/objectDifferences.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Probe, type ProbeRequest, type ProbeStep, withheld } from "../../model/Probe.ts"
import { idOf, type Shown, shownAt } from "../commands/commandSessions.ts"
import {
  atTarget,
  type Claim,
  command,
  commandToken,
  targetFields,
  targetFor,
  targetProbes,
  withoutTarget
} from "../commands/commandTargets.ts"
import { sessionSteps, stopSteps } from "../commands/remoteStartsProbes.ts"
import { commandSteps } from "../shared/commandLegs.ts"
import { objectsOf, wholeList } from "../shared/objects/listedObjects.ts"

/** Id of the probe that sets charging preferences at an EVSE with CHARGING_PREFERENCES_CAPABLE. */
export const preferring = "sessions.preferences"
/** Id of the probe that sets charging preferences at an EVSE without CHARGING_PREFERENCES_CAPABLE. */
export const incapable = "sessions.incapable"

const remoteStart = "REMOTE_START_STOP_CAPABLE"
const preferences = "CHARGING_PREFERENCES_CAPABLE"

/** Values of profile_type for which a tariff has a type PROFILE_…. */
const profileTypes = ["FAST", "GREEN", "CHEAP"] as const

const offers = (evidence: Evidence, type: string) =>
  objectsOf(evidence, "tariffs").some(({ json }) => json["type"] === `PROFILE_${type}`)

/**
 * A profile for which no tariff is listed; undefined when there is one for each. A tariff without a type is one for every session
 * (mod_tariffs, Tariff object), and of a CPO whose tariffs cannot be read whole nobody knows which it has.
 */
export const profileWithoutTariff = (evidence: Evidence): string | undefined => {
  const tariffs = wholeList(evidence, "tariffs") ?? []
  return tariffs.length === 0 || tariffs.some(({ json }) => isEmpty(json["type"]))
    ? undefined
    : profileTypes.find((type) => !offers(evidence, type))
}
/** A profile that has a tariff; else the one that needs none. */
const withTariff = (evidence: Evidence): string =>
  ["GREEN", "CHEAP"].find((type) => offers(evidence, type)) ?? "REGULAR"

const put = (
  id: string | undefined,
  body: object,
  about: string,
  wrongOnPurpose?: ProbeRequest["wrongOnPurpose"]
): { readonly send: ProbeRequest } | undefined =>
  id === undefined
    ? undefined
    : {
        send: {
          module: "sessions",
          interfaceRole: "SENDER",
          operation: "PUT charging_preferences",
          method: "PUT",
          path: [id, "charging_preferences"],
          body,
          about,
          ...(wrongOnPurpose === undefined ? {} : { wrongOnPurpose })
        }
      }

const later = ({ startedAt }: Evidence) => dateTimeOf(Date.parse(startedAt) + 4 * hourMillis)

const token = (name: string, number: number) => (evidence: Evidence) =>
  commandToken(evidence, name, number, evidence.profile.appToken)

/** The driver of a probe and the EVSE where he charges: one with these capabilities, which no other probe uses (`claim`). */
interface Charge {
  readonly driver: (evidence: Evidence) => ReturnType<typeof commandToken>
  readonly claim: Claim
  readonly capabilities: ReadonlyArray<string>
}

/** Starts a session at such an EVSE, takes the steps `wishes` in it, and stops it. */
const during = (
  probe: string,
  { capabilities, claim, driver }: Charge,
  wishes: (session: (evidence: Evidence) => Shown | undefined) => ReadonlyArray<ProbeStep>
): Probe => {
  const session = (evidence: Evidence) =>
    shownAt(evidence, `${probe}#session`, [`${probe}#sessions`], driver(evidence))
  return {
    id: probe,
    after: [...targetProbes, "tariffs.list", "tariffs.crawl"],
    alone: true,
    ...atTarget(claim),
    steps: [
      ...commandSteps(probe, "start", (evidence) => {
        const target = targetFor(evidence, claim)
        if (evidence.profile.objects.ChargingPreferences === undefined)
          return withheld("not_applicable", "the version has no charging preferences")
        if (target === undefined) return withoutTarget(evidence, ...capabilities)
        return {
          send: command("START_SESSION", { token: driver(evidence), ...targetFields(evidence, target) })
        }
      }),
      ...sessionSteps(probe, driver, session),
      ...wishes(session),
      ...stopSteps(probe, driver, session)
    ]
  }
}

/**
 * START_SESSION, PUT of charging_preferences of its session, STOP_SESSION: at an EVSE with
 * CHARGING_PREFERENCES_CAPABLE, and at one without.
 */
export const preferenceProbes: ReadonlyArray<Probe> = [
  during(
    preferring,
    { driver: token("wish", 8), claim: "charging preferences", capabilities: [remoteStart, preferences] },
    (session) => [
      {
        id: "wish",
        act: (evidence) =>
          put(
            idOf(session(evidence)),
            { profile_type: "REGULAR", departure_time: later(evidence), energy_need: 10 },
            "REGULAR"
          )
      },
      {
        id: "no tariff",
        act: (evidence) => {
          const type = profileWithoutTariff(evidence)
          return type === undefined
            ? undefined
            : put(
                idOf(session(evidence)),
                { profile_type: type, departure_time: later(evidence), energy_need: 10 },
                `${type}, for which there is no tariff`
              )
        }
      },
      {
        id: "bare",
        act: (evidence) =>
          put(
            idOf(session(evidence)),
            { profile_type: withTariff(evidence) },
            `${withTariff(evidence)} alone`
          )
      },
      {
        id: "no type",
        act: (evidence) =>
          put(idOf(session(evidence)), { energy_need: 10 }, "no profile_type", {
            body: "profile_type is missing"
          })
      }
    ]
  ),
  during(
    incapable,
    {
      driver: token("nowish", 9),
      claim: "no charging preferences",
      capabilities: [remoteStart, `without ${preferences}`]
    },
    (session) => [
      {
        id: "wish",
        act: (evidence) => put(idOf(session(evidence)), { profile_type: "REGULAR" }, `without ${preferences}`)
      }
    ]
  )
]
