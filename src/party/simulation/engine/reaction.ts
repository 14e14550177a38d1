import { Effect } from "effect"
import type { Party } from "../../../store/parties/Party.ts"
import { speedOf } from "./Engine.ts"

/** Simulated time that a charge point takes to answer, and the least real time: the CPO's own answer goes first. */
const reactionSeconds = 2
const leastReactionMillis = 50

/** Waits for the reaction time of a charge point of the party. */
export const reaction = (party: Party): Effect.Effect<void> =>
  Effect.sleep(Math.max(leastReactionMillis, (reactionSeconds * 1000) / speedOf(party)))
