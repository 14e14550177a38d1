/**
 * The sessions and CDRs of the charges that went on during the run, as the partner pushed them and as it lists them
 * afterwards: they are judged by the rules of those that were listed before.
 */
import { type JsonObject, objectIn, textIn } from "../../../findings/json.ts"
import { violations } from "../../../findings/violations/violations.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import { asAnswered, type Evidence, type Observation } from "../../model/Evidence.ts"
import { madeAt, pagesOf } from "../shared/lists.ts"
import { cdrs, type ListedKind, sessions } from "../shared/objects/ListedKind.ts"
import { objectsOf, withoutRepeats } from "../shared/objects/listedObjects.ts"
import { flawKey } from "../shared/objects/objectFlaws.ts"
import { keyIn, type Placed, placedIn, stampOf } from "../shared/objects/Placed.ts"
import { chargingCalls } from "./chargingCalls.ts"
import { completion, type PushedSession, pushedCdrs, pushedSessions } from "./chargingPushes.ts"

/** An object as it was pushed, or as several pushes have made it; nothing when it has no id. */
const placed = (seen: Observation, json: JsonObject): ReadonlyArray<Placed> =>
  textIn(json["id"]) === undefined
    ? []
    : asAnswered(seen).map((answered) => ({ seen: answered, pointer: "", json, pushed: true }))

/** A session as each PUT has it, until it is COMPLETED; what is pushed after that, other checks judge. */
const statesOf = (session: PushedSession): ReadonlyArray<Placed> => {
  const end = completion(session)
  const before = end === undefined ? session.pushes : session.pushes.slice(0, session.pushes.indexOf(end))
  return [
    ...before.flatMap(({ body, method, seen }) => (method === "PUT" ? placed(seen, body) : [])),
    ...(end?.state === undefined ? [] : placed(end.seen, end.state))
  ]
}

interface Told<M extends ListedKind["module"]> {
  readonly kind: ListedKind & { readonly module: M }
  readonly pushed: (evidence: Evidence) => ReadonlyArray<Placed>
  /** The check of what is pushed that reports what breaks the schema of the object. */
  readonly pushedForm: string
  /** Is it the last state of the object? Then its list has the same. */
  readonly isLast: (json: JsonObject) => boolean
}

/**
 * What the list has since the run began and did not have before; and what was pushed, where the checks of pushes find nothing
 * wrong with its schema, and where it is not listed as well: that it is listed otherwise is a finding of its own.
 */
const told = <M extends ListedKind["module"]>({
  isLast,
  kind,
  pushed,
  pushedForm
}: Told<M>): ListedKind & { readonly module: M } => {
  const again = `${kind.module}.told`
  return {
    ...kind,
    toldBy: [chargingCalls, again],
    told: (evidence) => {
      const schema = evidence.profile.objects[kind.object]
      const keyOf = ({ json }: Placed) => keyIn(json, evidence)
      const before = new Set(objectsOf(evidence, kind.module).map(keyOf))
      const pushes = pushed(evidence).map((item) => ({
        item,
        flaws: schema === undefined ? [] : violations(schema, item.json).map(flawKey)
      }))
      const reported = (key: string) =>
        new Map(
          pushes
            .filter(({ item }) => keyOf(item) === key)
            .flatMap(({ flaws, item: { seen } }) =>
              flaws.map((flaw) => [flaw, { check: pushedForm, exchangeId: seen.exchange.id }] as const)
            )
        )
      const [page] = pagesOf(evidence, kind.module)
      const since = page === undefined ? Number.NEGATIVE_INFINITY : madeAt(page) - 1000
      const isNew = (item: Placed) =>
        textIn(item.json["id"]) !== undefined &&
        !before.has(keyOf(item)) &&
        (stampOf(item.json) ?? Number.POSITIVE_INFINITY) >= since
      const listed = withoutRepeats(placedIn(evidence.answered(again)), evidence)
        .filter(isNew)
        .map((item) => ({ ...item, reported: reported(keyOf(item)) }))
      const after = new Set([...before, ...listed.map(keyOf)])
      return [
        ...listed,
        ...pushes.flatMap(({ flaws, item }) =>
          flaws.length > 0 || (isLast(item.json) && after.has(keyOf(item))) ? [] : [item]
        )
      ]
    }
  }
}

/** Sessions that were listed, and those of the charges of the run. */
export const allSessions = told({
  kind: sessions,
  pushed: (evidence) => pushedSessions(evidence).flatMap(statesOf),
  pushedForm: "SESS-024",
  isLast: (json) => sessionStatus(json) === "COMPLETED"
})

/** CDRs that were listed, and those of the charges of the run. */
export const allCdrs = told({
  kind: cdrs,
  pushed: (evidence) => pushedCdrs(evidence).flatMap((seen) => placed(seen, objectIn(seen.json))),
  pushedForm: "CDR-034",
  isLast: () => true
})
