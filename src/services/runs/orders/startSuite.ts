/** Accepts the order of a conformance run, and starts it: on a connection, or on a sandbox partner that is made for it. */
import { Effect, Option } from "effect"
import type { Caller } from "../../../../schema/Account.ts"
import type { Assertion, Outcome } from "../../../../schema/Assertion.ts"
import { Invalid, type NotFound, type Unavailable, Unsupported } from "../../../../schema/Errors.ts"
import { partyOf, RunId } from "../../../../schema/Ids.ts"
import { isTerminal } from "../../../../schema/RunReport.ts"
import type { StartConformanceRun, SuiteDetail } from "../../../../schema/Suite.ts"
import { suiteChanges } from "../../../conformance/catalogue/registrationChecks.ts"
import type { Selection } from "../../../conformance/catalogue/selection.ts"
import { isBehindHub, isFirstRegistration } from "../../../conformance/catalogue/suites.ts"
import { SuiteRuns } from "../../../conformance/run/SuiteRuns.ts"
import { Ledger } from "../../../ledger/Ledger.ts"
import { reportOf } from "../../../ledger/run/runReport.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { traced } from "../../../telemetry/traced.ts"
import { Plans } from "../../accounts/Plans.ts"
import { Connections, type Owned } from "../../connections/Connections.ts"
import { alreadyMade, idOf } from "../../requests/IdempotentRequest.ts"
import { orUnavailable } from "../../requests/unavailable.ts"
import { OwnedRuns } from "../OwnedRuns.ts"
import { makeOrderedConnection } from "./orderedConnection.ts"
import { makeRunExclusivity } from "./runExclusivity.ts"
import { makeSandboxTarget } from "./sandboxTarget.ts"
import { checkOrder, checkTarget, failedOf, pickSelection } from "./suiteOrder.ts"

/** An order whose suite is known and whose selection is not empty. */
interface CheckedOrder {
  readonly input: StartConformanceRun
  readonly wanted: SuiteDetail
  readonly selection: Selection
}

/** What is read of suites and of earlier runs. */
interface Readers {
  readonly suite: (id: string) => Effect.Effect<SuiteDetail, NotFound>
  readonly checks: (
    caller: Caller,
    id: string,
    filter: { readonly outcome?: Outcome }
  ) => Effect.Effect<ReadonlyArray<Assertion>, NotFound | Unavailable>
}

/** Makes the function that accepts an order; its errors are those of `Runs.start`. */
export const makeSuiteOrders = Effect.fnUntraced(function* ({ checks, suite }: Readers) {
  const ledger = yield* Ledger
  const suiteRuns = yield* SuiteRuns
  const connections = yield* Connections
  const parties = yield* PartyStore
  const plans = yield* Plans
  const owned = yield* OwnedRuns
  const requireExclusive = yield* makeRunExclusivity
  const sandboxTarget = yield* makeSandboxTarget
  const orderedConnection = yield* makeOrderedConnection

  /** The checks that the order selects. */
  const selectionOf = traced("Runs.selectionOf")(function* (
    caller: Caller,
    { checks: patterns, clauses, modules, needs, only }: StartConformanceRun
  ) {
    const given = {
      ...(patterns === undefined ? {} : { checks: patterns }),
      ...(clauses === undefined ? {} : { clauses }),
      ...(modules === undefined ? {} : { modules }),
      ...(needs === undefined ? {} : { needs })
    }
    if (only === undefined) return given
    const id = only.slice(failedOf.length)
    const row = yield* owned.find(caller, id)
    if (!isTerminal(row.snapshot.view.status))
      return yield* new Unsupported({
        message: `The run of ${id} is not over: what failed is not known yet`
      })
    const failed = yield* checks(caller, id, { outcome: "failed" })
    return { ...given, among: failed.map((assertion) => assertion.id) }
  })

  const sandboxFor = (caller: Caller, wanted: SuiteDetail) =>
    sandboxTarget(caller, {
      theirRole: wanted.theirRole,
      ocpiVersion: wanted.ocpiVersion,
      state: isFirstRegistration(wanted.id) ? "unregistered" : "registered",
      hub: isBehindHub(wanted.id)
    })

  /** Starts the run on a connection, if the suite fits it. */
  const startOn = Effect.fnUntraced(function* (
    caller: Caller,
    connection: Owned,
    { input, selection, wanted }: CheckedOrder
  ) {
    const partyId = partyOf(connection.view._id)
    yield* checkTarget(connection, wanted, yield* parties.tokens(partyId))
    const second = yield* connections.second(connection)
    const started = suiteRuns.start({
      runId: RunId.make(yield* idOf("run")),
      ownerId: caller.ownerId,
      partyId,
      ...(second === undefined ? {} : { secondId: partyOf(second._id) }),
      connectionLabel: connection.row.label,
      environment: connection.row.environment,
      suiteId: wanted.id,
      ...selection,
      selection: pickSelection(input),
      ...(input.listenSeconds === undefined ? {} : { listenSeconds: input.listenSeconds }),
      ...(input.accept === undefined ? {} : { accept: input.accept }),
      profile: input.profile ?? "lenient"
    })
    const notExcluded = requireExclusive(connection.party, {
      injectsFaults: false,
      changesRegistration: suiteChanges(wanted.id, selection)
    })
    return yield* owned.withinQuota(caller.ownerId, Effect.zipRight(notExcluded, started))
  })

  return traced("Runs.start")(function* (caller: Caller, input: StartConformanceRun) {
    const before = yield* alreadyMade("run", (id) =>
      ledger.run(caller.ownerId, RunId.make(id)).pipe(orUnavailable)
    )
    if (Option.isSome(before)) return reportOf(before.value)
    if ((input.connectionId === undefined) === (input.target === undefined)) {
      return yield* new Invalid({
        message: 'connectionId: give either connectionId or "target": "sandbox"'
      })
    }
    const given =
      input.connectionId === undefined ? undefined : yield* orderedConnection(caller, input.connectionId)
    const wanted = yield* suite(input.suiteId)
    const target = given?.target ?? "sandbox"
    yield* plans.require(caller, "conformance", target)
    // Every plan with `conformance` may run suites over all modules; some modules alone need a capability.
    const alone = input.modules ?? (wanted.modules.length === 1 ? wanted.modules : [])
    yield* plans.requireModules(caller, alone, target)
    // The order is checked before a partner is made for it.
    const selection = yield* selectionOf(caller, input)
    yield* checkOrder(wanted, input, selection)
    const order = { input, wanted, selection }
    if (given !== undefined) return reportOf(yield* startOn(caller, given, order))
    const { id, undo } = yield* sandboxFor(caller, wanted)
    const started = Effect.flatMap(connections.owned(caller, id), (connection) =>
      startOn(caller, connection, order)
    )
    return reportOf(yield* Effect.onError(started, () => undo))
  })
})
