/** A driver at the charge point of a CPO that we play, and the EMSP that is asked: every version, over sockets. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { profileOf, versionNumbers } from "../../schema/ocpi/versions.ts"
import { violations } from "../../src/findings/violations/violations.ts"
import { ChargingSimulation } from "../../src/party/simulation/ChargingSimulation.ts"
import type { Party } from "../../src/store/parties/Party.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import {
  eventually,
  firstEvse,
  objectsOf,
  type Pair,
  patienceMillis,
  withCharging
} from "./support/chargingWorld.ts"

/** The EMSP's token with that whitelist, with other fields if wanted; `pushed`: the CPO has it too. */
const tokenWith = (
  { cpo, emsp }: Pair,
  whitelist: string,
  { pushed = true, ...fields }: { readonly pushed?: boolean; readonly valid?: boolean } = {}
) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const tokens = yield* objectsOf(emsp, "tokens", "own")
    const token = { ...tokens.find((one) => one.type === "RFID" && one.whitelist === whitelist), ...fields }
    const { countryCode, partyId } = emsp.identity
    const lastUpdated = new Date(token.last_updated).toISOString()
    const object = { module: "tokens", json: token, lastUpdated }
    yield* store.putObject(emsp.id, { ...object, side: "own", key: token.uid })
    if (pushed)
      yield* store.putObject(cpo.id, {
        ...object,
        side: "received",
        key: `${countryCode}/${partyId}/${token.uid}`
      })
    return token
  })

const swiped = (cpo: Party, tokenUid: string) =>
  Effect.gen(function* () {
    const { evse, location } = yield* firstEvse(cpo)
    const simulation = yield* ChargingSimulation
    return yield* simulation.swipe(cpo, { tokenUid, locationId: location.id, evseUid: evse.uid })
  })

/** The requests for authorization that the EMSP got. */
const asked = (emsp: Party) =>
  Effect.map(
    Effect.flatMap(PartyStore, (store) => store.exchanges(emsp.id, 0, 100)),
    (all) =>
      all
        .map(({ exchange }) => exchange)
        .filter(({ direction, operation }) => direction === "inbound" && operation === "POST authorize")
  )

const begun = (emsp: Party) =>
  eventually(Effect.map(objectsOf(emsp, "sessions", "received"), ([first]) => first))

const scripted = (emsp: Party, uid: string, allowed: string) =>
  Effect.flatMap(PartyStore, (store) =>
    store.putObject(emsp.id, {
      module: "token-verdicts",
      key: uid,
      side: "own",
      json: { allowed },
      lastUpdated: "2026-01-01T00:00:00.000Z"
    })
  )

/** Nobody answers at the EMSP's tokens endpoint any more. */
const unreachable = (cpo: Party) =>
  Effect.flatMap(PartyStore, (store) =>
    store.update(cpo.id, (now) => ({
      ...now,
      counterpart: {
        ...now.counterpart,
        endpoints: now.counterpart.endpoints.map((endpoint) =>
          endpoint.identifier === "tokens" ? { ...endpoint, url: "http://127.0.0.1:1/tokens" } : endpoint
        )
      }
    }))
  ).pipe(
    Effect.zipRight(Effect.flatMap(PartyStore, (store) => store.find(cpo.id))),
    Effect.flatten,
    Effect.orDie
  )

