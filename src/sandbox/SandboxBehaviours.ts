/** The behaviour of every party: sandbox partners as their faults have it, everybody else honest. */
import { Layer } from "effect"
import { type Behaviour, Behaviours, honest } from "../party/Behaviours.ts"
import { faultsById } from "./faults/faultLibrary.ts"

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
    ] as ReadonlyArray<typeof push>)
})

/** Layer of `party/Behaviours` that knows the fault library; needs nothing. */
export const sandboxBehaviours: Layer.Layer<Behaviours> = Layer.succeed(Behaviours, {
  of: ({ sandbox }) => {
    const faults = (sandbox?.faults ?? []).flatMap((id) => faultsById.get(id) ?? [])
    return faults.length === 0 ? honest : composed(faults.map(({ behaviour }) => behaviour))
  }
})
