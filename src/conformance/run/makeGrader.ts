/** Grades checks of a run on its evidence, without secrets and in turn with everything else that the process does. */
import { Effect } from "effect"
import type { Assertion } from "../../../schema/Assertion.ts"
import { yieldWhenDue } from "../../findings/yieldToEventLoop.ts"
import { type Scrub, type Secrets, scrub } from "../../redaction/scrub.ts"
import type { PartyStore } from "../../store/parties/PartyStore.ts"
import { cleaned, gradeSafely } from "../grading/gradeSafely.ts"
import type { Check } from "../model/Check.ts"
import type { Evidence } from "../model/Evidence.ts"
import { gradeCutShort } from "./cutShort.ts"
import type { SuiteRunOptions } from "./SuiteRunOptions.ts"

/** The assertions of the checks, in their order. `cut`: why the run is to stop. */
type Grade = (
  checks: ReadonlyArray<Check>,
  cut: string | undefined
) => Effect.Effect<ReadonlyArray<Assertion>>

/** Makes the function that grades the checks of one run. */
export const makeGrader = (
  options: SuiteRunOptions,
  store: PartyStore["Type"],
  evidence: Evidence
): Grade => {
  const { party, second } = options
  const scrubberOf = makeScrubberOf()
  return Effect.fnUntraced(function* (checks, cut) {
    const ofSecond = second === undefined ? noSecrets : yield* store.secrets(second.id)
    const clean = scrubberOf(yield* store.secrets(party.id), ofSecond)
    const turn = yield* yieldWhenDue
    const graded = (check: Check) =>
      cut === undefined ? gradeSafely(check, evidence, options) : gradeCutShort(check, evidence, options, cut)
    return yield* Effect.forEach(checks, (check) =>
      // Judging is synchronous: yield between two checks, so that leases are renewed and streams are served.
      Effect.zipRight(
        Effect.zipRight(turn, prepared(check, evidence, turn)),
        Effect.sync(() => cleaned(graded(check), clean))
      )
    )
  })
}

const noSecrets: Secrets = []

/** A function that makes a scrubber for the secrets of one or two parties, once for as long as they are the same. */
function makeScrubberOf(): (secrets: Secrets, ofSecond: Secrets) => Scrub {
  let last: { readonly secrets: Secrets; readonly ofSecond: Secrets; readonly scrub: Scrub } | undefined
  return (secrets, ofSecond) => {
    if (last?.secrets !== secrets || last.ofSecond !== ofSecond)
      last = { secrets, ofSecond, scrub: scrub([...secrets, ...ofSecond]) }
    return last.scrub
  }
}

/** Does what takes long before the check is judged, a step at a time. What breaks in it breaks again when the check is judged. */
const prepared = (check: Check, evidence: Evidence, turn: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.suspend(() => {
    const work = check.prepare?.(evidence)
    return work === undefined
      ? Effect.void
      : Effect.whileLoop({ while: () => work.step(), body: () => turn, step: () => {} })
  })
