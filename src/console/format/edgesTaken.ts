/** Which edges of a drawn machine a run has taken. */
import type { Data } from "../../client/plugfest.ts"

const isWithin = (state: string, ancestor: string) => state === ancestor || state.startsWith(`${ancestor}.`)

/**
 * How often each edge of the drawing was taken, by its `from>to`. `moves`: by `from>to event` between innermost states, as the
 * ledger has them. An event that the innermost state does not take leaves its parent, and then the parent's edge is the one
 * that was taken. A move that this machine does not know keeps its own states: the run is of another release.
 */
export function edgesTaken(
  { transitions }: Pick<Data<"machines.read">, "transitions">,
  moves: Readonly<Record<string, number>>
): Readonly<Record<string, number>> {
  const taken: Record<string, number> = {}
  for (const [move, times] of Object.entries(moves)) {
    const key = edgeOfMove({ transitions }, move)
    taken[key] = (taken[key] ?? 0) + times
  }
  return taken
}

/** The edge of the drawing, as `from>to`, that the move `from>to event` takes. */
export function edgeOfMove(
  { transitions }: Pick<Data<"machines.read">, "transitions">,
  move: string
): string {
  const [states = "", type] = move.split(" ")
  const [before = "", after = ""] = states.split(">")
  const [edge] = transitions
    .filter(({ event, from, to }) => event === type && isWithin(before, from) && isWithin(after, to))
    .toSorted((a, b) => b.from.length - a.from.length)
  return edge === undefined ? states : `${edge.from}>${edge.to}`
}
