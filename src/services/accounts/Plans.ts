/** Which capabilities an account has. Plans are data; a capability that is missing is a 402 that names the way out. */
import { Context, Effect, Layer } from "effect"
import type { Caller, Capability } from "../../../schema/Account.ts"
import { PlanRequired } from "../../../schema/Errors.ts"

export interface Plan {
  readonly name: string
  readonly capabilities: ReadonlyArray<Capability>
  /** Connections to partners that are not ours; absent = only the account's limit. */
  readonly ownConnections?: number
}

export interface PlansConfig {
  /** Lowest first: the order in which a plan is recommended. */
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

export const defaultPlans: PlansConfig = {
  plans: [
    { name: "sandbox", capabilities: basic, ownConnections: 1 },
    { name: "integrate", capabilities: integrate },
    { name: "automate", capabilities: automate },
    { name: "unlimited", capabilities: automate }
  ]
}

export class Plans extends Context.Tag("services/Plans")<
  Plans,
  {
    /** `target` says whose partner it is: on one of our sandbox partners, `sandbox` is all that is asked for. */
    readonly require: (
      caller: Caller,
      capability: Capability,
      target?: "own" | "sandbox"
    ) => Effect.Effect<void, PlanRequired>
    /** For what is about modules of OCPI: some of them are capabilities of their own. */
    readonly requireModules: (
      caller: Caller,
      modules: Iterable<string | null>,
      target?: "own" | "sandbox"
    ) => Effect.Effect<void, PlanRequired>
    /** May the caller have one more connection to a partner of its own, when it has `count`? */
    readonly requireConnection: (caller: Caller, count: number) => Effect.Effect<void, PlanRequired>
    /** What the caller's plan includes. */
    readonly capabilities: (caller: Caller) => ReadonlyArray<Capability>
    /** The lowest plan that has it, or the highest plan where none has. */
    readonly lowestWith: (capability: Capability) => string
  }
>() {
  /** A plan name that the configuration does not know has no capability at all. */
  static readonly layer = (config: PlansConfig = defaultPlans) =>
    Layer.sync(Plans, () => {
      const planOf = (caller: Caller) => config.plans.find(({ name }) => name === caller.plan)
      const lowestWith = (capability: Capability) =>
        (config.plans.find(({ capabilities }) => capabilities.includes(capability)) ?? config.plans.at(-1))
          ?.name ?? "none"

      const require = Effect.fn("Plans.require")(function* (
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

      const requireModules = Effect.fn("Plans.requireModules")(function* (
        caller: Caller,
        modules: Iterable<string | null>,
        target: "own" | "sandbox" = "own"
      ) {
        for (const capability of capabilitiesFor(modules)) yield* require(caller, capability, target)
      })

      const requireConnection = Effect.fn("Plans.requireConnection")(function* (
        caller: Caller,
        count: number
      ) {
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

/** The capabilities that modules ask for, beside that of what is done with them. */
export const capabilitiesFor = (modules: Iterable<string | null>): ReadonlySet<Capability> =>
  new Set([...modules].flatMap((module) => (module === null ? [] : (moduleCapabilities.get(module) ?? []))))

const moduleCapabilities = new Map<string, Capability>([
  ["chargingprofiles", "charging_profiles"],
  ["hubclientinfo", "hub"],
  ["payments", "payments"]
])
