/** Wires the whole service, and the commands that need no server. No logic. */
import { NodeContext } from "@effect/platform-node"
import { Effect, Layer, Redacted } from "effect"
import { OwnerId } from "../schema/Ids.ts"
import type { CreateSandboxPartner } from "../schema/Sandbox.ts"
import type { ScenarioValidation } from "../schema/Scenario.ts"
import { checkSettings } from "./checkSettings.ts"
import { SuiteRuns } from "./conformance/run/SuiteRuns.ts"
import { SharedTime } from "./database/SharedTime.ts"
import { BootServer } from "./http/server/BootServer.ts"
import { SandboxServer } from "./http/server/SandboxServer.ts"
import { Server } from "./http/server/Server.ts"
import { misfitsOf } from "./journeys/catalogue/playable.ts"
import { JourneyRuns } from "./journeys/JourneyRuns.ts"
import { ledger, ocpi, party, self, stores } from "./layers.ts"
import { ChargingSimulation } from "./party/simulation/ChargingSimulation.ts"
import { Placement } from "./placement/Placement.ts"
import { publicUrlOf } from "./publicUrl.ts"
import { limitsOf, type Settings } from "./Settings.ts"
import { faultsById } from "./sandbox/faults/faultLibrary.ts"
import { Sandbox } from "./sandbox/Sandbox.ts"
import { acceptBootstrapKey } from "./services/accounts/acceptBootstrapKey.ts"
import { readPlansFile } from "./services/accounts/plansFile.ts"
import { Sessions } from "./services/accounts/Sessions.ts"
import { MonthlyPartitions } from "./services/operators/MonthlyPartitions.ts"
import { Archiving } from "./services/runs/Archiving.ts"
import { Retention } from "./services/runs/Retention.ts"
import { readScenarioFile } from "./services/runs/scenarioFile.ts"
import { Services } from "./services/Services.ts"
import { PartyStoreMemory } from "./store/parties/PartyStoreMemory.ts"
import { Tracing } from "./telemetry/Tracing.ts"
import { unmeasured } from "./telemetry/unmeasured.ts"

/** Our identity in credentials; a second connection to the same partner gets a party id of its own. */
const identity = { countryCode: "NL", partyId: "PLG", name: "plugfest" }

/**
 * Runs once requests are served. `makeLink`: a link that signs a browser in to the console; undefined where none could be
 * made, which the log says.
 */
export type OnListening = (makeLink: Effect.Effect<string | undefined>) => Effect.Effect<void>

