/** A single fault of a stranger, with the check that is there to catch it and those that it breaks by its nature. */
import type { MeetingOrder } from "../meeting.ts"
import type { Bend } from "../partner/Bend.ts"
import type { Freedoms, StrangerRole } from "../partner/Freedoms.ts"

/** A bend, or one that remembers: made anew for each stranger. */
export type Bending = Bend | (() => Bend)

/** One fault. */
export interface Mutation {
  readonly id: string
  /** The check that has to fail or warn. */
  readonly caughtBy: string
  /** What may go off beside it, by its nature: ids of checks. Which of them do can depend on what the stranger draws. */
  readonly follows: ReadonlyArray<string>
  /** Fewer versions than the check has, such as `2.2+`. */
  readonly versions?: string
  /** Fewer roles than the check has. */
  readonly roles?: ReadonlyArray<StrangerRole>
  /** Choices without which nobody can see it. */
  readonly needs?: Partial<Freedoms>
  /** How it is met; default: the full suite, after the registration. */
  readonly order?: MeetingOrder
  readonly bend: Bending
}

/** The parts of a row that most rows leave out. */
export type Others = Omit<Partial<Mutation>, "id" | "caughtBy" | "bend" | "follows"> & {
  readonly follows?: string
}

/** A row; `follows`: ids with spaces between them. */
export const fault = (
  id: string,
  caughtBy: string,
  bend: Bending,
  { follows = "", ...others }: Others = {}
): Mutation => ({ id, caughtBy, follows: follows.split(" ").filter((one) => one !== ""), bend, ...others })

/** Rows that have something in common. */
export const withAll = (common: Others, rows: ReadonlyArray<Mutation>): ReadonlyArray<Mutation> =>
  rows.map((row) => {
    const { follows = "", needs, ...others } = common
    return {
      ...others,
      ...row,
      follows: [...row.follows, ...follows.split(" ").filter((one) => one !== "")],
      ...(needs === undefined && row.needs === undefined ? {} : { needs: { ...needs, ...row.needs } })
    }
  })

/** Of what went off: the check that is there to catch the fault, what the row declares beside it, and what it does not. */
export const attributed = <
  A extends { readonly id: string; readonly strength: string; readonly outcome: string }
>(
  { caughtBy, follows }: Mutation,
  off: ReadonlyArray<A>
): {
  readonly caught: ReadonlyArray<A>
  readonly consequences: ReadonlyArray<A>
  readonly falsely: ReadonlyArray<A>
} => {
  const isDeclared = ({ id }: A) => follows.includes(id)
  const others = off.filter(
    ({ id, outcome, strength }) =>
      id !== caughtBy &&
      outcome !== "passed" &&
      // What is advised and what a stranger is free not to do warns without the fault too.
      !(outcome === "warned" && strength === "should")
  )
  return {
    caught: off.filter(({ id }) => id === caughtBy),
    consequences: others.filter(isDeclared),
    falsely: others.filter((one) => !isDeclared(one))
  }
}
