/** A flaw that both the listed and the pushed objects have is reported once: by the checks of the list. */
import type { Finding } from "../../../../findings/Flaw.ts"
import type { Precondition } from "../../../model/Check.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import type { ListedKind } from "./ListedKind.ts"
import { flawsOf } from "./objectFlaws.ts"

/** The checks that report the flaws of a list's objects: that of their form, and those of single fields. */
const formChecks = {
  sessions: ["SESS-002", "SESS-004", "SESS-009", "SESS-014"],
  cdrs: [
    ...["CDR-002", "CDR-006", "CDR-015", "CDR-016", "CDR-017"],
    ...["CDR-018", "CDR-023", "CDR-026", "CDR-031", "CDR-032"]
  ]
} as const

/** Where in an object something is wrong, and what is due there; `inside`: the pointer begins in the object. */
const placeOf = ({ expected = "", pointer = "" }: Finding, inside: string = pointer): string =>
  `${inside.replaceAll(/\/\d+(?=\/|$)/g, "")} ${expected}`

/** Blocks a check of pushes whose findings are `own` when the checks of the list report each of these flaws as well. */
export const toldOfList = (
  kind: ListedKind & { readonly module: keyof typeof formChecks },
  own: (evidence: Evidence) => ReadonlyArray<Finding>
): ReadonlyArray<Precondition> => {
  const same = (evidence: Evidence) =>
    evidence.once(`${kind.module}: flaws of pushes that the list has`, () => {
      const pushed = new Set(own(evidence).map((one) => placeOf(one)))
      if (pushed.size === 0) return undefined
      const listed = flawsOf(evidence, kind).filter(({ finding, pointer }) =>
        pushed.has(placeOf(finding, pointer))
      )
      const places = new Set(listed.map(({ finding, pointer }) => placeOf(finding, pointer)))
      if ([...pushed].some((place) => !places.has(place))) return undefined
      const reported = new Set(
        listed.map(({ finding: { exchangeId, pointer } }) => `${exchangeId} ${pointer}`)
      )
      return ({ exchangeId, pointer }: Finding) => reported.has(`${exchangeId} ${pointer}`)
    })
  return formChecks[kind.module].map((check) => ({ check, same }))
}
