/** Faults of a partner whose counterpart fails, is unreachable, or serves invalid objects. */
import { allVersions, bothRoles, type Fault } from "../Fault.ts"

const base = { module: "transport", versions: allVersions, roles: bothRoles, strength: "should" } as const

/**
 * Faults in how a partner recovers: repeated pushes, lists that it does not read again, and lists that it stops reading.
 */
export const cutOffFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "transport.repeats-refused-pushes",
    description: "Sends a push again that was answered HTTP 500",
    caughtBy: ["TRANS-056"],
    behaviour: { quirks: ["repeats refused pushes"] }
  },
  {
    ...base,
    id: "transport.never-catches-up",
    description: "Reads no list again after its counterpart was unreachable",
    caughtBy: ["TRANS-057"],
    behaviour: { quirks: ["never catches up"] }
  },
  {
    ...base,
    id: "transport.stops-at-what-is-invalid",
    description: "Stops reading a list at a page with an invalid object",
    caughtBy: ["TRANS-058"],
    behaviour: { quirks: ["stops at what is invalid"] }
  }
]
