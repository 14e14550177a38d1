/** Plays one fault in one stranger. */

import type { Assertion } from "../../../schema/Assertion.ts"
import { notedBy } from "../../../src/conformance/grading/assertion.ts"
import { type Drawn, kindOf, lackingNothing, strangerOf } from "../draw.ts"
import { type MeetingOrder, meet } from "../meeting.ts"
import { attributed, type Mutation } from "./Mutation.ts"
import { isPossible } from "./mutations.ts"

/** What came of it. */
export interface Played {
  readonly seed: number
  readonly drawn: Drawn
  readonly mutation: Mutation
  /** No run came of it. */
  readonly broken: string | undefined
  readonly caught: ReadonlyArray<Assertion>
  /** What went off beside it, and is declared. */
  readonly consequences: ReadonlyArray<Assertion>
  readonly falsely: ReadonlyArray<Assertion>
  readonly noticed: boolean
  /** What the check that is there for it says. */
  readonly own: Assertion | undefined
}

/** Does it report something? A rule that only records passes, and notes it. */
const isOff = ({ message, outcome }: Assertion): boolean =>
  outcome === "failed" ||
  outcome === "warned" ||
  (outcome === "passed" && message?.startsWith(notedBy) === true)

/** The stranger of that seed, with the fault; `withinSeconds`: as for `meet`. */
export const playMutation = async (
  seed: number,
  mutation: Mutation,
  suite: MeetingOrder["part"] = "full",
  withinSeconds?: number
): Promise<Played> => {
  // What a row has to find must be there: what the stranger may lack is drawn where its needs say so.
  const { freedoms, role, version } = lackingNothing(strangerOf(seed))
  const drawn = { version, role, freedoms: { ...freedoms, ...mutation.needs } }
  const bend = typeof mutation.bend === "function" ? mutation.bend() : mutation.bend
  const met = await meet(drawn, mutation.order ?? suite, bend, withinSeconds)
  const off = met.assertions.filter(isOff)
  const { caught, consequences, falsely } = attributed(mutation, off)
  return {
    seed,
    drawn,
    mutation,
    broken: met.broken,
    caught,
    consequences,
    falsely,
    noticed: off.some(({ outcome }) => outcome !== "passed") || caught.length > 0 || met.broken !== undefined,
    own: met.assertions.find(({ id }) => id === mutation.caughtBy)
  }
}

/** The first seed from `from` on whose stranger can have the fault. */
export const seedFor = (mutation: Mutation, from: number): number | undefined =>
  Array.from({ length: 8 }, (_, index) => from + index).find((seed) => {
    const { role, version } = kindOf(seed)
    return isPossible(mutation, version, role)
  })
