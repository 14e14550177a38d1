/** Rules that forbid nothing: what is told of a partner depends on what it does, and it passes. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { faultLibrary } from "../../../src/sandbox/faults/faultLibrary.ts"
import { gradedQuickly } from "../../support/parties/quickWorld.ts"

const told = (check: string, faults: ReadonlyArray<string>) =>
  Effect.map(
    gradedQuickly({ version: "2.2.1", role: roles[check] ?? "CPO", checks: [check], faults }),
    ({ assertions: [assertion] }) => `${assertion?.outcome}: ${assertion?.actual}`
  )

const roles: Readonly<Record<string, Role>> = { "SESS-003": "CPO", "SESS-111": "EMSP" }

describe("what is only recorded", () => {
  it.live.each([
    ["SESS-003", "passed: HTTP 200, status_code 2001", "passed: HTTP 200, status_code 1000"],
    ["SESS-111", "passed: applied", "passed: refused: HTTP 200, status_code 2000"]
  ] as const)("%s tells an honest partner from one with a fault", ([check, honest, faulty]) =>
    Effect.gen(function* () {
      const [fault] = faultLibrary.filter(({ caughtBy }) => caughtBy.includes(check))
      assert.strictEqual(yield* told(check, []), honest)
      assert.strictEqual(yield* told(check, [fault!.id]), faulty)
    })
  )
})
