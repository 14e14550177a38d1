/** The behaviour of each party: a sandbox partner behaves as its faults say, every other party honestly. */
import { Layer } from "effect"
import { type Behaviour, honest, PartnerQuirks } from "../party/wire/PartnerQuirks.ts"
import type { Party } from "../store/parties/Party.ts"
import { faultsById } from "./faults/faultLibrary.ts"
import { tellsGuests } from "./guests.ts"

/** One behaviour of several: each part edits the result of the part before it, and the longest delay wins. */
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

/** The party's faults, applied to an honest party whose past charges name the counterpart's drivers. */
export function behaviourOf(party: Party): Behaviour {
  if (party.kind !== "sandbox") return honest
  const faults = (party.sandbox?.faults ?? []).flatMap((id) => faultsById.get(id) ?? [])
  return composed([tellsGuests(party), ...faults.map(({ behaviour }) => behaviour)])
}
