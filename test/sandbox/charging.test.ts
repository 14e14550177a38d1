/** A sandbox CPO charges, reserves and unlocks in every version: over sockets, with what it really holds. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { ObjectName } from "../../schema/ocpi/VersionProfile.ts"
import { profileOf, versionNumbers } from "../../schema/ocpi/versions.ts"
import { violations } from "../../src/findings/violations/violations.ts"
import { ChargingSimulation } from "../../src/party/simulation/ChargingSimulation.ts"
import type { Party } from "../../src/store/parties/Party.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import {
  commanded,
  eventually,
  firstEvse,
  objectsOf,
  patienceMillis,
  withCharging
} from "./support/chargingWorld.ts"

const flawsOf = ({ version }: Party, name: ObjectName, json: unknown) =>
  violations(profileOf(version).objects[name]!, json)

/** An amount before tax, in whichever shape. */
const net = (price: any): number =>
  typeof price === "number" ? price : (price?.excl_vat ?? price?.before_taxes ?? 0)
const sum = (values: ReadonlyArray<number>) => Math.round(values.reduce((a, b) => a + b, 0) * 10_000) / 10_000
const volumes = (cdr: any, type: string) =>
  sum(
    cdr.charging_periods
      .flatMap(({ dimensions }: any) => dimensions)
      .filter((dimension: any) => dimension.type === type)
      .map(({ volume }: any) => volume)
  )

/** START_SESSION or RESERVE_NOW of the first own token at the first EVSE. */
const orderAt = ({ cpo, emsp }: { readonly cpo: Party; readonly emsp: Party }) =>
  Effect.gen(function* () {
    const { evse, location } = yield* firstEvse(cpo)
    const [token] = yield* objectsOf(emsp, "tokens", "own")
    return { token, location_id: location.id, evse_uid: evse.uid }
  })
const reservationId = ({ version }: Party) => (profileOf(version).reservationId === "text" ? "R1" : 1)

const settled = (emsp: Party) =>
  eventually(Effect.map(objectsOf(emsp, "cdrs", "received"), ([first]) => first))
const statusOf = (cpo: Party, status: string) =>
  eventually(Effect.map(firstEvse(cpo), ({ evse }) => (evse.status === status ? true : undefined)))

describe.each(versionNumbers)("a sandbox CPO in %s", { timeout: patienceMillis }, (version) => {
  it.live("ends a remote start in a session and a CDR that are valid and add up", () =>
    withCharging(version, 100_000, ({ cpo, emsp }) =>
      Effect.gen(function* () {
        const result = yield* commanded(emsp, "START_SESSION", yield* orderAt({ cpo, emsp }), "k1")
        assert.deepStrictEqual(flawsOf(cpo, "CommandResult", result), [])
        const cdr = yield* settled(emsp)
        const [session] = yield* objectsOf(emsp, "sessions", "received")
        assert.deepStrictEqual(flawsOf(emsp, "Session", session), [])
        assert.deepStrictEqual(flawsOf(emsp, "CDR", cdr), [])
        assert.strictEqual(session.status, "COMPLETED")
        assert.deepStrictEqual(cdr.total_cost, session.total_cost)
        assert.strictEqual(cdr.total_energy, session.kwh)
        assert.strictEqual(volumes(cdr, "ENERGY"), cdr.total_energy)
        assert.strictEqual(sum([volumes(cdr, "TIME"), volumes(cdr, "PARKING_TIME")]), cdr.total_time)
        assert.strictEqual(volumes(cdr, "PARKING_TIME"), cdr.total_parking_time)
        assert.isAbove(net(cdr.total_cost), 0)
        if (!profileOf(version).cdrDetails) return
        const parts = ["fixed", "energy", "time", "parking"].map((name) => net(cdr[`total_${name}_cost`]))
        assert.strictEqual(sum(parts), net(cdr.total_cost))
      })
    )
  )

  it.live("reserves an EVSE, and charges there for the token that it is reserved for", () =>
    withCharging(version, 100, ({ cpo, emsp }) =>
      Effect.gen(function* () {
        const order = yield* orderAt({ cpo, emsp })
        const reserve = { ...order, expiry_date: "2099-01-01T00:00:00Z", reservation_id: reservationId(emsp) }
        const reserved = yield* commanded(emsp, "RESERVE_NOW", reserve, "k1")
        assert.strictEqual(reserved.result, "ACCEPTED")
        yield* statusOf(cpo, "RESERVED")
        const [, stranger] = yield* objectsOf(emsp, "tokens", "own")
        const other = yield* commanded(emsp, "START_SESSION", { ...order, token: stranger }, "k2")
        assert.notStrictEqual(other.result, "ACCEPTED")
        const started = yield* commanded(emsp, "START_SESSION", order, "k3")
        assert.strictEqual(started.result, "ACCEPTED")
        yield* statusOf(cpo, "CHARGING")
        const session = yield* eventually(
          Effect.map(objectsOf(emsp, "sessions", "received"), (all) =>
            all.find(({ status }) => status === "ACTIVE")
          )
        )
        yield* commanded(emsp, "STOP_SESSION", { session_id: session.id }, "k4")
        const cdr = yield* settled(emsp)
        assert.deepStrictEqual(flawsOf(emsp, "CDR", cdr), [])
        const dimensions = cdr.charging_periods[0].dimensions.map(({ type }: any) => type)
        assert.strictEqual(dimensions.includes("RESERVATION_TIME"), profileOf(version).reservationSession)
        assert.strictEqual(cdr.charging_periods[0].start_date_time, cdr.start_date_time)
        assert.lengthOf(yield* objectsOf(emsp, "sessions", "received"), 1)
      })
    )
  )

  it.live("frees the EVSE when a reservation expires", () =>
    withCharging(version, 1000, ({ cpo, emsp }) =>
      Effect.gen(function* () {
        const reserve = {
          ...(yield* orderAt({ cpo, emsp })),
          expiry_date: new Date(Date.now() + 900_000).toISOString().replace(/\.\d+/, ""),
          reservation_id: reservationId(emsp)
        }
        yield* commanded(emsp, "RESERVE_NOW", reserve, "k1")
        yield* statusOf(cpo, "RESERVED")
        yield* statusOf(cpo, "AVAILABLE")
        for (const session of yield* objectsOf(emsp, "sessions", "received"))
          assert.deepStrictEqual(flawsOf(emsp, "Session", session), [])
        assert.lengthOf(yield* objectsOf(emsp, "cdrs", "received"), 0)
      })
    )
  )

  it.live("takes a CDR back with a Credit CDR, once, where the version has that", () =>
    withCharging(version, 1000, ({ cpo, emsp }) =>
      Effect.gen(function* () {
        const simulation = yield* ChargingSimulation
        const [cdr] = yield* objectsOf(cpo, "cdrs", "own")
        const id = yield* simulation.credit(cpo, cdr.id)
        assert.strictEqual(Option.isSome(id), profileOf(version).cdrDetails)
        assert.deepStrictEqual(yield* simulation.credit(cpo, cdr.id), id)
        const told = yield* objectsOf(emsp, "cdrs", "received")
        if (Option.isNone(id)) return assert.lengthOf(told, 0)
        assert.isTrue(Option.isNone(yield* simulation.credit(cpo, id.value)))
        const { last_updated, ...credit } = told[0]
        assert.deepStrictEqual(flawsOf(emsp, "CDR", told[0]), [])
        assert.isAbove(Date.parse(last_updated), Date.parse(cdr.last_updated))
        assert.strictEqual(net(credit.total_cost) + net(cdr.total_cost), 0)
        const asBefore = { ...credit, id: cdr.id, total_cost: cdr.total_cost, last_updated: cdr.last_updated }
        assert.deepStrictEqual(asBefore, { ...cdr, credit: true, credit_reference_id: cdr.id })
      })
    )
  )

  it.live("unlocks a connector without a session", () =>
    withCharging(version, 1000, ({ cpo, emsp }) =>
      Effect.gen(function* () {
        const { evse, location } = yield* firstEvse(cpo)
        const body = { location_id: location.id, evse_uid: evse.uid, connector_id: evse.connectors[0].id }
        const result = yield* commanded(emsp, "UNLOCK_CONNECTOR", body, "k1")
        assert.deepStrictEqual([result, flawsOf(cpo, "CommandResult", result)], [{ result: "ACCEPTED" }, []])
        assert.lengthOf(yield* objectsOf(emsp, "sessions", "received"), 0)
        assert.strictEqual((yield* firstEvse(cpo)).evse.status, "AVAILABLE")
      })
    )
  )
})