/** The whole service as a layer. It starts from the bottom up and stops in the opposite order. */
const service = (settings: Settings, onListening: OnListening) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      yield* checkSettings(settings)
      const publicUrl = publicUrlOf(settings)
      const plans = yield* readPlansFile(settings.plansFile)
      const waiting = yield* BootServer
      // Hold the picked port: another process could take it while the database starts.
      if (settings.portWasPicked) yield* waiting.show
      const { host, metricsToken, port, sandbox } = settings
      const start = Effect.gen(function* () {
        if (settings.bootstrapApiKey !== undefined) {
          yield* acceptBootstrapKey(settings.bootstrapApiKey)
        }
        yield* waiting.hide
      })
      const server = Layer.unwrapEffect(
        Effect.map(Effect.all([Sessions, Placement]), ([{ makeTerminalLink }, { join }]) =>
          Server.layer({
            host,
            port,
            publicUrl,
            sandbox,
            metricsToken,
            drainSeconds: settings.drainSeconds,
            sockets: {
              connections: settings.maxConnections,
              connectionsPerAddress: settings.maxConnectionsPerAddress,
              stalledMillis: settings.stalledReaderSeconds * 1000
            },
            onListening: () =>
              Effect.zipRight(
                join,
                onListening(
                  makeTerminalLink.pipe(
                    Effect.map(({ url }) => url),
                    Effect.catchAllCause((cause) =>
                      Effect.as(Effect.logWarning("No link to the console could be made", cause), undefined)
                    )
                  )
                )
              )
          })
        )
      )
      // Built after the server, so that what resumed simulations push to this service is answered.
      const resumed = Layer.effectDiscard(
        Effect.flatMap(ChargingSimulation, ({ resumeAll, watchOver }) =>
          Effect.zipRight(resumeAll, watchOver(settings.leaseSeconds / 3))
        )
      )
      const retention = Retention.periodic({
        archiveAfterDays: settings.archiveAfterDays,
        days: settings.retentionDays
      }).pipe(Layer.provide(Retention.layer), Layer.provide(Archiving.layer))
      const partitions = MonthlyPartitions.layer({ retentionDays: settings.retentionDays })
      return Layer.mergeAll(resumed, retention, partitions).pipe(
        Layer.provideMerge(server),
        Layer.provideMerge(Layer.effectDiscard(start)),
        Layer.provideMerge(
          Services.layer({
            identity,
            publicUrl,
            sandbox,
            waitMaxSeconds: settings.waitMaxSeconds,
            limits: limitsOf(settings),
            auditDays: settings.auditDays,
            plans: plans.config
          })
        ),
        Layer.provideMerge(
          Layer.mergeAll(
            SuiteRuns.layer({
              partnerConcurrency: settings.partnerConcurrency,
              leaseSeconds: settings.leaseSeconds,
              trustedPrefixes: sandbox ? [`${publicUrl}/sandbox/`] : []
            }),
            JourneyRuns.layer({ leaseSeconds: settings.leaseSeconds, publicUrl }),
            Sandbox.layer({ publicUrl, speed: settings.simulationSpeed })
          )
        ),
        Layer.provideMerge(party({ publicUrl, sandbox })),
        Layer.provideMerge(ocpi(settings)),
        Layer.provideMerge(ledger(settings)),
        Layer.provideMerge(SharedTime.followed()),
        Layer.provideMerge(stores(settings, plans, waiting.show)),
        // At the bottom, because times of different processes are compared.
        Layer.provide(SharedTime.layer)
      )
    })
  ).pipe(
    Layer.provide(BootServer.layer({ host: settings.host, port: settings.port })),
    Layer.provide(NodeContext.layer)
  )

// These need no service, so the command line calls them directly.
export { validateObject } from "./services/operators/validateObject.ts"
export { verifyExport } from "./services/runs/verifyExport.ts"

/** Validates a scenario file: every problem, with its line and column. */
export const validateScenario = (file: string): ScenarioValidation => readScenarioFile(file, misfitsOf)

/** The ids of all faults of sandbox partners. */
export const faultIds: ReadonlyArray<string> = [...faultsById.keys()]

/** The tracer, which is off without OTLP_URL. */
const tracing = ({ otlpHeaders, otlpUrl }: Settings) =>
  Tracing.layer({ url: otlpUrl, headers: otlpHeaders, instance: self })

/** Serves until interrupted. */
export const serve = (settings: Settings, onListening: OnListening) =>
  unmeasured(Effect.provide(Layer.launch(service(settings, onListening)), tracing(settings)))

/** Serves while `use` runs, which gets the public URL. */
export const withService = <A, E, R>(settings: Settings, use: (url: string) => Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.zipRight(
      Layer.build(service(settings, () => Effect.void)),
      Effect.suspend(() => use(publicUrlOf(settings)))
    )
  ).pipe(Effect.provide(tracing(settings)), unmeasured)

/** Serves one sandbox partner, in memory, until interrupted. `onListening` gets its versions URL and its Token A. */
export const sandboxAlone = (
  settings: Settings,
  order: CreateSandboxPartner,
  onListening: (partner: { readonly versionsUrl: string; readonly tokenA: string }) => Effect.Effect<void>
) => {
  const publicUrl = publicUrlOf(settings)
  const { host, port } = settings
  const started = Layer.effectDiscard(
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      const made = yield* sandbox.create(OwnerId.make("own_sandbox"), order)
      yield* onListening({
        versionsUrl: sandbox.versionsUrl(made.party.id),
        tokenA: Redacted.value(made.tokenA)
      })
    })
  )
  return Layer.launch(
    started.pipe(
      Layer.provide(SandboxServer.layer({ host, port, publicUrl })),
      Layer.provide(Sandbox.layer({ publicUrl, speed: settings.simulationSpeed })),
      Layer.provide(party({ publicUrl, sandbox: true })),
      Layer.provide(ocpi(settings)),
      Layer.provide(PartyStoreMemory)
    )
  )
}
