/** Runs that change the registration, and all others, on one connection. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Either, Layer } from "effect"
import { OwnerId } from "../../../schema/Ids.ts"
import { suiteChanges } from "../../../src/conformance/catalogue/registrationChecks.ts"
import { plannedTemplates } from "../../../src/journeys/catalogue/catalogue.ts"
import { stagesChange } from "../../../src/journeys/catalogue/registrationStages.ts"
import { JourneyRuns } from "../../../src/journeys/JourneyRuns.ts"
import type { RunFacts } from "../../../src/ledger/Ledger.ts"
import { LedgerMemory } from "../../../src/ledger/LedgerMemory.ts"
import { type Disturbing, makeRunExclusivity } from "../../../src/services/runs/orders/runExclusivity.ts"
import type { Party } from "../../../src/store/parties/Party.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import { factsOf, write } from "../../support/http/writtenRuns.ts"
import { partyWith } from "../../support/parties/parties.ts"

const party = partyWith({ id: "conn_1", role: "EMSP", ownerId: OwnerId.make("own_alice") })
const harmless: Disturbing = { injectsFaults: false, changesRegistration: false }
const changing: Disturbing = { injectsFaults: false, changesRegistration: true }

const world = () =>
  Layer.mergeAll(
    LedgerMemory.layer(),
    PartyStoreMemory,
    Layer.mock(JourneyRuns, { catalogue: plannedTemplates, packs: () => [], misfits: () => [] })
  )

/** What is said to somebody who would start such a run beside that one; undefined: nothing is in the way. */
const beside = (there: Partial<RunFacts>, wanted: Disturbing, lines: 2 | 3 = 2) =>
  Effect.gen(function* () {
    const undisturbed = yield* makeRunExclusivity
    yield* (yield* PartyStore).insert(party, [])
    yield* write({ ...factsOf("there"), ...there }, 1, lines)
    const refused = yield* Effect.either(undisturbed(party, wanted))
    return Either.isLeft(refused) ? refused.left : undefined
  }).pipe(Effect.provide(world()))

type Open = NonNullable<Party["open"]>["state"]

/** What is said to somebody who would start a run while that is open on the connection since so many seconds. */
const during = (state: Open, seconds = 0) =>
  Effect.gen(function* () {
    const undisturbed = yield* makeRunExclusivity
    const since = new Date((yield* Clock.currentTimeMillis) - seconds * 1000).toISOString()
    yield* (yield* PartyStore).insert({ ...party, open: { id: "exc_1", state, since } }, [])
    const refused = yield* Effect.either(undisturbed(party, harmless))
    return Either.isLeft(refused) ? refused.left : undefined
  }).pipe(Effect.provide(world()))

const rotates = { subjectId: "rotate-tokens-with-cpo" }
const suite = { kind: "conformance", subjectId: "ocpi-2.2.1-cpo-credentials" } as const

describe("a run that is to begin while another one is open on its connection", () => {
  it.effect("may, where neither changes the registration", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* beside({}, harmless))
    })
  )
  it.effect("is refused while that one changes the registration, and told which it is", () =>
    Effect.gen(function* () {
      const refused = yield* beside(rotates, harmless)
      assert.strictEqual(refused?._tag, "Conflict")
      assert.include(refused?.message, "run_there")
      assert.include(refused?.message, "rotate-tokens-with-cpo")
    })
  )
  it.effect("is refused where it changes the registration itself, and told which one is open", () =>
    Effect.gen(function* () {
      const refused = yield* beside({}, changing)
      assert.strictEqual(refused?._tag, "Conflict")
      assert.include(refused?.message, "run_there")
    })
  )
  it.effect("may when that one is over", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* beside(rotates, harmless, 3))
      assert.isUndefined(yield* beside({}, changing, 3))
    })
  )
  it.effect("is refused beside a suite that was asked to renew the credentials, and beside no other", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* beside({ ...suite, plan: { risks: [] } }, harmless))
      const refused = yield* beside({ ...suite, plan: { risks: ["CRED-027"] } }, harmless)
      assert.include(refused?.message, "run_there")
    })
  )
})

describe("a run that is to begin while credentials are being exchanged", () => {
  it.effect("is refused where it is us who renew them: the tokens change under its requests", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* during("rotating"))?._tag, "Conflict")
      assert.strictEqual((yield* during("registering"))?._tag, "Conflict")
      assert.strictEqual((yield* during("ending"))?._tag, "Conflict")
    })
  )
  it.effect("is refused where its connection was removed meanwhile", () =>
    Effect.gen(function* () {
      const undisturbed = yield* makeRunExclusivity
      const refused = yield* Effect.flip(undisturbed(party, harmless))
      assert.strictEqual(refused._tag, "NotFound")
    }).pipe(Effect.provide(world()))
  )
  it.effect("may where the partner has come by itself", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* during("answering"))
      assert.isUndefined(yield* during("renewing"))
    })
  )
  it.effect("may when the process that did it has died", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* during("rotating", 190))
    })
  )
})

describe("what changes a registration", () => {
  it("is every journey about one, and no other", () => {
    const changing = plannedTemplates(null, {}).filter(({ stages }) => stagesChange(stages))
    assert.sameMembers(
      changing.map(({ id }) => id),
      plannedTemplates(null, {})
        .map(({ id }) => id)
        .filter((id) => /^(register|invite|rotate|renewed|upgrade|unregister)-/.test(id))
    )
  })
  it("is a suite whose risky checks of credentials are named", () => {
    const id = "ocpi-2.2.1-cpo-credentials"
    assert.isTrue(suiteChanges(id, { checks: ["CRED-027"] }))
    assert.isFalse(suiteChanges(id, {}))
    assert.isFalse(suiteChanges(id, { checks: ["*"] }))
    assert.isTrue(suiteChanges(id, { needs: ["risk"] }))
    assert.isFalse(suiteChanges(id, { needs: ["partner_acts"] }))
    assert.isTrue(suiteChanges("ocpi-2.2.1-cpo-registration", {}))
  })
})
