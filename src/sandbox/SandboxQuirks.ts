/** The behaviour of every party: sandbox partners as their faults have it, everybody else honest. */
import { Layer } from "effect"
import { type Behaviour, honest, PartnerQuirks } from "../party/wire/PartnerQuirks.ts"
import type { Party } from "../store/parties/PartyStore.ts"
import { faultsById } from "./faults/faultLibrary.ts"
import { tellsGuests } from "./guests.ts"

/** Each fault works on what the ones before it left; the longest delay counts. */
export const composed = (parts: ReadonlyArray<Partial<Behaviour>>): Behaviour => ({
  reply: (request, reply) =>
    parts.reduce<ReturnType<Behaviour["reply"]>>((left, part) => {
      const next = part.reply?.(request, left) ?? left
      const delayMillis = Math.max(left.delayMillis ?? 0, next.delayMillis ?? 0)
      return delayMillis === 0 ? next : { ...next, delayMillis }
    }, reply),
  push: (push) =>
    parts.reduce((pushes, part) => pushes.flatMap((one) => part.push?.(one) ?? [one]), [
      push
    ] as ReadonlyArray<typeof push>),
  ...callOf(parts),
  ...callBackOf(parts),
  quirks: parts.flatMap(({ quirks }) => quirks ?? [])
})

const callOf = (parts: ReadonlyArray<Partial<Behaviour>>): Pick<Behaviour, "call"> => {
  const edits = parts.flatMap(({ call }) => call ?? [])
  return edits.length === 0 ? {} : { call: (call) => edits.reduce((left, edit) => edit(left), call) }
}

const callBackOf = (parts: ReadonlyArray<Partial<Behaviour>>): Pick<Behaviour, "callBack"> => {
  const callBack = parts.findLast((part) => part.callBack !== undefined)?.callBack
  return callBack === undefined ? {} : { callBack }
}

/** Layer of `party/PartnerQuirks` that knows the fault library; needs nothing. */
export const sandboxQuirks: Layer.Layer<PartnerQuirks> = Layer.succeed(PartnerQuirks, {
  of: behaviourOf
})

/** What a party does: as its faults have it, on top of what an honest partner tells of its past. */
export function behaviourOf(party: Party): Behaviour {
  if (party.kind !== "sandbox") return honest
  const faults = (party.sandbox?.faults ?? []).flatMap((id) => faultsById.get(id) ?? [])
  return composed([tellsGuests(party), ...faults.map(({ behaviour }) => behaviour)])
}
