/** Stages that push an own object to the partner and read back its copy. */

import type { Trace } from "../../../../schema/LedgerEvent.ts"
import type { ModuleId } from "../../../../schema/ocpi/VersionProfile.ts"
import { keyText, objectIn } from "../../../findings/json.ts"
import type { Call, ReadBack, Unmet } from "../../model/Act.ts"
import type { JourneyStage, Rule } from "../../model/JourneyTemplate.ts"
import { dataOf, type RunHistory } from "../../model/RunHistory.ts"
import { kept, ownPath } from "./ourPlace.ts"
import { afterAccepted, type Comparison, isAsSent, type ToldObject, taken } from "./ownObjectRules.ts"

interface About {
  readonly module: ModuleId
  /** `session`, `location`, `evse`, `tariff`. */
  readonly object: string
  /** Segments below country code and party id. */
  readonly at: (history: RunHistory) => ReadonlyArray<string>
}

/** The stage cannot be performed, because no driver is known. */
export const unmet: Unmet = { unmet: "No token of the partner is there to charge with" }

/** A write of an own object. `body`: what is sent; `whole`: the object after it. */
interface Telling extends About {
  readonly method: "PUT" | "PATCH"
  readonly body: ToldObject
  readonly whole: ToldObject
  /** Why the write makes no sense yet, because another one is missing. */
  readonly without?: (history: RunHistory) => string | undefined
}

/** The request, its read-back, and the object in our own lists from then on. */
export const telling = ({ at, body, method, module, object, whole, without }: Telling) => ({
  sends: `${method} ${module}`,
  call: (history: RunHistory): Call | Unmet => {
    const missing = without?.(history)
    if (missing !== undefined) return { unmet: missing, goesOn: true }
    const json = body(history)
    return json === undefined
      ? unmet
      : {
          module,
          interfaceRole: "RECEIVER",
          operation: `${method} ${object}`,
          method,
          path: [...ownPath(history), ...at(history)],
          body: json
        }
  },
  keeps: (history: RunHistory, now: string) => {
    const json = whole(history)
    // Our lists are filtered by the time of a change, which is now, whatever the object's own last_updated says.
    return json === undefined ? [] : [{ ...kept(module, json), lastUpdated: now }]
  },
  readBack: readBackOf({ module, object, at }, body)
})

/** Compares last_updated: a partner with an older state has not received this change. */
const readBackOf = (about: About, body: ToldObject): ReadBack => ({
  reads: `GET ${about.module}`,
  call: (history) => reading(about, history),
  found: (history, _, answer): Trace => {
    const { response } = answer
    if (response?.httpStatus === 404) return "absent"
    const there = objectIn(dataOf(answer))["last_updated"]
    if (typeof there !== "string") return "undecided"
    return Date.parse(there) >= Date.parse(keyText(body(history)?.["last_updated"])) ? "present" : "absent"
  },
  proven: () => false,
  patienceSeconds: 0
})

/** GET of the partner's copy. */
export const reading = ({ at, module, object }: About, history: RunHistory): Call => ({
  module,
  interfaceRole: "RECEIVER",
  operation: `GET ${object}`,
  method: "GET",
  path: [...ownPath(history), ...at(history)]
})

/** A stage with one write. */
export const tell = (
  stage: Pick<JourneyStage, "id" | "name" | "description" | "optionalForLater">,
  what: Telling,
  rule: Pick<Rule, "title" | "reference"> & Partial<Pick<Rule, "checkId" | "strength">>
): JourneyStage => ({
  ...stage,
  actor: "us",
  module: what.module,
  timeoutSeconds: 30,
  act: { act: "exchange", ...telling(what) },
  writes: true,
  // A whole object, or single fields with their last_updated, can be sent twice without harm.
  idempotent: what.module !== "sessions" || what.method === "PUT",
  expect: [taken(stage.id, rule)]
})

/** A stage that reads the object back and compares it with `expected`. `after`: the stages whose writes it shows. */
export const readBack = (
  stage: Pick<JourneyStage, "id" | "name" | "description">,
  about: About,
  expected: ToldObject,
  {
    after = [],
    dropped = [],
    ...rule
  }: Pick<Rule, "title" | "reference"> &
    Partial<Pick<Rule, "checkId" | "strength">> &
    Pick<Comparison, "dropped"> & { readonly after?: ReadonlyArray<string> }
): JourneyStage => ({
  ...stage,
  actor: "us",
  module: about.module,
  timeoutSeconds: 30,
  act: {
    act: "exchange",
    sends: `GET ${about.module}`,
    readsStored: true,
    call: (history) => (expected(history) === undefined ? unmet : reading(about, history))
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: [
    {
      strength: "must",
      ...rule,
      id: `${stage.id}.same`,
      judge: afterAccepted(after, isAsSent(stage.id, expected, { dropped }))
    }
  ]
})