/** Versions in which a reservation is a session. */
const reserving = versionNumbers.filter((version) => profileOf(version).reservationSession)

describe.each(reserving)("a reservation in %s", { timeout: patienceMillis }, (version) => {
  it.live("is billed when it expires, where its tariff says so, and not when it is cancelled", () =>
    withCharging(version, 1000, ({ cpo, emsp }) =>
      Effect.gen(function* () {
        const store = yield* PartyStore
        const priced = (type: string, price: number, reservation?: string) => ({
          price_components: [{ type, price, step_size: 1 }],
          ...(reservation === undefined ? {} : { restrictions: { reservation } })
        })
        for (const tariff of yield* objectsOf(cpo, "tariffs", "own"))
          yield* store.putObject(cpo.id, {
            module: "tariffs",
            key: tariff.id,
            side: "own",
            json: {
              ...tariff,
              elements: [
                priced("FLAT", 2, "RESERVATION_EXPIRES"),
                priced("FLAT", 1, "RESERVATION"),
                ...tariff.elements
              ]
            },
            lastUpdated: tariff.last_updated
          })
        const order = yield* orderAt({ cpo, emsp })
        const later = { ...order, expiry_date: "2099-01-01T00:00:00Z", reservation_id: "R0" }
        yield* commanded(emsp, "RESERVE_NOW", later, "k1")
        yield* commanded(emsp, "CANCEL_RESERVATION", { reservation_id: "R0" }, "k2")
        yield* statusOf(cpo, "AVAILABLE")
        const soon = new Date(Date.now() + 900_000).toISOString().replace(/\.\d+/, "")
        yield* commanded(emsp, "RESERVE_NOW", { ...order, expiry_date: soon, reservation_id: "R1" }, "k3")
        const cdr = yield* settled(emsp)
        const [cancelled, session] = (yield* objectsOf(emsp, "sessions", "received")) as ReadonlyArray<any>
        assert.deepStrictEqual(flawsOf(emsp, "CDR", cdr), [])
        assert.notProperty(cancelled, "total_cost")
        assert.strictEqual(net(cdr.total_cost), 2)
        assert.deepInclude(cdr, {
          session_id: session.id,
          start_date_time: session.start_date_time,
          end_date_time: session.end_date_time,
          total_cost: session.total_cost,
          total_reservation_cost: cdr.total_cost,
          total_energy: 0,
          total_time: 0
        })
        assert.deepStrictEqual(
          cdr.charging_periods.map(({ dimensions }: any) => dimensions.map(({ type }: any) => type)),
          [["RESERVATION_TIME"]]
        )
        assert.lengthOf(yield* objectsOf(emsp, "cdrs", "received"), 1)
      })
    )
  )
})
