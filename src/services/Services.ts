/** Wires all services. Stores, ledger, party, conformance, journeys and sandbox remain to be provided. */
import { Layer } from "effect"
import { withoutEndSlashes } from "../ocpi/urls.ts"
import { Accounts } from "./accounts/Accounts.ts"
import { ApiKeys } from "./accounts/ApiKeys.ts"
import { AuditLog } from "./accounts/AuditLog.ts"
import { InboundLimits } from "./accounts/InboundLimits.ts"
import { OpenStreams } from "./accounts/OpenStreams.ts"
import { defaultPlans, Plans, type PlansConfig } from "./accounts/Plans.ts"
import { defaultLimits, type Limits, RateLimits } from "./accounts/RateLimits.ts"
import { Sessions } from "./accounts/Sessions.ts"
import { Commands } from "./connections/Commands.ts"
import { CommandTargets } from "./connections/CommandTargets.ts"
import { Connections, type ConnectionsOptions } from "./connections/Connections.ts"
import { Preflights } from "./connections/Preflights.ts"
import { Registrations } from "./connections/Registrations.ts"
import { Gauges } from "./operators/Gauges.ts"
import { Machines } from "./operators/Machines.ts"
import { Processes } from "./operators/Processes.ts"
import { DetachedWork } from "./requests/DetachedWork.ts"
import { Idempotency } from "./requests/Idempotency.ts"
import { Catalogue } from "./runs/Catalogue.ts"
import { Journeys } from "./runs/Journeys.ts"
import { OwnedRuns } from "./runs/OwnedRuns.ts"
import { Reports } from "./runs/Reports.ts"
import { Runs } from "./runs/Runs.ts"
import { Scenarios } from "./runs/Scenarios.ts"
import { Sandboxes } from "./sandboxes/Sandboxes.ts"

/** Settings of the services. */
export interface ServicesOptions {
  readonly identity: ConnectionsOptions["identity"]
  readonly publicUrl: string
  readonly sandbox: boolean
  readonly waitMaxSeconds: number
  /** Days for which the audit log is kept; default 90. */
  readonly auditDays?: number
  /** Default: `defaultLimits`. */
  readonly limits?: Limits
  /** Default: `defaultPlans`. */
  readonly plans?: PlansConfig
}

/** All services as one layer. */
export const Services = {
  layer: (options: ServicesOptions) => {
    const sandboxRoot = options.sandbox ? `${withoutEndSlashes(options.publicUrl)}/sandbox` : null
    const ground = Layer.mergeAll(
      Plans.layer(options.plans ?? defaultPlans),
      DetachedWork.layer,
      InboundLimits.layer,
      Sessions.layer({ publicUrl: options.publicUrl })
    ).pipe(
      Layer.provideMerge(
        Layer.merge(
          ApiKeys.layer,
          AuditLog.layer(options.auditDays === undefined ? {} : { days: options.auditDays })
        )
      ),
      Layer.provideMerge(RateLimits.layer(options.limits ?? defaultLimits))
    )
    return Layer.mergeAll(
      Commands.layer,
      Runs.layer(options),
      Reports.layer,
      Catalogue.layer(options),
      Journeys.layer,
      Gauges.layer,
      Machines.layer,
      Processes.layer,
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
