/** Saved scenarios of an account: create, change, import, export, validate, dry-run. */
import { Clock, Context, Effect, Layer, Option, Struct } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import { Conflict, Invalid, NotFound, type TooMany, Unsupported } from "../../../schema/Errors.ts"
import type { ConnectionId } from "../../../schema/Ids.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type {
  DryRun,
  Scenario,
  ScenarioChange,
  ScenarioDraft,
  ScenarioValidation
} from "../../../schema/Scenario.ts"
import { JourneyRuns } from "../../journeys/JourneyRuns.ts"
import { type ScenarioRow, ScenarioStore } from "../../store/rows/ScenarioStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { RateLimits } from "../accounts/RateLimits.ts"
import { Connections } from "../connections/Connections.ts"
import { alreadyMade, idOf } from "../requests/IdempotentRequest.ts"
import { problemsInWords, readScenarioFile, writeScenarioFile } from "./scenarioFile.ts"

/** A dry run: either a draft or a saved scenario, for either a connection or an OCPI version. */
interface RehearsalOrder {
  readonly scenario?: ScenarioDraft
  readonly scenarioId?: string
  readonly connectionId?: ConnectionId
  readonly ocpiVersion?: OcpiVersion
}

/** Keeps and rehearses scenarios. */
export class Scenarios extends Context.Tag("services/Scenarios")<
  Scenarios,
  {
    /** Saves a scenario; Invalid when something in it does not fit its template. */
    readonly create: (caller: Caller, draft: ScenarioDraft) => Effect.Effect<Scenario, Invalid | TooMany>
    /** Newest first. */
    readonly list: (
      caller: Caller,
      page: { readonly cursor?: string; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Scenario>>
    readonly read: (caller: Caller, id: string) => Effect.Effect<Scenario, NotFound>
    /** Conflict when it has been changed since the version that `change` names. */
    readonly change: (
      caller: Caller,
      id: string,
      change: ScenarioChange
    ) => Effect.Effect<Scenario, Conflict | Invalid | NotFound>
    /** Removes the scenario and returns it as it was. */
    readonly remove: (caller: Caller, id: string) => Effect.Effect<Scenario, NotFound>
    /** Saves the scenario of a YAML or JSON file; Invalid lists every problem with its line and column. */
    readonly importFile: (caller: Caller, file: string) => Effect.Effect<Scenario, Invalid | TooMany>
    /** Every problem of a file with its line and column; nothing is saved. */
    readonly validate: (file: string) => Effect.Effect<ScenarioValidation>
    readonly exportFile: (
      caller: Caller,
      id: string,
      format: "yaml" | "json"
    ) => Effect.Effect<string, NotFound>
    /** What a run would send, stage by stage; nothing is sent. */
    readonly dryRun: (
      caller: Caller,
      order: RehearsalOrder
    ) => Effect.Effect<DryRun, Invalid | NotFound | Unsupported>
  }
>() {
  static readonly layer = Layer.effect(
    Scenarios,
    Effect.gen(function* () {
      const store = yield* ScenarioStore
      const journeys = yield* JourneyRuns
      const connections = yield* Connections
      const limits = yield* RateLimits
      const missing = new NotFound({ message: "There is no such scenario among those of this key's owner" })
      const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis).toISOString())

      const fitting = (draft: ScenarioDraft) => {
        const wrong = journeys.misfits(draft)
        const message = wrong.map(({ message, path }) => `${path.join(".")}: ${message}`).join("; ")
        return wrong.length > 0 ? new Invalid({ message }) : Effect.void
      }

      const create = traced("Scenarios.create")(function* (caller: Caller, draft: ScenarioDraft) {
        const before = yield* alreadyMade("scenario", (id) => store.find(caller.ownerId, id))
        if (Option.isSome(before)) return view(before.value)
        yield* fitting(draft)
        const createdAt = yield* now
        const row: ScenarioRow = {
          id: yield* idOf("scenario"),
          ownerId: caller.ownerId,
          draft,
          version: 1,
          createdAt,
          updatedAt: createdAt
        }
        yield* limits.withinQuota("scenarios", caller.ownerId, store.count(caller.ownerId), store.insert(row))
        return view(row)
      })

      const read = traced("Scenarios.read")(function* (caller: Caller, id: string) {
        const found = yield* store.find(caller.ownerId, id)
        return Option.isSome(found) ? view(found.value) : yield* missing
      })

      const change = traced("Scenarios.change")(function* (
        caller: Caller,
        id: string,
        { version, ...draft }: ScenarioChange
      ) {
        const before = yield* read(caller, id)
        yield* fitting(draft)
        const after = yield* store.change(caller.ownerId, id, version, { draft, updatedAt: yield* now })
        if (Option.isSome(after)) return view(after.value)
        const { version: present } = yield* read(caller, before.id)
        return yield* new Conflict({
          message: `version: ${version} is not the current version, which is ${present}; read the scenario again`
        })
      })

      const remove = traced("Scenarios.remove")(function* (caller: Caller, id: string) {
        const removed = yield* store.remove(caller.ownerId, id)
        return Option.isSome(removed) ? view(removed.value) : yield* missing
      })

      const validate = (file: string) => Effect.sync(() => readScenarioFile(file, journeys.misfits))

      const importFile = traced("Scenarios.importFile")(function* (caller: Caller, file: string) {
        const { problems, scenario } = yield* validate(file)
        return scenario === null
          ? yield* new Invalid({ message: problemsInWords(problems) })
          : yield* create(caller, scenario)
      })

      const draftOf = Effect.fnUntraced(function* (caller: Caller, order: RehearsalOrder) {
        const { scenario, scenarioId } = order
        if (scenario !== undefined && scenarioId === undefined) return scenario
        if (scenario === undefined && scenarioId !== undefined) {
          return draftIn(yield* read(caller, scenarioId))
        }
        return yield* new Invalid({ message: "scenario: give either scenario or scenarioId" })
      })

      const dryRun = traced("Scenarios.dryRun")(function* (caller: Caller, order: RehearsalOrder) {
        const { inputs = {}, templateId, ...changes } = yield* draftOf(caller, order)
        const { connectionId, ocpiVersion } = order
        const target =
          connectionId === undefined ? null : (yield* connections.owned(caller, connectionId)).party
        return yield* journeys
          .dryRun({
            target,
            templateId,
            inputs,
            scenario: { id: order.scenarioId ?? null, version: 0, ...changes },
            ...(ocpiVersion === undefined ? {} : { ocpiVersion })
          })
          .pipe(
            Effect.mapError(({ kind, message }) =>
              kind === "choose" ? new Invalid({ message }) : new Unsupported({ message })
            )
          )
      })

      return Scenarios.of({
        create,
        list: (caller, page) => Effect.map(store.list(caller.ownerId, page), (rows) => rows.map(view)),
        read,
        change,
        remove,
        importFile,
        validate,
        exportFile: (caller, id, format) =>
          Effect.map(read(caller, id), (scenario) => writeScenarioFile(draftIn(scenario), format)),
        dryRun
      })
    })
  )
}

const view = ({ createdAt, draft, id, updatedAt, version }: ScenarioRow): Scenario => ({
  id,
  ...draft,
  inputs: draft.inputs ?? {},
  createdAt,
  updatedAt,
  version
})

/** The draft of a saved scenario, which is what its file holds. */
export const draftIn = (scenario: Scenario): ScenarioDraft =>
  Struct.omit(scenario, "createdAt", "id", "updatedAt", "version")
