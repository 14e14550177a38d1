/** Plays many faults, and counts who caught them. */
import { toldApart } from "../../support/toldApart.ts"
import { kindOf } from "../draw.ts"
import type { MeetingOrder } from "../meeting.ts"
import { strangerVersions } from "../partner/Freedoms.ts"
import { checksOfFaults } from "./journeyFaults.ts"
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

/** The ids of all rows: those written one by one, then those of fields, which versions share. */
export const rowIds = (): ReadonlyArray<string> => [
  ...new Set([
    ...mutations.map(({ id }) => id),
    ...strangerVersions.flatMap((version) => fieldFaults(version).map(({ id }) => id))
  ])
]

/** A number from 0 to 9999 that depends on the text alone, so that a row keeps its stranger when others are added. */
const numberOf = (text: string): number => {
  let mixed = 7
  for (const character of text) mixed = (mixed * 31 + character.charCodeAt(0)) % 1_000_003
  return mixed % 10_000
}

/**
 * Every fault once, each in the stranger of a seed of its own. A row that no stranger can have is left out. The modules are
 * mixed, so that a run that is cut short has some of each.
 */
export const everyOnce = (from: number): ReadonlyArray<Chosen> =>
  rowIds()
    .toSorted((one, other) => numberOf(one) - numberOf(other))
    .flatMap((id): ReadonlyArray<Chosen> => {
      const at = from + numberOf(id)
      const written = mutations.find((row) => row.id === id)
      if (written !== undefined) {
        const seed = seedFor(written, at)
        return seed === undefined ? [] : [{ seed, mutation: written }]
      }
      for (let seed = at; seed < at + 8; seed += 1) {
        const { role, version } = kindOf(seed)
        const mutation = mutationsOf(version, role).find((row) => row.id === id)
        if (mutation !== undefined) return [{ seed, mutation }]
      }
      return []
    })

/** A fault for each of so many strangers. */
export const drawnFaults = (from: number, count: number): ReadonlyArray<Chosen> =>
  Array.from({ length: count }, (_, index) => from + index).flatMap((seed) => {
    const { role, version } = kindOf(seed)
    const rows = mutationsOf(version, role)
    const mutation = rows[(seed * 7919) % rows.length]
    return mutation === undefined ? [] : [{ seed, mutation }]
  })

/** One fault in each version and role that can have it. */
export const inEach = (id: string, from: number): ReadonlyArray<Chosen> =>
  Array.from({ length: 8 }, (_, index) => from + index).flatMap((seed) => {
    const { role, version } = kindOf(seed)
    return mutationsOf(version, role)
      .filter((row) => row.id === id && isPossible(row, version, role))
      .map((mutation) => ({ seed, mutation }))
  })

/**
 * Plays them one after another and says what came of each; true when each was caught by its check and nothing else went off. One
 * that does not end is named as such, and the next one is played.
 */
export const playAll = async (
  chosen: ReadonlyArray<Chosen>,
  suite: MeetingOrder["part"],
  say: (text: string) => void,
  withinSeconds?: number
): Promise<boolean> => {
  const totals = { played: 0, noticed: 0, caught: 0, exact: 0, falsely: 0, apart: 0, broken: 0 }
  const reached = new Set<string>()
  for (const { mutation, seed } of chosen) {
    const { broken, caught, consequences, drawn, falsely, noticed, own } = await playMutation(
      seed,
      mutation,
      suite,
      withinSeconds
    )
    const isCaught = caught.length > 0
    totals.played += 1
    totals.broken += broken === undefined ? 0 : 1
    totals.noticed += noticed ? 1 : 0
    totals.caught += isCaught ? 1 : 0
    totals.exact += isCaught && falsely.length === 0 ? 1 : 0
    totals.falsely += falsely.length
    if (isCaught) reached.add(mutation.caughtBy)
    const word = !isCaught ? "NOT CAUGHT" : falsely.length === 0 ? "exact" : "caught"
    say(
      `${totals.played}/${chosen.length} seed ${seed} ${drawn.version} ${drawn.role} ${mutation.id}: ${word} ${mutation.caughtBy} ${broken ?? ""}`.trimEnd()
    )
    if (!isCaught && own !== undefined)
      say(`  ${own.id} ${own.outcome}: ${own.message ?? own.reason ?? ""}`.slice(0, 400))
    const causes = toldApart([...caught, ...consequences])
    if (causes.length > 1) totals.apart += 1
    if (causes.length > 1) say(`  told as ${causes.map((found) => found.join(" ")).join(" / ")}`)
    if (consequences.length > 0)
      say(`  with ${[...new Set(consequences.map(({ id }) => id))].toSorted().join(" ")}`)
    for (const { id, message, outcome, reason } of falsely)
      say(`  also ${id} ${outcome}: ${message ?? reason}`.slice(0, 400))
  }
  const { apart, broken, exact, falsely, noticed, played } = totals
  say(
    `${played} strangers with a fault, ${new Set(chosen.map(({ mutation }) => mutation.id)).size} of ${rowIds().length} rows: ${totals.caught} detected by its check, ${exact} exactly, ${falsely} false attributions, ${apart} told as several causes; ${noticed} noticed, ${broken} without a run`
  )
  const withRows = new Set(mutations.map(({ caughtBy }) => caughtBy))
  const inJourneys = [...checksOfFaults.keys()].filter((id) => !withRows.has(id)).length
  say(
    `${withRows.size + inJourneys + unreached.length} checks: ${withRows.size} have a mutation, ${reached.size} of them caught one here; ${inJourneys} have a fault in journeys alone; ${unreached.length} out of reach: ${kindsOf()}`
  )
  return totals.caught === played && falsely === 0
}

const kindsOf = (): string => {
  const counts = new Map<string, number>()
  for (const { kind } of unreached) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ")
}
