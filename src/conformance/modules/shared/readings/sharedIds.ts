/** Objects of a list that share an id: what is known of one by its id may be said of another. */
import { repeated } from "../../../../findings/finding.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import { withoutRepeats } from "../objects/listedObjects.ts"
import { keyIn, type Placed } from "../objects/Placed.ts"

/**
 * The objects, by `keyIn`, without those that share an id in this reading: nobody can tell which of them another reading has. That
 * an id is used twice is the finding of other checks.
 */
export const byOwnKey = (items: ReadonlyArray<Placed>, evidence: Evidence): ReadonlyMap<string, Placed> => {
  const keyOf = ({ json }: Placed) => keyIn(json, evidence)
  const own = withoutRepeats(items, evidence)
  const shared = new Set(repeated(own, keyOf).map(keyOf))
  return new Map(own.map((item) => [keyOf(item), item] as const).filter(([key]) => !shared.has(key)))
}
