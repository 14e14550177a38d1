import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { allScopes } from "../../../schema/Account.ts"
import { KeyId, OwnerId } from "../../../schema/Ids.ts"
import { Plans } from "../../../src/services/accounts/Plans.ts"

const caller = (plan: string) => ({
  ownerId: OwnerId.make("own_1"),
  keyId: KeyId.make("key_1"),
  scopes: allScopes,
  plan
})
const refusal = (plan: string, modules: ReadonlyArray<string | null>, target?: "sandbox") =>
  Effect.gen(function* () {
    const { requireModules } = yield* Plans
    const answer = yield* Effect.either(requireModules(caller(plan), modules, target))
    return Either.isLeft(answer) ? answer.left.message : null
  }).pipe(Effect.provide(Plans.layer()))

describe("a plan", () => {
  it.effect("refuses a module that is a capability of its own, and names the plan that has it", () =>
    Effect.gen(function* () {
      for (const [module, capability] of [
        ["chargingprofiles", "charging_profiles"],
        ["hubclientinfo", "hub"],
        ["payments", "payments"]
      ] as const) {
        assert.match(
          (yield* refusal("integrate", ["locations", module])) ?? "",
          new RegExp(`"integrate" does not include ${capability}; .* "automate"`)
        )
        assert.isNull(yield* refusal("automate", [module]))
      }
    })
  )

  it.effect("lets every module be tested on a sandbox partner, and the others everywhere", () =>
    Effect.gen(function* () {
      assert.isNull(yield* refusal("sandbox", ["payments"], "sandbox"))
      assert.isNull(yield* refusal("integrate", ["locations", "commands", null]))
    })
  )

  it.effect("that is not known includes nothing", () =>
    Effect.gen(function* () {
      const { capabilities, require } = yield* Plans
      assert.lengthOf(capabilities(caller("gone")), 0)
      assert.strictEqual((yield* Effect.flip(require(caller("gone"), "sandbox")))._tag, "PlanRequired")
    }).pipe(Effect.provide(Plans.layer()))
  )

  it.effect("with one connection of the caller's own refuses the second, and names a larger plan", () =>
    Effect.gen(function* () {
      const { requireConnection } = yield* Plans
      yield* requireConnection(caller("sandbox"), 0)
      const { message } = yield* Effect.flip(requireConnection(caller("sandbox"), 1))
      assert.match(message, /includes 1 connection .*"integrate"/)
    }).pipe(Effect.provide(Plans.layer()))
  )
})
