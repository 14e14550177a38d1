/**
 * Rows about single requests that block the event loop: by callers of the API, by partners that call us, and by partners
 * that answer us.
 */

import type { Ground, Row } from "../world/Row.ts"
import { type Arena, openArena } from "./Arena.ts"
import { type Attack, attackAll, type Course, courseOf } from "./attacking.ts"
import { endpointAttacks } from "./endpointAttacks.ts"
import { partnerAnswers } from "./hostilePartner.ts"
import { partnerPathAttacks } from "./partnerPathAttacks.ts"
import { longPause } from "./pauses.ts"

type Attacks = (arena: Arena) => Promise<ReadonlyArray<Attack>>

const lagRow = (
  id: string,
  fault: string,
  what: string,
  attacks: Attacks,
  course: (ground: Ground) => Course = courseOf
): Row => ({
  id,
  fault,
  alone: true,
  run: async (ground) => {
    const arena = await openArena(ground)
    try {
      return await attackAll(ground, arena, what, await attacks(arena), course(ground))
    } finally {
      await arena.close()
    }
  }
})

/** Rows about expensive requests, in order. */
export const lagRows: ReadonlyArray<Row> = [
  lagRow("L1", "every endpoint is sent what is dear to read", "requests to every endpoint", endpointAttacks),
  lagRow(
    "L2",
    "a registered partner sends every path, in every version and role, what is dear to read",
    "calls to every path",
    partnerPathAttacks
  ),
  lagRow(
    "L3",
    "a partner answers registrations, suites, journeys and commands with what is dear to read",
    "answers in every place",
    partnerAnswers
  ),
  longPause
]

/**
 * A few attacks of each of the first three rows, for `npm test`: those that succeeded in the past, and some others with
 * the same seed.
 */
export const lagSample: Row = lagRow(
  "L",
  "endpoints, a partner's paths and a partner's answers: what is dear to read",
  "of the rows L1, L2 and L3",
  async (arena) => [
    ...(await endpointAttacks(arena)),
    ...(await partnerPathAttacks(arena, "2.2.1")),
    ...(await partnerAnswers(arena))
  ],
  () => ({ seconds: 10, limitMillis: 10_000, most: 40 })
)