describe.each(versionNumbers)("a swipe in %s", { timeout: patienceMillis }, (version) => {
  it.live(
    "of a token that must always be asked for starts a session with the EMSP's word, and a second one ends it",
    () =>
      withCharging(version, 1000, (pair) =>
        Effect.gen(function* () {
          const { cpo, emsp } = pair
          const token = yield* tokenWith(pair, "NEVER")
          const outcome = yield* swiped(cpo, token.uid)
          assert.property(outcome, "started")
          const [question] = yield* asked(emsp)
          const { evse, location } = yield* firstEvse(cpo)
          assert.deepStrictEqual(JSON.parse(question!.request.body!), {
            location_id: location.id,
            evse_uids: [evse.uid]
          })
          const session = yield* begun(emsp)
          assert.deepStrictEqual(violations(profileOf(version).objects.Session!, session), [])
          assert.strictEqual(session.auth_method, "AUTH_REQUEST")
          const info = JSON.parse(question!.response!.body!).data
          assert.strictEqual(session.authorization_reference, info.authorization_reference)
          assert.deepStrictEqual(yield* swiped(cpo, token.uid), { stopped: session.id })
          const cdr = yield* eventually(Effect.map(objectsOf(emsp, "cdrs", "received"), ([first]) => first))
          assert.deepStrictEqual(violations(profileOf(version).objects.CDR!, cdr), [])
          assert.strictEqual(cdr.auth_method, "AUTH_REQUEST")
        })
      )
  )

  it.live("of a whitelisted token asks nobody", () =>
    withCharging(version, 1000, (pair) =>
      Effect.gen(function* () {
        const token = yield* tokenWith(pair, "ALWAYS")
        assert.property(yield* swiped(pair.cpo, token.uid), "started")
        assert.strictEqual((yield* begun(pair.emsp)).auth_method, "WHITELIST")
        assert.lengthOf(yield* asked(pair.emsp), 0)
      })
    )
  )

  it.live("is denied with the EMSP's verdict, and nothing starts", () =>
    withCharging(version, 1000, (pair) =>
      Effect.gen(function* () {
        const token = yield* tokenWith(pair, "NEVER")
        for (const allowed of ["BLOCKED", "EXPIRED", "NO_CREDIT", "NOT_ALLOWED"]) {
          yield* scripted(pair.emsp, token.uid, allowed)
          assert.deepStrictEqual(yield* swiped(pair.cpo, token.uid), { denied: allowed })
        }
        assert.strictEqual((yield* firstEvse(pair.cpo)).evse.status, "AVAILABLE")
        assert.lengthOf(yield* objectsOf(pair.emsp, "sessions", "received"), 0)
      })
    )
  )

  it.live("of a token that nobody knows is denied as the version's EMSP says it", () =>
    withCharging(version, 1000, ({ cpo, emsp }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* swiped(cpo, "NOBODYS"), { denied: "UNKNOWN_TOKEN" })
        const [question] = yield* asked(emsp)
        assert.strictEqual(question?.response?.httpStatus, 404)
        assert.strictEqual(question?.response?.ocpiStatusCode, profileOf(version).unknownTokenStatus)
      })
    )
  )

  it.live("of a token that only the EMSP knows starts where its answer brings the token", () =>
    withCharging(version, 1000, (pair) =>
      Effect.gen(function* () {
        const token = yield* tokenWith(pair, "ALLOWED", { pushed: false })
        const outcome = yield* swiped(pair.cpo, token.uid)
        if (profileOf(version).authorizationDetails) assert.property(outcome, "started")
        else assert.deepStrictEqual(outcome, { denied: "UNKNOWN_TOKEN" })
      })
    )
  )

  it.live("counts on the list while the EMSP cannot be reached, if the token may be used offline", () =>
    withCharging(version, 1000, (pair) =>
      Effect.gen(function* () {
        const offline = yield* tokenWith(pair, "ALLOWED_OFFLINE")
        const online = yield* tokenWith(pair, "NEVER")
        const cpo = yield* unreachable(pair.cpo)
        assert.deepStrictEqual(yield* swiped(cpo, online.uid), { denied: "UNREACHABLE" })
        assert.property(yield* swiped(cpo, offline.uid), "started")
        assert.strictEqual((yield* begun(pair.emsp)).auth_method, "WHITELIST")
      })
    )
  )
})

describe("a swipe", { timeout: patienceMillis }, () => {
  const version = versionNumbers[2]!

  it.live("of a blocked token on the list is denied without a question", () =>
    withCharging(version, 1000, (pair) =>
      Effect.gen(function* () {
        const token = yield* tokenWith(pair, "ALLOWED", { valid: false })
        assert.deepStrictEqual(yield* swiped(pair.cpo, token.uid), { denied: "BLOCKED" })
        assert.lengthOf(yield* asked(pair.emsp), 0)
      })
    )
  )

  it.live("at an EVSE where somebody else charges is denied without a question", () =>
    withCharging(version, 100, (pair) =>
      Effect.gen(function* () {
        const first = yield* tokenWith(pair, "ALWAYS")
        const second = yield* tokenWith(pair, "NEVER")
        assert.property(yield* swiped(pair.cpo, first.uid), "started")
        assert.deepStrictEqual(yield* swiped(pair.cpo, second.uid), { denied: "EVSE_OCCUPIED" })
        assert.lengthOf(yield* asked(pair.emsp), 0)
      })
    )
  )
})
