/** Faults of a partner whose counterpart fails, is away, or serves something broken. */
import { allVersions, bothRoles, type Fault } from "../Fault.ts"

const base = { module: "transport", versions: allVersions, roles: bothRoles, strength: "should" } as const

export const cutOffFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "transport.repeats-refused-pushes",
    description: "Pushes the same message again when it was answered HTTP 500",
    caughtBy: ["TRANS-056"],
    behaviour: { quirks: ["repeats refused pushes"] }
  },
  {
    ...base,
    id: "transport.never-catches-up",
    description: "Asks for nothing after its counterpart was away",
    caughtBy: ["TRANS-057"],
    behaviour: { quirks: ["never catches up"] }
  },
  {
    ...base,
    id: "transport.stops-at-what-is-invalid",
    description: "Reads no further in a list when an object of it is not valid",
    caughtBy: ["TRANS-058"],
    behaviour: { quirks: ["stops at what is invalid"] }
  }
]
