/** Objects that are final: read twice in a run, they must be the same. */

import { isDeepStrictEqual } from "node:util"
import { itemsOf } from "../../../findings/answers.ts"
import { at, given } from "../../../findings/finding.ts"
import { isObject, type JsonObject } from "../../../findings/json.ts"
import { dateTimeMillis } from "../../../ocpi/dateTime.ts"
import { inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { idKey, type ListedKind, objectsOf } from "./readObjects.ts"

/** What was changed this recently may still be on its way to its final state. */
export const quietMinutes = 10

const keyOf = (json: JsonObject, { profile }: Evidence) =>
  idKey([json["country_code"], json["party_id"], json["id"]], profile)

/** Judges `<module>.again` beside the list that was read before. `what` names one such object. */
export const changedSince = (
  evidence: Evidence,
  { module, plural }: ListedKind,
  isFinal: (json: JsonObject) => boolean,
  what: string
): Judgement => {
  const quietBefore = Date.parse(evidence.startedAt) - quietMinutes * 60_000
  const final = objectsOf(evidence, module).filter(
    ({ json }) =>
      isFinal(json) && (dateTimeMillis(json["last_updated"]) ?? Number.POSITIVE_INFINITY) < quietBefore
  )
  const before = new Map(final.map((item) => [keyOf(item.json, evidence), item.json]))
  const pairs = evidence.answered(`${module}.again`).flatMap((seen) =>
    (itemsOf(seen) ?? []).flatMap((json, index) => {
      const earlier = isObject(json) ? before.get(keyOf(json, evidence)) : undefined
      return isObject(json) && earlier !== undefined ? [{ seen, index, json, earlier }] : []
    })
  )
  if (pairs.length === 0)
    return inconclusive("unobservable", `no ${what} of at least ${quietMinutes} minutes ago was listed twice`)
  return noneOf(
    pairs.flatMap(({ earlier, index, json, seen }) => {
      const field = [...new Set([...Object.keys(earlier), ...Object.keys(json)])].find(
        (name) => !isDeepStrictEqual(earlier[name], json[name])
      )
      return given(field, (field) =>
        at(seen, `/data/${index}/${field}`, `a ${what} changed between two reads`, {
          expected: JSON.stringify(earlier[field]) ?? "absent",
          actual: json[field]
        })
      )
    }),
    `${pairs.length} ${plural} read twice`
  )
}
