/** Telling an EMSP of sessions (mod_sessions, Receiver Interface), in one script: what it was told first is known later. */
import type { Json } from "../../model/answers.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe, ProbeRequest, ProbeStep, StepAct } from "../../model/Probe.ts"
import {
  began,
  ending,
  minutes,
  partnersToken,
  period,
  putPlace,
  removePlace,
  strangersToken,
  testPlace,
  testSession,
  tokenProbes
} from "../charge/testCharge.ts"

type Make = (evidence: Evidence) => Json

/** What the script leaves behind in the session of that name, step after step. */
export const told = {
  put: (evidence: Evidence) => testSession(evidence, "S1"),
  patched: (evidence: Evidence) => ({ ...told.put(evidence), ...progress(evidence) }),
  completed: (evidence: Evidence) => ({ ...told.patched(evidence), ...ending(evidence) }),
  onePeriod: (evidence: Evidence) => ({
    ...testSession(evidence, "S2"),
    charging_periods: [period(evidence, 0)]
  }),
  twoPeriods: (evidence: Evidence) => ({
    ...told.onePeriod(evidence),
    charging_periods: [period(evidence, 0), period(evidence, 1)],
    last_updated: minutes(evidence, began + 30)
  }),
  noPeriods: (evidence: Evidence) => without(testSession(evidence, "S2"), "charging_periods"),
  reservation: (evidence: Evidence) => ({
    ...testSession(evidence, "S3"),
    kwh: 0,
    status: "RESERVATION",
    auth_method: "COMMAND",
    evse_uid: notAvailable,
    connector_id: notAvailable
  }),
  elsewhere: (evidence: Evidence) =>
    testSession(evidence, "S4", { place: testPlace(evidence, "HOME"), token: partnersToken(evidence) }),
  foreign: (evidence: Evidence) =>
    testSession(evidence, "S5", { place: testPlace(evidence, "L"), token: strangersToken(evidence) })
} as const

/** Stands where a reservation has no EVSE or connector yet. */
const notAvailable = "#NA"

function without(json: Json, ...names: ReadonlyArray<string>): Json {
  return Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)))
}

function progress(evidence: Evidence): Json {
  return { kwh: 2.25, last_updated: minutes(evidence, began + 20) }
}

/** Bodies that a receiver has to refuse, by what is wrong with them. */
const wrong: ReadonlyArray<readonly [string, (session: Json) => Json]> = [
  ["no currency", (session) => without(session, "currency")],
  ["status FINISHED", (session) => ({ ...session, status: "FINISHED" })],
  ["kwh as text", (session) => ({ ...session, kwh: "1.5" })]
]
export const wrongSessionSteps: ReadonlyArray<string> = wrong.map(([id]) => `sessions.write#${id}`)

const request = (
  evidence: Evidence,
  method: NonNullable<ProbeRequest["method"]>,
  session: Json,
  more: { readonly body?: unknown; readonly below?: ReadonlyArray<string>; readonly about?: string } = {}
): ProbeRequest => {
  const { countryCode, partyId } = evidence.party.identity
  const { below = [], ...rest } = more
  return {
    module: "sessions",
    interfaceRole: "RECEIVER",
    operation: `${method} session`,
    method,
    path: [countryCode, partyId, String(session["id"]), ...below],
    ...rest
  }
}

/** A session cannot be deleted: it is left behind completed. */
export const put = (id: string, make: Make, undo: Make = make): ProbeStep => ({
  id,
  act: (evidence) => ({
    send: request(evidence, "PUT", make(evidence), { body: make(evidence), about: id }),
    undo: request(evidence, "PUT", undo(evidence), {
      body: { charging_periods: [], ...undo(evidence), ...ending(evidence) }
    })
  })
})
export const get = (id: string, make: Make): ProbeStep => ({
  id,
  act: (evidence) => ({ send: request(evidence, "GET", make(evidence), { about: id }) })
})
export const patch = (
  id: string,
  make: Make,
  change: Make,
  more: Pick<Extract<StepAct, { send: ProbeRequest }>, "undoes"> & {
    readonly below?: ReadonlyArray<string>
  } = {}
): ProbeStep => ({
  id,
  act: (evidence) => {
    const { below = [], ...rest } = more
    return {
      send: request(evidence, "PATCH", make(evidence), { body: change(evidence), below, about: id }),
      ...rest
    }
  }
})

/** Steps for the versions of which that is true. */
const where = (
  applies: (evidence: Evidence) => boolean,
  steps: ReadonlyArray<ProbeStep>
): ReadonlyArray<ProbeStep> =>
  steps.map(({ act, id }) => ({ id, act: (evidence) => (applies(evidence) ? act(evidence) : undefined) }))

export const addPeriods =
  (minute: number, ...indexes: ReadonlyArray<number>): Make =>
  (evidence) => ({
    charging_periods: indexes.map((index) => period(evidence, index)),
    last_updated: minutes(evidence, began + minute)
  })
const addNone: Make = (evidence) => ({ kwh: 3.25, ...addPeriods(31)(evidence) })

export const placeStep = (id: string, name: string): ProbeStep => ({
  id,
  act: (evidence) => {
    const send = putPlace(evidence, testPlace(evidence, name))
    const undo = removePlace(evidence, testPlace(evidence, name))
    return send === undefined ? undefined : { send, ...(undo === undefined ? {} : { undo }) }
  }
})

/** What a session that is over is patched to. */
export const kwhAfterTheEnd = 9.75

export const sessionWriteProbes: ReadonlyArray<Probe> = [
  {
    id: "sessions.write",
    after: tokenProbes,
    steps: [
      placeStep("location", "L"),
      put("put", told.put),
      get("read back", told.put),
      patch("patch", told.put, progress),
      get("read patched", told.put),
      patch("complete", told.put, ending, { undoes: "put" }),
      get("read completed", told.put),
      patch("after the end", told.put, (evidence) => ({
        kwh: kwhAfterTheEnd,
        last_updated: minutes(evidence, -5)
      })),
      get("read after the end", told.put),
      ...where(
        ({ profile }) => profile.patchAppendsPeriods === true,
        [
          put("put one period", told.onePeriod),
          patch("append", told.onePeriod, addPeriods(30, 1)),
          get("read appended", told.onePeriod),
          patch("append none", told.onePeriod, addNone),
          get("read unchanged", told.onePeriod),
          patch("below the session", told.onePeriod, addPeriods(45, 2), { below: ["charging_periods"] }),
          put("put no periods", told.noPeriods),
          get("read emptied", told.onePeriod)
        ]
      ),
      patch("unknown", (evidence) => testSession(evidence, "S0"), progress),
      get("read unknown", (evidence) => testSession(evidence, "S0")),
      ...wrong.map(([id, spoil], index) =>
        put(
          id,
          (evidence) => spoil(testSession(evidence, `W${index}`)),
          (evidence) => testSession(evidence, `W${index}`)
        )
      ),
      ...where(({ profile }) => profile.reservationSession, [put("reservation", told.reservation)]),
      put("elsewhere", told.elsewhere),
      put("foreign", told.foreign)
    ]
  }
]
