/** The journeys, packs and scenarios for a target, and which of them can be run. */
import { createHash } from "node:crypto"
import { Context, Effect, Either, Layer } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import type { NotFound } from "../../../schema/Errors.ts"
import { ConnectionId } from "../../../schema/Ids.ts"
import type { JourneyCatalogue, Stage } from "../../../schema/Journey.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { JourneyRuns } from "../../journeys/JourneyRuns.ts"
import { traced } from "../../telemetry/traced.ts"
import { capabilitiesFor, Plans } from "../accounts/Plans.ts"
import { Connections, type Owned } from "../connections/Connections.ts"
import { notInProduction } from "./orders/startJourney.ts"
import { Scenarios } from "./Scenarios.ts"

/** The target, or version and role, to show the catalogue for; empty: the whole catalogue. */
interface CatalogueQuery {
  readonly connectionId?: string
  /** `sandbox`, or the same as `connectionId`. */
  readonly target?: string
  readonly ocpiVersion?: OcpiVersion
  readonly theirRole?: Role
}

/** Reads the catalogue. */
export class Catalogue extends Context.Tag("services/Catalogue")<
  Catalogue,
  {
    /** `planVersion` is a hash of the whole catalogue; it changes when the plan of any entry does. */
    readonly read: (
      caller: Caller,
      query: CatalogueQuery
    ) => Effect.Effect<{ readonly catalogue: JourneyCatalogue; readonly planVersion: string }, NotFound>
  }
>() {
  /** `sandbox`: the setting SANDBOX is on. */
  static readonly layer = (options: { readonly sandbox: boolean }) =>
    Layer.effect(
      Catalogue,
      Effect.gen(function* () {
        const journeys = yield* JourneyRuns
        const connections = yield* Connections
        const scenarios = yield* Scenarios
        const plans = yield* Plans

        /**
         * Reasons that apply to every journey on the target that the query names: a connection, or the sandbox; undefined: it
         * names none.
         */
        const circumstances = Effect.fnUntraced(function* (
          caller: Caller,
          named: Owned | "sandbox" | undefined
        ) {
          const isSandbox = named === "sandbox"
          const owned = isSandbox ? undefined : named
          const target: Owned["target"] = isSandbox || owned?.target === "sandbox" ? "sandbox" : "own"
          const plan = yield* Effect.either(plans.require(caller, "journeys", target))
          return {
            isTarget: named !== undefined,
            target,
            reasons: [
              ...(owned?.row.environment === "production" ? [notInProduction] : []),
              ...(isSandbox && !options.sandbox
                ? ["The sandbox is turned off on this service (setting SANDBOX)"]
                : []),
              ...(Either.isLeft(plan) ? [plan.left.message] : [])
            ]
          }
        })

        const read = traced("Catalogue.read")(function* (caller: Caller, query: CatalogueQuery) {
          const sandbox = query.target === "sandbox" && query.connectionId === undefined
          const id = query.connectionId ?? (sandbox ? undefined : query.target)
          const owned = id === undefined ? undefined : yield* connections.owned(caller, ConnectionId.make(id))
          const { isTarget, reasons, target } = yield* circumstances(caller, sandbox ? "sandbox" : owned)
          const filter = {
            ...(query.ocpiVersion === undefined ? {} : { ocpiVersion: query.ocpiVersion }),
            ...(query.theirRole === undefined ? {} : { theirRole: query.theirRole })
          }
          const standing = Effect.fnUntraced(function* <
            A extends { readonly reasons: ReadonlyArray<string>; readonly stages?: ReadonlyArray<Stage> }
          >(one: A) {
            const modules = (one.stages ?? []).map(({ module }) => module)
            const plan = yield* Effect.either(plans.requireModules(caller, modules, target))
            const lacking = Either.isLeft(plan) ? [plan.left.message] : []
            const all = isTarget ? [...one.reasons, ...reasons, ...lacking] : [...one.reasons, noTarget]
            const [special] = capabilitiesFor(modules)
            const requiredPlan = plans.lowestWith(target === "sandbox" ? "sandbox" : (special ?? "journeys"))
            return { ...one, requiredPlan, reasons: all, runnable: all.length === 0 }
          })
          const party = owned?.party ?? null
          const catalogue: JourneyCatalogue = {
            templates: yield* Effect.forEach(journeys.catalogue(party, filter), standing),
            packs: yield* Effect.forEach(journeys.packs(party, filter), standing),
            scenarios: yield* scenarios.list(caller, { limit: mostScenarios })
          }
          return { catalogue, planVersion: nameOf(catalogue) }
        })

        return Catalogue.of({ read })
      })
    )
}

/** Why nothing is runnable in a catalogue that is asked for without a target. */
const noTarget =
  "No target is named: give connectionId, or target=sandbox, to learn what can be played with it"

/** How many of the newest scenarios the catalogue lists; GET /testing/scenarios pages through all. */
const mostScenarios = 100

function nameOf({ packs, scenarios, templates }: JourneyCatalogue): string {
  const text = JSON.stringify([
    [...templates, ...packs].map(({ id, planVersion, reasons, runnable }) => [
      id,
      planVersion,
      runnable,
      reasons
    ]),
    scenarios.map(({ id, version }) => [id, version])
  ])
  return createHash("sha256").update(text).digest("hex").slice(0, 16)
}
