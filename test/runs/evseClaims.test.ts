/** The claims of EVSEs on the row of a connection: by runs of several processes, one after another and at once. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { ConnectionId, PartyId, RunId } from "../../schema/Ids.ts"
import type { Ledger, RunFacts } from "../../src/ledger/Ledger.ts"
import { type EvseClaims, makeEvseClaims } from "../../src/runs/evseClaims.ts"
import type { EvseClaim } from "../../src/store/parties/Party.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../src/store/parties/PartyStoreMemory.ts"
import { owner, party } from "../support/parties/heldParties.ts"

const place = (evseUid: string) => ({ locationId: "LOC1", evseUid, purpose: "" })
/** The first of these EVSEs that nobody has. */
const first =
  (...uids: ReadonlyArray<string>) =>
  (others: ReadonlyArray<EvseClaim>) =>
    uids
      .filter((uid) => !others.some(({ evseUid }) => evseUid === uid))
      .slice(0, 1)
      .map(place)
const uidsOf = (claims: ReadonlyArray<EvseClaim>) => claims.map(({ evseUid }) => evseUid)

/** Runs of one connection: `open` are in the ledger as not over, and `looks` is how often that was read. */
const makeRuns = Effect.gen(function* () {
  const store = yield* PartyStore
  const id = PartyId.make("conn_1")
  yield* store.insert(party(id), [])
  yield* store.insert({ ...party("conn_2"), claimsAt: id }, [])
  const state = { open: new Set<string>(), looks: 0, whileLooking: Effect.void as Effect.Effect<unknown> }
  const connectionOf = new Map<string, string>()
  const ledger: Pick<Ledger["Type"], "openOn"> = {
    openOn: (_, connectionId) =>
      Effect.gen(function* () {
        state.looks += 1
        const runs = [...state.open].filter((runId) => (connectionOf.get(runId) ?? id) === connectionId)
        yield* state.whileLooking
        return runs.map((runId) => ({ runId: RunId.make(runId) }) as RunFacts) // openOn's reader takes the id alone
      })
  }
  const run = (runId: string, epoch = 1, connectionId: string = id): EvseClaims => {
    state.open.add(runId)
    connectionOf.set(runId, connectionId)
    const facts = { connectionId: ConnectionId.make(connectionId), ownerId: owner, runId: RunId.make(runId) }
    return makeEvseClaims(ledger as Ledger["Type"], store, { epoch, facts: facts as RunFacts }) // claims use no more of either
  }
  const kept = Effect.map(store.find(id), (found) => Option.getOrThrow(found).claims ?? [])
  return { state, run, kept }
})

describe("claims of EVSEs", () => {
  it.effect("of runs that come at once are never of one EVSE", () =>
    Effect.gen(function* () {
      const { run, kept } = yield* makeRuns
      const runs = ["run_a", "run_b", "run_c", "run_d"].map((id) => run(id))
      yield* Effect.all(
        runs.map(({ claim }) => claim(first("E1", "E2", "E3"))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(uidsOf(yield* kept).toSorted(), ["E1", "E2", "E3"])
    }).pipe(Effect.provide(PartyStoreMemory))
  )

  it.effect("of a run that is over are gone, and no run is looked up where nobody has claimed anything", () =>
    Effect.gen(function* () {
      const { run, kept, state } = yield* makeRuns
      for (const id of ["run_a", "run_b", "run_c"]) {
        const claims = run(id)
        assert.deepStrictEqual(yield* claims.ofOthers, [])
        assert.deepStrictEqual(uidsOf((yield* claims.claim(first("E1"))).own), ["E1"])
        state.open.delete(id)
        yield* claims.drop
      }
      assert.deepStrictEqual(yield* kept, [])
      assert.strictEqual(state.looks, 0)
    }).pipe(Effect.provide(PartyStoreMemory))
  )

  it.effect("of a run that ended with its process do not count, and do not stay", () =>
    Effect.gen(function* () {
      const { run, kept, state } = yield* makeRuns
      yield* run("run_a").claim(first("E1"))
      state.open.delete("run_a")
      const next = run("run_b")
      assert.deepStrictEqual(yield* next.ofOthers, [])
      yield* next.claim(first("E1"))
      assert.deepStrictEqual(
        (yield* kept).map(({ runId }) => runId),
        ["run_b"]
      )
    }).pipe(Effect.provide(PartyStoreMemory))
  )

  it.effect("that are made while another run looks at the ledger are seen by it", () =>
    Effect.gen(function* () {
      const { run, state } = yield* makeRuns
      yield* run("run_over").claim(first("E1"))
      state.open.delete("run_over")
      const fast = run("run_fast")
      state.open.delete("run_fast")
      const slow = run("run_slow")
      state.whileLooking = Effect.suspend(() => {
        state.whileLooking = Effect.void
        state.open.add("run_fast")
        return fast.claim(first("E1"))
      })
      const { others, own } = yield* slow.claim(first("E1"))
      assert.deepStrictEqual(uidsOf(others), ["E1"])
      assert.deepStrictEqual(own, [])
    }).pipe(Effect.provide(PartyStoreMemory))
  )

  it.effect("of a process that has lost the run replace and release none of its present one", () =>
    Effect.gen(function* () {
      const { run, kept } = yield* makeRuns
      const [lost, present] = [run("run_a", 1), run("run_a", 2)]
      yield* lost.claim(first("E1"))
      yield* present.claim(first("E2"))
      assert.deepStrictEqual(uidsOf((yield* lost.claim(first("E1"))).own), ["E2"])
      yield* lost.release([""])
      assert.deepStrictEqual(
        (yield* kept).map(({ evseUid, isOver }) => [evseUid, isOver]),
        [["E2", undefined]]
      )
    }).pipe(Effect.provide(PartyStoreMemory))
  )

  it.effect("of both connections to one partner are kept together, and count while their run is open", () =>
    Effect.gen(function* () {
      const { run, kept, state } = yield* makeRuns
      yield* run("run_a").claim(first("E1"))
      const beside = run("run_b", 1, "conn_2")
      assert.deepStrictEqual(uidsOf(yield* beside.ofOthers), ["E1"])
      assert.deepStrictEqual(uidsOf((yield* beside.claim(first("E1", "E2"))).own), ["E2"])
      assert.deepStrictEqual(uidsOf((yield* run("run_c").claim(first("E1", "E2"))).others), ["E1", "E2"])
      yield* beside.drop
      state.open.delete("run_a")
      assert.deepStrictEqual(uidsOf((yield* run("run_d").claim(first("E1"))).own), ["E1"])
      assert.deepStrictEqual(
        (yield* kept).map(({ runId }) => runId),
        ["run_d"]
      )
    }).pipe(Effect.provide(PartyStoreMemory))
  )
})
