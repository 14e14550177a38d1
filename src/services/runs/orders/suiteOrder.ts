/** Checks the order of a conformance run against its connection and suite. */

import { Effect, Struct } from "effect"
import { Unsupported } from "../../../../schema/Errors.ts"
import type { SelectionOrder, StartConformanceRun, SuiteDetail } from "../../../../schema/Suite.ts"
import { type Selection, selected } from "../../../conformance/catalogue/selection.ts"
import { isBehindHub, isFirstRegistration } from "../../../conformance/catalogue/suites.ts"
import { withArticle } from "../../../findings/words.ts"
import type { PartyToken } from "../../../store/parties/TokenSlot.ts"
import type { Owned } from "../../connections/Connections.ts"
import { notRegistered } from "../../connections/notRegistered.ts"

/** Unsupported when the order selects no check, or accepts a deviation of a check that the suite does not have. */
export function checkOrder(
  suite: SuiteDetail,
  { accept = [], only }: StartConformanceRun,
  selection: Selection
): Effect.Effect<void, Unsupported> {
  const unlisted = accept.find(({ checkId }) => !suite.checks.some(({ id }) => id === checkId))
  if (unlisted !== undefined)
    return new Unsupported({ message: `The suite ${suite.id} has no check ${unlisted.checkId} to accept` })
  if (selected(suite.checks, selection).length > 0) return Effect.void
  return new Unsupported({
    message:
      only === undefined
        ? `checks, modules and clauses select nothing of the suite ${suite.id}; GET /testing/suites/${suite.id} lists its checks`
        : `Nothing to run: no selected check of the suite ${suite.id} failed in ${only.slice(failedOf.length)}`
  })
}

/** By what the order selects checks. */
export const pickSelection = (order: StartConformanceRun): typeof SelectionOrder.Type =>
  Struct.pick(order, "checks", "modules", "clauses", "only")

/** Prefix of `only`; an id of a report or a run follows. */
export const failedOf = "failed-of:"

/** Unsupported when the suite does not fit the connection's version, role or state. */
export function checkTarget(
  { row, view }: Owned,
  suite: SuiteDetail,
  tokens: ReadonlyArray<PartyToken>
): Effect.Effect<void, Unsupported> {
  const no = (message: string) => new Unsupported({ message })
  if (suite.ocpiVersion !== row.ocpiVersion || suite.theirRole !== row.theirRole) {
    return no(
      `The suite ${suite.id} is for ${withArticle(suite.theirRole)} with OCPI ${suite.ocpiVersion}; ` +
        `this connection's partner is ${withArticle(row.theirRole)} with OCPI ${row.ocpiVersion}`
    )
  }
  if (isBehindHub(suite.id) !== (view.hubClients !== undefined)) {
    return no(
      isBehindHub(suite.id)
        ? `The suite ${suite.id} needs a connection in which we are a hub: make one with hub: true`
        : `We are a hub in this connection, and the suite ${suite.id} is about one party to another; order the suite hub, or make a connection without hub`
    )
  }
  if (isFirstRegistration(suite.id)) {
    if (view.status === "registered")
      return no(
        `The suite ${suite.id} is about a first registration, and the connection is registered; make another one with a new Token A of the partner`
      )
    return tokens.some(({ name, slot }) => name === "tokenA" && (slot === "outbound" || slot === "issued"))
      ? Effect.void
      : no(
          `The suite ${suite.id} needs the partner's Token A, or an invitation that is out (POST /connections/${row.id}/invitation), and the connection has neither`
        )
  }
  return view.status === "registered" ? Effect.void : no(notRegistered(view, tokens))
}
