/** Which journeys can be run against a target, and the name of that plan. */
import { createHash } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import type { Caller } from "../../schema/Account.ts"
import type { Role } from "../../schema/Connection.ts"
import type { NotFound } from "../../schema/Errors.ts"
import { ConnectionId } from "../../schema/Ids.ts"
import type { JourneyCatalogue, JourneyTemplateView } from "../../schema/Journey.ts"
import type { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import { JourneyRuns } from "../journeys/JourneyRuns.ts"
import { Connections } from "./Connections.ts"
import { Plans } from "./Plans.ts"

export interface CatalogueQuery {
  readonly connectionId?: string
  /** `sandbox`, or the same as `connectionId`. */
  readonly target?: string
  readonly ocpiVersion?: OcpiVersion
  readonly theirRole?: Role
}

export class Catalogue extends Context.Tag("services/Catalogue")<
  Catalogue,
  {
    /** `planVersion` names everything in it: it changes when any template's plan does. */
    readonly read: (
      caller: Caller,
      query: CatalogueQuery
    ) => Effect.Effect<{ readonly catalogue: JourneyCatalogue; readonly planVersion: string }, NotFound>
  }
>() {
  static readonly layer = Layer.effect(
    Catalogue,
    Effect.gen(function* () {
      const journeys = yield* JourneyRuns
      const connections = yield* Connections
      const plans = yield* Plans

      const read = Effect.fn("Catalogue.read")(function* (caller: Caller, query: CatalogueQuery) {
        const id = query.connectionId ?? (query.target === "sandbox" ? undefined : query.target)
        const owned = id === undefined ? undefined : yield* connections.owned(caller, ConnectionId.make(id))
        const target = query.target === "sandbox" || owned?.target === "sandbox" ? "sandbox" : "own"
        const requiredPlan = plans.lowestWith(target === "sandbox" ? "sandbox" : "journeys")
        const templates: ReadonlyArray<JourneyTemplateView> = journeys
          .catalogue(owned?.party ?? null, {
            ...(query.ocpiVersion === undefined ? {} : { ocpiVersion: query.ocpiVersion }),
            ...(query.theirRole === undefined ? {} : { theirRole: query.theirRole })
          })
          .map((template) => ({ ...template, requiredPlan, ...standing(owned?.row.environment, template) }))
        const catalogue: JourneyCatalogue = { templates, packs: [], scenarios: [] }
        return { catalogue, planVersion: nameOf(templates) }
      })

      return Catalogue.of({ read })
    })
  )
}

/** A production connection is read-only, whatever the template says. */
function standing(environment: "test" | "production" | undefined, template: JourneyTemplateView) {
  return environment === "production"
    ? {
        runnable: false,
        reasons: [...template.reasons, "The connection is marked production, which is read-only"]
      }
    : { runnable: template.runnable, reasons: template.reasons }
}

function nameOf(templates: ReadonlyArray<JourneyTemplateView>): string {
  const text = JSON.stringify(
    templates.map(({ id, planVersion, reasons, runnable }) => [id, planVersion, runnable, reasons])
  )
  return createHash("sha256").update(text).digest("hex").slice(0, 16)
}
