/** Keeps the tokens of a run's parties out of its lines. */
import { Effect, Option } from "effect"
import { DatabaseDown, isLoss } from "../../database/DatabaseDown.ts"
import type { Clean, LineCleaner } from "../../ledger/run/prepareLines.ts"
import { isScrubbedOf } from "../../ocpi/Scrubber.ts"
import type { Secrets } from "../../redaction/scrub.ts"
import { cleanerOf } from "../../redaction/scrubValue.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { kindOf } from "./runKinds.ts"

/** An exchange that was redacted with these very secrets is not searched again. */
const cleanOf =
  (of: ReadonlyArray<Secrets>): Clean =>
  (value) =>
    of.reduce((rest, secrets) => (isScrubbedOf(rest, secrets) ? rest : cleanerOf(secrets).value(rest)), value)

/** Removes the tokens of the parties of a run from what is written about it. */
export const runCleaner = Effect.map(
  PartyStore,
  ({ secrets }): LineCleaner =>
    (facts) => {
      const parties = kindOf(facts).partiesOf(facts)
      let last: { readonly of: ReadonlyArray<Secrets>; readonly clean: Clean } | undefined
      return (since) =>
        Effect.forEach(parties, (id) => secrets(id, since)).pipe(
          Effect.map((of) => {
            const isSame = last?.of.every((one, at) => one === of[at]) === true
            last = isSame && last !== undefined ? last : { of, clean: cleanOf(of) }
            return last.clean
          }),
          Effect.catchSomeDefect((defect) =>
            isLoss(defect)
              ? Option.some(
                  new DatabaseDown({ message: `the tokens of run ${facts.runId} cannot be read now` })
                )
              : Option.none()
          )
        )
    }
)
