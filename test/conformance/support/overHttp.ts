/** Runs of the engine in this process against a partner over real sockets. */
import { Effect, Layer, Option } from "effect"
import { defaultDialect, type Endpoint } from "../../../schema/Connection.ts"
import { OwnerId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { SuiteRuns } from "../../../src/conformance/run/SuiteRuns.ts"
import { Ledger } from "../../../src/ledger/Ledger.ts"
import { dialectAfter } from "../../../src/party/wire/dialect.ts"
import type { Party } from "../../../src/store/parties/Party.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { partyWith, roomLayer, tokenOf } from "../../support/parties/parties.ts"
import { ledgerInMemory } from "../../support/runs/ledgerInMemory.ts"
import { type PlainPartner, type PlainPartnerOptions, plainEndpoints, plainPartner } from "./plainPartner.ts"

const owner = OwnerId.make("own_1")
const ourUrl = "http://127.0.0.1:9"

const world = () =>
  SuiteRuns.layer({ graceSeconds: 1 }).pipe(
    Layer.provideMerge(ledgerInMemory()),
    Layer.provideMerge(roomLayer(ourUrl))
  )

/** A connection that is registered with the partner in 2.2.1, with what the discovery has taught. */
const registered = (
  { origin }: PlainPartner,
  { endpointEnd = "", role = "CPO" }: PlainPartnerOptions
): Party => {
  const endpoints = plainEndpoints.map(
    ([identifier, role]): Endpoint => ({
      identifier,
      role,
      url: `${origin}/2.2.1/${identifier}${endpointEnd}`
    })
  )
  const found = { endpoints, detailsUrl: `${origin}/2.2.1`, form: "base64" as const, deviations: [] }
  return partyWith({
    id: "conn_1",
    role: "EMSP",
    counterpart: {
      role: "CPO",
      versionsUrl: `${origin}/versions`,
      detailsUrl: found.detailsUrl,
      endpoints,
      parties: [{ role, countryCode: "NL", partyId: "PLN", name: "Plain" }]
    },
    dialect: dialectAfter(defaultDialect, found, [])
  })
}

/** The assertions of a run of the full suite in the strict profile, by id; what the ledger has, and what the partner was asked. */
export const gradedOverHttp = async (checks: ReadonlyArray<string>, options: PlainPartnerOptions = {}) => {
  const partner = await plainPartner(options)
  const work = Effect.gen(function* () {
    const store = yield* PartyStore
    const party = registered(partner, options)
    yield* store.insert(party, [
      tokenOf("outbound", "tokenC", partner.token),
      tokenOf("issued", "tokenB", "our-token-for-the-partner-0123456789")
    ])
    const ledger = yield* Ledger
    const { facts } = yield* (yield* SuiteRuns).start({
      ownerId: owner,
      partyId: party.id,
      connectionLabel: "plain",
      environment: "test",
      suiteId: "ocpi-2.2.1-cpo-full",
      profile: "strict",
      checks
    })
    for (;;) {
      const row = Option.getOrThrow(yield* ledger.run(owner, facts.runId))
      if (row.snapshot.view.machine.tags.includes("terminal")) break
      yield* Effect.sleep("50 millis")
    }
    const lines = yield* ledger.page(facts.runId, 0, 2000)
    const events = lines.map(({ line }) => JSON.parse(line) as LedgerEvent)
    const assertions = events.flatMap((event) => event.assertions)
    const { dialect } = Option.getOrThrow(yield* store.find(party.id))
    const completed = events.flatMap((event) => (event.type === "exchange.completed" ? [event.exchange] : []))
    const of = (id: string) => assertions.find((one) => one.id === id)
    return { of, assertions, completed, dialect, asked: partner.asked, origin: partner.origin }
  })
  try {
    return await Effect.runPromise(work.pipe(Effect.provide(world()), Effect.scoped))
  } finally {
    await partner.close()
  }
}

/** Those that failed, warned or broke, with why. */
export const alarms = (assertions: Awaited<ReturnType<typeof gradedOverHttp>>["assertions"]) =>
  assertions
    .filter(({ outcome }) => ["failed", "warned", "error"].includes(outcome))
    .map(({ id, message, outcome, reason }) => `${id} ${outcome}: ${message ?? reason}`)
