/** Our own objects that a partner can act upon while a run listens: ours from before it listens until the run is over. */

import { Effect, Option } from "effect"
import { keyText } from "../../findings/json.ts"
import { nowIso } from "../../party/wire/instants.ts"
import type { PartyStore } from "../../store/parties/PartyStore.ts"
import type { Evidence } from "../model/Evidence.ts"
import { phaseOf } from "../model/stages.ts"
import { closedSite, openSite, type SiteObject } from "../modules/charge/publishedSite.ts"
import type { SuiteRunOptions } from "./SuiteRunOptions.ts"

/** The run, and where our objects are kept. */
interface SiteOptions
  extends Pick<SuiteRunOptions, "checks" | "environment" | "party" | "scope" | "withholding"> {
  readonly evidence: Evidence
  readonly store: PartyStore["Type"]
}

/** The modules whose requests an EMSP can only make about something of ours. */
const about: ReadonlyArray<string> = ["commands", "chargingprofiles"]

/** The site of one run. It is wanted where an EMSP is watched that may send commands or charging profiles; never in production. */
export const makeSite = ({
  checks,
  environment,
  evidence,
  party,
  scope,
  store,
  withholding
}: SiteOptions) => {
  const keep = Effect.fnUntraced(function* (objects: ReadonlyArray<SiteObject>) {
    const lastUpdated = yield* nowIso
    yield* Effect.forEach(
      objects,
      ({ json, module }) =>
        store.putObject(party.id, { module, key: keyText(json["id"]), side: "own", json, lastUpdated }),
      { discard: true }
    )
  })
  const isWanted =
    scope.role === "EMSP" &&
    environment !== "production" &&
    checks.some(
      (check) =>
        about.includes(check.module) && phaseOf(check) === "watch" && withholding(check) === undefined
    )
  /** Closes what is open, also what another process has opened. */
  const close = Effect.gen(function* () {
    if (!isWanted) return
    const open = yield* Effect.filter(closedSite(evidence), ({ json, module }) =>
      Effect.map(store.object(party.id, module, "own", keyText(json["id"])), Option.isSome)
    )
    yield* keep(open)
  })
  return { isWanted, open: Effect.suspend(() => keep(openSite(evidence))), close }
}
