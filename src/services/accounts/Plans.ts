/** Capabilities by plan. Plans are data; a missing capability is a 402 that names the lowest plan that has it. */
import { Context, type Effect, Layer } from "effect"
import type { Caller, Capability } from "../../../schema/Account.ts"
import { PlanRequired } from "../../../schema/Errors.ts"
import { traced } from "../../telemetry/traced.ts"

/** A plan: its name and what it includes. */
interface Plan {
  readonly name: string
  readonly capabilities: ReadonlyArray<Capability>
  /** Allowed connections to partners other than sandbox partners; absent: only the account's limit applies. */
  readonly ownConnections?: number
}

/** The plans that this service offers. */
export interface PlansConfig {
  /** Lowest first; messages recommend the first plan that suffices. */
  readonly plans: ReadonlyArray<Plan>
}

const basic: ReadonlyArray<Capability> = ["sandbox", "connections", "handshake"]
const integrate: ReadonlyArray<Capability> = [...basic, "commands", "conformance", "journeys"]
const automate: ReadonlyArray<Capability> = [
  ...integrate,
  "charging_profiles",
  "hub",
  "payments",
  "fault_packs",
  "signed_export"
]

/** The plans where PLANS_FILE defines none. */
export const defaultPlans: PlansConfig = {
  plans: [
    { name: "sandbox", capabilities: basic, ownConnections: 1 },
    { name: "integrate", capabilities: integrate },
    { name: "automate", capabilities: automate },
    { name: "unlimited", capabilities: automate }
  ]
}

/** Checks a caller's plan. */
export class Plans extends Context.Tag("services/Plans")<
  Plans,
  {
    /** Fails when the plan lacks the capability. For a sandbox partner (`target`) the capability `sandbox` suffices. */
    readonly require: (
      caller: Caller,
      capability: Capability,
      target?: "own" | "sandbox"
    ) => Effect.Effect<void, PlanRequired>
    /** Fails when the plan lacks the capability that one of these OCPI modules needs. */
    readonly requireModules: (
      caller: Caller,
      modules: Iterable<string | null>,
      target?: "own" | "sandbox"
    ) => Effect.Effect<void, PlanRequired>
    /** Fails when the plan does not include one more connection to an own partner, beside the `count` that there are. */
    readonly requireConnection: (caller: Caller, count: number) => Effect.Effect<void, PlanRequired>
    /** The capabilities of the caller's plan. */
    readonly capabilities: (caller: Caller) => ReadonlyArray<Capability>
    /** Name of the lowest plan with the capability; of the highest plan if none has it. */
    readonly lowestWith: (capability: Capability) => string
  }
>() {
  /** A plan that the configuration does not define has no capabilities. */
  static readonly layer = (config: PlansConfig = defaultPlans) =>
    Layer.sync(Plans, () => {
      const planOf = (caller: Caller) => config.plans.find(({ name }) => name === caller.plan)
      const lowestWith = (capability: Capability) =>
        (config.plans.find(({ capabilities }) => capabilities.includes(capability)) ?? config.plans.at(-1))
          ?.name ?? "none"

      const require = traced("Plans.require")(function* (
        caller: Caller,
        capability: Capability,
        target: "own" | "sandbox" = "own"
      ) {
        const wanted = target === "sandbox" ? "sandbox" : capability
        if (planOf(caller)?.capabilities.includes(wanted)) return
        return yield* new PlanRequired({
          message: `The plan "${caller.plan}" does not include ${wanted}; the lowest plan that does is "${lowestWith(wanted)}"`
        })
      })

      const requireModules = traced("Plans.requireModules")(function* (
        caller: Caller,
        modules: Iterable<string | null>,
        target: "own" | "sandbox" = "own"
      ) {
        for (const capability of capabilitiesFor(modules)) yield* require(caller, capability, target)
      })

      const requireConnection = traced("Plans.requireConnection")(function* (caller: Caller, count: number) {
        yield* require(caller, "connections")
        const most = planOf(caller)?.ownConnections ?? Number.POSITIVE_INFINITY
        if (count < most) return
        const next = config.plans.find(
          ({ capabilities, ownConnections }) =>
            capabilities.includes("connections") && (ownConnections ?? count + 1) > count
        )
        return yield* new PlanRequired({
          message:
            `The plan "${caller.plan}" includes ${most} ${most === 1 ? "connection" : "connections"} to partners of your own; ` +
            `the lowest plan that includes more connections is "${next?.name ?? "none"}"`
        })
      })

      const capabilities = (caller: Caller) => planOf(caller)?.capabilities ?? []
      return Plans.of({ capabilities, require, requireModules, requireConnection, lowestWith })
    })
}

/** The capabilities that these OCPI modules need, in addition to the one for the operation itself. */
export const capabilitiesFor = (modules: Iterable<string | null>): ReadonlySet<Capability> =>
  new Set([...modules].flatMap((module) => (module === null ? [] : (moduleCapabilities.get(module) ?? []))))

const moduleCapabilities = new Map<string, Capability>([
  ["chargingprofiles", "charging_profiles"],
  ["hubclientinfo", "hub"],
  ["payments", "payments"]
])
