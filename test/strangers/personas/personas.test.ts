/**
 * Shapes of real systems: exactly what is wrong with each is found, one cause once, and what cannot be judged because of it is
 * blocked by it; the report says so in the words of `told.json`. The longest are played by `npm run strangers -- --personas`
 * alone; `npm test` plays every ninth of the others.
 */
import { assert, describe, it } from "vitest"
import { oneOf } from "../../support/sampled.ts"
import { expectationOf, findingsOf, meetPersona, type Told, toldOf } from "./findings.ts"
import { personas } from "./personas.ts"
import told from "./told.json" with { type: "json" }

const known: Readonly<Record<string, Told>> = told
const played = personas.filter(({ long }) => long !== true).filter(oneOf(9))

describe("a persona", () => {
  it.each(played.map((persona) => [persona.id, persona] as const))(
    "has what is wrong with it, and nothing else: %s",
    async (_, persona) => {
      const met = await meetPersona(persona)
      assert.deepStrictEqual(findingsOf(met, persona.expects), expectationOf(persona.expects))
      assert.deepStrictEqual(toldOf(met), known[persona.id])
    },
    120_000
  )
})
