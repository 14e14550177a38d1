/** All services, wired to each other. What is left to be provided: stores, ledger, party, conformance, journeys, sandbox. */
import { Layer } from "effect"
import { withoutEndSlashes } from "../ocpi/urls.ts"
import { Accounts } from "./Accounts.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { AuditLog } from "./AuditLog.ts"
import { Catalogue } from "./Catalogue.ts"
import { Commands } from "./Commands.ts"
import { CommandTargets } from "./CommandTargets.ts"
import { Connections, type ConnectionsOptions } from "./Connections.ts"
import { Errands } from "./Errands.ts"
import { Gauges } from "./Gauges.ts"
import { Idempotency } from "./Idempotency.ts"
import { InboundLimits } from "./InboundLimits.ts"
import { Journeys } from "./Journeys.ts"
import { Machines } from "./Machines.ts"
import { OpenStreams } from "./OpenStreams.ts"
import { OwnedRuns } from "./OwnedRuns.ts"
import { defaultPlans, Plans, type PlansConfig } from "./Plans.ts"
import { Preflights } from "./Preflights.ts"
import { defaultLimits, type Limits, RateLimits } from "./RateLimits.ts"
import { Registrations } from "./Registrations.ts"
import { Reports } from "./Reports.ts"
import { Runs } from "./Runs.ts"
import { Sandboxes } from "./Sandboxes.ts"
import { Scenarios } from "./Scenarios.ts"

export interface ServicesOptions {
  readonly identity: ConnectionsOptions["identity"]
  readonly publicUrl: string
  readonly sandbox: boolean
  readonly waitMaxSeconds: number
  /** How long entries of the audit log are kept. Default 90. */
  readonly auditDays?: number
  /** Default: section 8 of the contract. */
  readonly limits?: Limits
  /** Default: four plans, of which self-hosted accounts have `unlimited`. */
  readonly plans?: PlansConfig
}

export const Services = {
  layer: (options: ServicesOptions) => {
    const sandboxRoot = options.sandbox ? `${withoutEndSlashes(options.publicUrl)}/sandbox` : null
    const ground = Layer.mergeAll(
      ApiKeys.layer,
      Plans.layer(options.plans ?? defaultPlans),
      Errands.layer,
      InboundLimits.layer,
      AuditLog.layer(options.auditDays === undefined ? {} : { days: options.auditDays })
    ).pipe(Layer.provideMerge(RateLimits.layer(options.limits ?? defaultLimits)))
    return Layer.mergeAll(
      Commands.layer,
      Runs.layer(options),
      Reports.layer,
      Catalogue.layer(options),
      Journeys.layer,
      Gauges.layer,
      Machines.layer,
      OpenStreams.layer,
      Accounts.layer
    ).pipe(
      Layer.provideMerge(Scenarios.layer),
      Layer.provideMerge(Sandboxes.layer({ on: options.sandbox })),
      Layer.provideMerge(
        Layer.mergeAll(
          CommandTargets.layer,
          Idempotency.layer,
          Registrations.layer,
          Preflights.layer(options)
        )
      ),
      Layer.provideMerge(Connections.layer({ identity: options.identity, sandboxRoot })),
      Layer.provideMerge(OwnedRuns.layer),
      Layer.provideMerge(ground)
    )
  }
}
