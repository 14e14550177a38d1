/** Plays many faults, and counts who caught them. */
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { strangerOf } from "../draw.ts"
import type { MeetingOrder } from "../meeting.ts"
import { strangerVersions } from "../partner/Freedoms.ts"
import type { Mutation } from "./Mutation.ts"
import { isPossible, mutations, mutationsOf } from "./mutations.ts"
import { fieldFaults } from "./objects/fields.ts"
import { playMutation, seedFor } from "./playMutation.ts"
import { unreached } from "./unreached.ts"

/** A fault and the stranger that has it. */
export interface Chosen {
  readonly seed: number
  readonly mutation: Mutation
}

/** Every fault once, each in the stranger of another seed. */
export const everyOnce = (from: number): ReadonlyArray<Chosen> => {
  const fields = new Map(
    strangerVersions.flatMap((version) => fieldFaults(version).map((row) => [row.id, row]))
  )
  return [...mutations, ...fields.keys()].flatMap((one, index): ReadonlyArray<Chosen> => {
    const at = from + index * 8
    if (typeof one !== "string") {
      const seed = seedFor(one, at + (index % 8))
      return seed === undefined ? [] : [{ seed, mutation: one }]
    }
    for (let seed = at + (index % 8); seed < at + 16; seed += 1) {
      const { role, version } = strangerOf(seed)
      const mutation = mutationsOf(version, role).find(({ id }) => id === one)
      if (mutation !== undefined) return [{ seed, mutation }]
    }
    return []
  })
}

/** A fault for each of so many strangers. */
export const drawnFaults = (from: number, count: number): ReadonlyArray<Chosen> =>
  Array.from({ length: count }, (_, index) => from + index).flatMap((seed) => {
    const { role, version } = strangerOf(seed)
    const rows = mutationsOf(version, role)
    const mutation = rows[(seed * 7919) % rows.length]
    return mutation === undefined ? [] : [{ seed, mutation }]
  })

/** One fault in each version and role that can have it. */
export const inEach = (id: string, from: number): ReadonlyArray<Chosen> =>
  Array.from({ length: 8 }, (_, index) => from + index).flatMap((seed) => {
    const { role, version } = strangerOf(seed)
    return mutationsOf(version, role)
      .filter((row) => row.id === id && isPossible(row, version, role))
      .map((mutation) => ({ seed, mutation }))
  })

/** Plays them one after another and says what came of it; true when each was caught by its check and nothing else went off. */
export const playAll = async (
  chosen: ReadonlyArray<Chosen>,
  suite: MeetingOrder["part"],
  say: (text: string) => void
): Promise<boolean> => {
  const totals = { played: 0, noticed: 0, caught: 0, exact: 0, falsely: 0 }
  const reached = new Set<string>()
  for (const { mutation, seed } of chosen) {
    const { broken, caught, drawn, falsely, noticed, own } = await playMutation(seed, mutation, suite)
    const isCaught = caught.length > 0
    totals.played += 1
    totals.noticed += noticed ? 1 : 0
    totals.caught += isCaught ? 1 : 0
    totals.exact += isCaught && falsely.length === 0 ? 1 : 0
    totals.falsely += falsely.length
    if (isCaught) reached.add(mutation.caughtBy)
    const word = !isCaught ? "NOT CAUGHT" : falsely.length === 0 ? "exact" : "caught"
    say(
      `seed ${seed} ${drawn.version} ${drawn.role} ${mutation.id}: ${word} ${mutation.caughtBy} ${broken ?? ""}`.trimEnd()
    )
    if (!isCaught && own !== undefined)
      say(`  ${own.id} ${own.outcome}: ${own.message ?? own.reason ?? ""}`.slice(0, 400))
    for (const { id, message, outcome, reason } of falsely)
      say(`  also ${id} ${outcome}: ${message ?? reason}`.slice(0, 400))
  }
  const { exact, falsely, noticed, played } = totals
  say(
    `${played} strangers with a fault: ${noticed} noticed, ${totals.caught} by the right check, ${exact} exactly, ${falsely} false attributions`
  )
  const wanted = [...new Set(mutations.map(({ caughtBy }) => caughtBy))]
  say(
    `${wanted.length} of ${allChecks.length} checks have a mutation; ${reached.size} of them caught one here; ${unreached.length} out of reach: ${kindsOf()}`
  )
  return totals.caught === played && falsely === 0
}

const kindsOf = (): string => {
  const counts = new Map<string, number>()
  for (const { kind } of unreached) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ")
}
