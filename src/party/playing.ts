/**
 * Faults that we play at a partner because a run's scenario says so: they bend our answers, and nothing else. They are
 * kept with our side of the connection, so that whichever process is called plays them, and they wear off by themselves.
 */
import { Clock, Effect } from "effect"
import type { PartyId, RunId } from "../../schema/Ids.ts"
import { ocpiStatus } from "../../schema/ocpi/envelope.ts"
import type { ScenarioFault, ScenarioFaultId } from "../../schema/Scenario.ts"
import { parseJson } from "../ocpi/envelope.ts"
import { type Party, PartyStore, type Playing } from "../store/PartyStore.ts"
import type { Behaviour } from "./Behaviours.ts"
import { objectIn } from "./json.ts"
import type { OcpiReply } from "./Parties.ts"

const answerFaults: ReadonlyArray<ScenarioFaultId> = ["late-answer", "server-error", "wrong-status"]
const defaultSeconds = 10

/** Is it in how we answer? The others are in what we send. */
export const isAnswerFault = (fault: ScenarioFaultId): boolean => answerFaults.includes(fault)

/** From now on, for this run; at the longest until `until` (ISO 8601 UTC). */
export const beginPlaying = Effect.fn("party.beginPlaying")(function* (
  id: PartyId,
  runId: RunId,
  faults: ReadonlyArray<ScenarioFault>,
  until: string
) {
  const added = faults
    .filter(({ fault }) => isAnswerFault(fault))
    .map((fault): Playing => ({ ...fault, runId, left: fault.times ?? 1, until }))
  if (added.length === 0) return
  const store = yield* PartyStore
  yield* store.update(id, (party) => ({ ...party, playing: [...others(party, runId), ...added] }))
})

/** Nothing of this run is played any more. */
export const endPlaying = Effect.fn("party.endPlaying")(function* (id: PartyId, runId: RunId) {
  const store = yield* PartyStore
  yield* store.update(id, (party) => ({ ...party, playing: others(party, runId) }))
})

const others = ({ playing = [] }: Party, runId: RunId) => playing.filter((one) => one.runId !== runId)

/** The fault to play in the answer to a call on this module, taken off what is left to play. */
export const takeFault = Effect.fn("party.takeFault")(function* (
  { id, playing = [] }: Party,
  module: string
) {
  const now = new Date(yield* Clock.currentTimeMillis).toISOString()
  const fits = (one: Playing) =>
    one.left > 0 && one.until > now && (one.module === undefined || one.module === module)
  if (!playing.some(fits)) return undefined
  const store = yield* PartyStore
  let taken: Playing | undefined
  yield* store.update(id, (party) => {
    const index = (party.playing ?? []).findIndex(fits)
    taken = party.playing?.[index]
    return {
      ...party,
      playing: (party.playing ?? []).map((one, at) => (at === index ? { ...one, left: one.left - 1 } : one))
    }
  })
  return taken
})

/** Our answer as the fault has it. What came was taken all the same. */
export function bent(
  { fault, seconds = defaultSeconds, statusCode = ocpiStatus.serverError }: Playing,
  honest: OcpiReply
): ReturnType<Behaviour["reply"]> {
  switch (fault) {
    case "late-answer":
      return { ...honest, delayMillis: seconds * 1000 }
    case "server-error":
      return {
        ...honest,
        httpStatus: 500,
        body: withStatus(honest, ocpiStatus.serverError)
      }
    case "wrong-status":
      return { ...honest, body: withStatus(honest, statusCode) }
    case "duplicate-push":
      return honest
  }
}

function withStatus({ body }: OcpiReply, statusCode: number): string {
  const { data: _, ...envelope } = objectIn(body === null ? undefined : parseJson(body))
  return JSON.stringify({
    ...envelope,
    status_code: statusCode,
    status_message: "A fault that a scenario plays"
  })
}
