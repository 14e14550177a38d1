/** Checks that rightly pass at a partner that gives one answer to each request of a module and method, by the reason why. */
import { allChecks } from "../../../../src/conformance/catalogue/suites.ts"

interface Exception {
  readonly why: string
  /** `PATCH tariffs`; absent: whatever the partner refuses. */
  readonly kinds?: RegExp
  readonly checks: ReadonlyArray<string>
}

const elsewhere: Exception = {
  why: "what the partner pushes, or answers to commands, is judged, and not the list",
  kinds: /^GET (locations|sessions|cdrs)$/,
  checks: [
    ...["CMD-011", "CMD-013", "CMD-014", "CMD-015", "CMD-016", "CMD-020", "CMD-021", "CMD-022", "CMD-023"],
    ...["CMD-025", "CMD-026", "CMD-030", "CMD-031", "CMD-033", "CMD-034", "CMD-035", "CMD-038"],
    ...["CDR-036", "LOC-044", "LOC-051"]
  ]
}

const refusals: ReadonlyArray<Exception> = [
  elsewhere,
  {
    why: "the rule is about any answer, a refusal too",
    checks: [
      ...["TRANS-010", "TRANS-011", "TRANS-012", "TRANS-013", "TRANS-014", "TRANS-016", "TRANS-017"],
      ...["TRANS-025", "TRANS-026", "TRANS-027", "TRANS-031", "TRANS-059", "CRED-012", "CRED-050"]
    ]
  },
  {
    why: "the module does not have the method: to refuse it is the rule",
    kinds: /^(PUT|PATCH|DELETE) /,
    checks: ["TRANS-022", "CDR-109"]
  },
  {
    why: "the write was refused, which is the rule: that it cannot be read adds nothing",
    kinds: /^GET (locations|sessions|tariffs|tokens)$/,
    checks: [
      ...["CRED-051", "TRANS-049", "LOC-110", "LOC-111", "LOC-112", "SESS-108", "SESS-109", "TAR-107"],
      ...["TOK-107", "TOK-108"]
    ]
  },
  {
    why: "the check records what came, and is no judgement",
    kinds: /^GET /,
    checks: ["SESS-003", "SESS-111", "PAGE-018", "TRANS-040"]
  },
  {
    why: "PUT and DELETE are judged as well",
    kinds: /^GET chargingprofiles$/,
    checks: ["CP-003", "CP-005", "CP-008"]
  },
  {
    why: "GET, or GET and PUT, are judged as well",
    kinds: /^DELETE chargingprofiles$/,
    checks: ["CP-003", "CP-005"]
  },
  {
    why: "a response of its own form is the rule, whatever its word",
    kinds: /^(POST commands|PUT chargingprofiles)$/,
    checks: ["CMD-001", "CMD-002", "CMD-003", "CMD-028", "CP-001"]
  },
  {
    why: "HTTP 405 is what the rule names for a party that is not registered, or is already",
    kinds: / credentials$/,
    checks: ["CRED-015", "CRED-017", "CRED-018", "CRED-038"]
  },
  {
    why: "the rule is about what follows from a refusal",
    kinds: / (commands|chargingprofiles)$/,
    checks: ["CMD-010", "CP-010"]
  },
  {
    why: "an answer, whatever it says, shows that authorize is there",
    kinds: /^POST tokens$/,
    checks: ["TOK-010"]
  },
  {
    why: "other endpoints are judged as well",
    kinds: /^POST commands$/,
    checks: ["CRED-049", "TRANS-020"]
  }
]

const emptyLists: ReadonlyArray<Exception> = [
  elsewhere,
  {
    why: "an empty array is a list, and its total is 0",
    checks: [
      ...["LOC-001", "SESS-001", "CDR-001", "TAR-001", "TOK-001", "TRANS-015", "SESS-003"],
      ...["PAGE-001", "PAGE-002", "PAGE-005", "PAGE-008", "PAGE-013", "PAGE-015"]
    ]
  },
  {
    why: "the rule is whether such a request is answered at all",
    checks: ["PAGE-018", "TRANS-034", "TRANS-040"]
  }
]

const isAmong = (exceptions: ReadonlyArray<Exception>, id: string, kind: string): boolean =>
  exceptions.some(({ checks, kinds }) => checks.includes(id) && kinds?.test(kind) !== false)

/** Is the check proved by the refusal of each request of the kind? */
export const provedByRefusal = (id: string, kind: string): boolean => isAmong(refusals, id, kind)

/** Is the check proved by a list without objects, or by the objects that the partner pushed in the run? */
export const provedByEmptyList = (id: string, kind: string): boolean =>
  isAmong(emptyLists, id, kind) ||
  (kind !== "GET tokens" && allChecks.some((check) => check.id === id && check.ifGathered !== undefined))
