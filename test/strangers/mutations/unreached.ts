/** Checks that no fault of a stranger reaches, in suites or in journeys, and why. */

/** Why, in words that follow "no stranger:". */
export const whyUnreached = {
  "second connection": "strangers keep one book of charges, which all connections share",
  recorded: "it records what the partner does, whatever that is",
  network: "strangers are on a private address, where plain HTTP is allowed",
  "one page": "no list of ours has a second page where strangers read it"
} as const
export type Unreached = keyof typeof whyUnreached

const by = (kind: Unreached, ids: string) => ids.split(" ").map((check) => ({ check, kind }))

/** One line for each check. */
export const unreached: ReadonlyArray<{ readonly check: string; readonly kind: Unreached }> = [
  ...by("recorded", "TRANS-006 LOC-115 SESS-003 SESS-111"),
  ...by("network", "TRANS-010"),
  ...by("one page", "TRANS-058 PAGE-029"),
  ...by("second connection", "CMD-027 CMD-036")
]
