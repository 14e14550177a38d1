/**
 * Shapes of real systems: exactly what is wrong with each is found, one cause once, and what cannot be judged because of it is
 * blocked by it. The longest are played by `npm run strangers -- --personas` alone.
 */
import { assert, describe, it } from "vitest"
import { expectationOf, findingsOf, meetPersona } from "./findings.ts"
import { personas } from "./personas.ts"

describe("a persona", () => {
  it.each(personas.filter(({ long }) => long !== true).map((persona) => [persona.id, persona] as const))(
    "has what is wrong with it, and nothing else: %s",
    async (_, persona) => {
      const met = await meetPersona(persona)
      assert.deepStrictEqual(findingsOf(met, persona.expects), expectationOf(persona.expects))
    },
    120_000
  )
})
