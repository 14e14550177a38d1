/** Sending CDRs to an EMSP (mod_cdrs, Receiver Interface), in one script: what it was sent first is known later. */
import { creditOf } from "../../../party/simulation/chargePoint/creditCdr.ts"
import { header, type Json, succeeded } from "../../model/answers.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe, ProbeRequest, ProbeStep } from "../../model/Probe.ts"
import {
  began,
  minutes,
  partnersToken,
  strangersToken,
  testCdr,
  testPlace,
  tokenProbes
} from "../charge/testCharge.ts"
import { placeStep } from "../sessions/sessionWritesProbes.ts"
import { stepOf } from "../shared/waiting.ts"

type Make = (evidence: Evidence) => Json

/** The CDRs that the script sends. */
export const sentCdr = {
  first: (evidence: Evidence) => testCdr(evidence, "C1"),
  /** The first one's id, and another sum. */
  dearer: (evidence: Evidence) => ({ ...testCdr(evidence, "C1"), total_cost: testCost(evidence, 9) }),
  credit: (evidence: Evidence) => creditOf(testCdr(evidence, "C1"), minutes(evidence, 0)),
  reservation: reservationCdr,
  elsewhere: (evidence: Evidence) =>
    testCdr(evidence, "C3", { place: testPlace(evidence, "HOME"), token: partnersToken(evidence) }),
  foreign: (evidence: Evidence) =>
    testCdr(evidence, "C4", { place: testPlace(evidence, "C"), token: strangersToken(evidence) }),
  minimal: (evidence: Evidence) => without(testCdr(evidence, "C5"), ...optionalFields)
} as const

/** Fields that a CDR may do without. */
const optionalFields: ReadonlyArray<string> = [
  "session_id",
  "tariffs",
  "total_fixed_cost",
  "total_energy_cost",
  "total_time_cost",
  "total_parking_cost",
  "total_reservation_cost",
  "total_parking_time"
]
/** Stands where a reservation has no EVSE or connector. */
const notAvailable = "#NA"

function without(json: Json, ...names: ReadonlyArray<string>): Json {
  return Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)))
}

/** Nobody came: a quarter of an hour was reserved, and nothing was charged. */
function reservationCdr(evidence: Evidence): Json {
  const start = minutes(evidence, began)
  const cdr = without(testCdr(evidence, "C2"), ...optionalFields)
  const place = cdr["cdr_location"]
  return {
    ...cdr,
    auth_method: "COMMAND",
    cdr_location: {
      ...(place as object), // made by us a line before
      evse_uid: notAvailable,
      evse_id: notAvailable,
      connector_id: notAvailable
    },
    charging_periods: [{ start_date_time: start, dimensions: [{ type: "RESERVATION_TIME", volume: 0.25 }] }],
    total_cost: testCost(evidence, 0),
    total_reservation_cost: testCost(evidence, 0),
    total_energy: 0,
    total_time: 0
  }
}

const testCost = ({ profile }: Evidence, amount: number): unknown =>
  ({
    number: amount,
    excl_vat: { excl_vat: amount },
    before_taxes: { before_taxes: amount }
  })[profile.price]

/** Bodies that a receiver has to refuse, by what is wrong with them. */
const wrong: ReadonlyArray<readonly [string, (cdr: Json) => Json]> = [
  ["no total_cost", (cdr) => without(cdr, "total_cost")],
  ["no charging_periods", (cdr) => without(cdr, "charging_periods")],
  [
    "dimension KWH",
    (cdr) => ({
      ...cdr,
      charging_periods: [
        { start_date_time: cdr["start_date_time"], dimensions: [{ type: "KWH", volume: 1.5 }] }
      ]
    })
  ]
]
export const wrongCdrSteps: ReadonlyArray<string> = wrong.map(([id]) => `cdrs.write#${id}`)

export const sending = (cdr: Json, about: string): ProbeRequest => ({
  module: "cdrs",
  interfaceRole: "RECEIVER",
  operation: "POST cdr",
  method: "POST",
  body: cdr,
  about
})

/** A CDR cannot be deleted: where the version has Credit CDRs it is taken back. */
const post = (
  id: string,
  make: Make,
  more: { readonly undoes?: string; readonly kept?: true } = {}
): ProbeStep => ({
  id,
  act: (evidence) => {
    const cdr = make(evidence)
    const { kept, ...rest } = more
    return {
      send: sending(cdr, id),
      ...(kept === true || !evidence.profile.cdrDetails
        ? {}
        : { undo: sending(creditOf(cdr, minutes(evidence, 0)), `credit of ${id}`) }),
      ...rest
    }
  }
})

/** Where the partner says that the CDR can be read; a relative address is below the endpoint that it was posted to. */
export const cdrUrl = (evidence: Evidence): string | undefined => {
  const seen = stepOf(evidence, "cdrs.write#post")
  const location = seen === undefined || !succeeded(seen) ? undefined : header(seen, "location")
  if (seen === undefined || location === undefined) return undefined
  const { url } = seen.exchange.request
  return URL.canParse(location, url) ? new URL(location, url).href : undefined
}

const at = (id: string, method: NonNullable<ProbeRequest["method"]>, body?: Make): ProbeStep => ({
  id,
  act: (evidence) => {
    const url = cdrUrl(evidence)
    return url === undefined
      ? undefined
      : {
          send: {
            module: "cdrs",
            interfaceRole: "RECEIVER",
            operation: `${method} cdr`,
            method,
            url,
            about: id,
            ...(body === undefined ? {} : { body: body(evidence) })
          }
        }
  }
})

/** Steps for the versions of which that is true. */
const where = (applies: (evidence: Evidence) => boolean, step: ProbeStep): ProbeStep => ({
  id: step.id,
  act: (evidence) => (applies(evidence) ? step.act(evidence) : undefined)
})

export const cdrWriteProbes: ReadonlyArray<Probe> = [
  {
    id: "cdrs.write",
    after: tokenProbes,
    steps: [
      placeStep("location", "C"),
      post("post", sentCdr.first),
      at("read back", "GET"),
      post("post again", sentCdr.first, { kept: true }),
      post("post dearer", sentCdr.dearer, { kept: true }),
      at("read after dearer", "GET"),
      at("put", "PUT", sentCdr.dearer),
      at("patch", "PATCH", (evidence) => ({ total_cost: testCost(evidence, 9) })),
      at("delete", "DELETE"),
      at("read kept", "GET"),
      ...wrong.map(([id, spoil], index) => post(id, (evidence) => spoil(testCdr(evidence, `W${index}`)))),
      where(
        ({ profile }) => profile.cdrDetails,
        post("credit", sentCdr.credit, { undoes: "post", kept: true })
      ),
      where(({ profile }) => profile.reservationSession, post("reservation", sentCdr.reservation)),
      post("elsewhere", sentCdr.elsewhere),
      post("foreign", sentCdr.foreign),
      where(({ profile }) => profile.cdrDetails, post("minimal", sentCdr.minimal))
    ]
  }
]
