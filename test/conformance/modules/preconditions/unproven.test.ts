/** What a partner that refuses each request of a module and method, or lists nothing, does with a special one proves nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Role } from "../../../../schema/ocpi/Role.ts"
import { type FixedAnswer, gradedQuickly } from "../../../support/parties/quickWorld.ts"
import { emptyList, gets, response } from "../../support/fixedAnswers.ts"

const [notFound, notAllowed, invalid] = ([404, 405, 400] as const).map((httpStatus) => ({
  httpStatus,
  statusCode: httpStatus === 400 ? 2001 : 2000
}))

/** To whom what is answered; the checks that are not judged by that, and the check that blocks them, if one reports it. */
const cases: ReadonlyArray<readonly [Role, string, FixedAnswer, ReadonlyArray<string>, string]> = [
  ["EMSP", "PATCH sessions", notAllowed!, ["SESS-107", "SESS-108", "SESS-111"], "SESS-103"],
  ["EMSP", "PATCH locations", notFound!, ["LOC-110", "LOC-115"], "LOC-105"],
  ["EMSP", "DELETE tariffs", notFound!, ["TAR-105"], "TAR-104"],
  ["EMSP", "GET tariffs", notAllowed!, ["TAR-104"], "TAR-102"],
  ["CPO", "PATCH tokens", notFound!, ["TOK-107", "TRANS-052"], "TOK-103"],
  // commands
  ["CPO", "POST commands", invalid!, ["CMD-003", "CMD-014"], "CMD-001"],
  ["CPO", "POST commands", notFound!, ["CMD-003", "CMD-012", "CMD-014"], "CMD-001"],
  ["CPO", "POST commands", notFound!, ["CMD-019"], "CMD-038"],
  [
    "CPO",
    "POST commands",
    response("REJECTED"),
    ["CMD-012", "CMD-014", "CMD-016", "CMD-019", "CMD-032", "CMD-038"],
    ""
  ],
  ["CPO", "POST commands", response("UNKNOWN_SESSION"), ["CMD-013"], ""],
  // chargingprofiles
  ["CPO", "PUT chargingprofiles", invalid!, ["CP-008"], "CP-001"],
  ["CPO", "PUT chargingprofiles", response("REJECTED"), ["CP-009"], ""],
  ["CPO", "GET chargingprofiles", response("REJECTED"), ["CP-004"], ""],
  // preferences
  ["CPO", "PUT sessions", notFound!, ["SESS-020", "SESS-021", "SESS-022"], "SESS-019"],
  // authorize
  [
    "EMSP",
    "POST tokens",
    notFound!,
    ["TOK-014", "TOK-015", "TOK-020", "TOK-021", "TOK-024", "TOK-026"],
    "TOK-012"
  ],
  // lists
  [
    "EMSP",
    "GET tokens",
    emptyList,
    ["PAGE-003", "PAGE-014", "PAGE-016", "PAGE-017", "PAGE-023", "PAGE-025", "TRANS-033"],
    ""
  ]
]

/** So that a valid command, profile or list is asked for in the run. */
const besides: Readonly<Record<Role, ReadonlyArray<string>>> = {
  CPO: ["TOK-103", "CMD-001", "CMD-028", "CMD-038", "CP-001", "CP-004", "SESS-019"],
  EMSP: ["LOC-104", "LOC-105", "SESS-103", "TAR-102", "TAR-104", "TOK-001", "TOK-010", "TOK-012"]
}

describe("a partner with one answer to each request of a module and method", () => {
  it.live.each(cases)("as %s to %s: %o", ([role, kind, answer, checks, cause]) =>
    Effect.map(
      gradedQuickly({
        version: "2.2.1",
        role,
        checks: [...checks, ...besides[role]],
        trouble: () => (call) => (gets(answer, kind, call) ? answer : undefined)
      }),
      ({ assertions }) => {
        const told = assertions
          .filter(({ id }) => checks.includes(id))
          .map(({ blockedBy, id, outcome }) => `${id} ${outcome} ${blockedBy?.check ?? ""}`)
        assert.sameMembers(
          told,
          checks.map((id) => `${id} ${answer === emptyList ? "unobservable" : "not_tested"} ${cause}`)
        )
      }
    )
  )
})
