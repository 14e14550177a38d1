import type { Data } from "../../client/plugfest.ts"
import { count } from "./words.ts"

/** `2 deviations, dialect overridden`: what is odd in how a connection speaks; undefined: nothing is. */
export function dialectInWords({
  deviations,
  overridden = []
}: Pick<Data<"connections.read">["dialect"], "deviations" | "overridden">): string | undefined {
  const words = [
    ...(deviations.length === 0 ? [] : [count(deviations.length, "deviation")]),
    ...(overridden.length === 0 ? [] : ["dialect overridden"])
  ]
  return words.length === 0 ? undefined : words.join(", ")
}
