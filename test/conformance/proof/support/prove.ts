/** The proofs as tests: one for each fault in each version and role; what came of it goes into the report of the test run. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Assertion } from "../../../../schema/Assertion.ts"
import type { Answers } from "../../../support/parties/sandboxPartner.ts"
import { assertionFlaws } from "../../../support/textFlaws.ts"
import { chosenProofs, type Proof, type Proven, proven } from "./proofs.ts"

/** What .ci/test.mjs adds up to the matrix; it finds it in the meta of the test. */
export interface ProofMeta extends Pick<Proven, "caught" | "falseAlarms" | "missed"> {
  readonly fault: string
}

/** Each of the proofs that `isMine` has to catch its fault, and nothing else may go off. */
export const prove = (title: string, isMine: (proof: Proof) => boolean) =>
  describe(title, () => {
    const mine = chosenProofs.filter(isMine)
    const answers = new Map<string, Answers>()
    const answersOf = ({ role, version }: Proof) => {
      const key = `${version} ${role}`
      const known = answers.get(key) ?? new Map()
      answers.set(key, known)
      return known
    }
    it.for(mine)(
      "$fault of a $role in $version, $scene: caught by $checks",
      { timeout: 60_000 },
      (proof, { task }) =>
        Effect.runPromise(
          Effect.map(
            proven(proof, answersOf(proof)),
            ({ apart, assertions, caught, falseAlarms, missed }) => {
              const meta: ProofMeta = { fault: proof.fault, caught, missed, falseAlarms }
              Object.assign(task.meta, { proof: meta })
              const unclear = [...new Set(assertions.flatMap(assertionFlaws))].join("\n")
              assert.strictEqual(unclear, "", unclear)
              const wrong = {
                missed: missed.map(told(assertions)),
                falseAlarms: falseAlarms.map(told(assertions)),
                apart
              }
              // The runner's own comparison does not show through an Effect.
              assert.deepStrictEqual(wrong, { missed: [], falseAlarms: [], apart: [] }, JSON.stringify(wrong))
            }
          )
        )
    )
  })

/** Why a check came to what it came to. */
const told = (assertions: ReadonlyArray<Assertion>) => (id: string) => {
  const found = assertions.find((assertion) => assertion.id === id)
  return `${id} ${found?.outcome ?? "not graded"}: ${found?.message ?? found?.reason ?? found?.actual ?? ""}`
}
