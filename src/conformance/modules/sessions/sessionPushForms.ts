/** The form of what a CPO pushes of a session: whole at first, then parts that are of the version's form. */

import { mismatches } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { given, when } from "../../../findings/finding.ts"
import { keyText, objectsIn, sameId } from "../../../findings/json.ts"
import { beginningOf } from "../../../findings/money/periods.ts"
import { violations } from "../../../findings/violations/violations.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { inPush, type PushedSession, type SessionPush } from "../charge/chargingPushes.ts"
import { noObject } from "../shared/pushedObjects.ts"

/** Later states have higher ranks; undefined for a value that is no status. */
export function rankOf(status: unknown): number | undefined {
  const ranks: Readonly<Record<string, number>> = {
    PENDING: 0,
    RESERVATION: 0,
    ACTIVE: 1,
    COMPLETED: 2,
    INVALID: 2
  }
  return ranks[keyText(status).toUpperCase()]
}

/** What is wrong with the push that a session begins with; undefined when it began before the run. */
export function firstPush(session: PushedSession, { profile }: Evidence): ReadonlyArray<Finding> | undefined {
  const [first] = session.pushes
  if (first === undefined) return undefined
  const { body, method, path, seen } = first
  // A PATCH of what we had before the run is no first push; one that we knew nothing of is.
  if (method !== "PUT")
    return seen.exchange.response?.httpStatus === 404
      ? [
          inPush(seen, "", "the first push of a session is no PUT", {
            expected: "PUT of the whole Session",
            actual: method
          })
        ]
      : undefined
  const unreadable = noObject(seen)
  if (unreadable.length > 0) return unreadable
  const schema = profile.objects.Session
  const ids = profile.ownerFields ? ["country_code", "party_id", "id"] : [undefined, undefined, "id"]
  return [
    ...mismatches(seen, schema, body),
    ...ids.flatMap((name, index) =>
      given(sameId(body[name ?? ""], path[index]) ? undefined : name, (name) =>
        inPush(seen, `/${name}`, `${name} is not the one of the path`, {
          expected: path[index] ?? "absent",
          actual: body[name],
          hint: "Push an object to the URL that is built of its own ids."
        })
      )
    )
  ]
}

/** What is wrong with the form of a later push. */
export function invalid(
  { body, method, path, seen }: SessionPush,
  { profile }: Evidence
): ReadonlyArray<Finding> {
  if (method !== "PUT" && method !== "PATCH")
    return [
      inPush(seen, "", "sessions are pushed by PUT or PATCH only", {
        expected: "PUT or PATCH",
        actual: method
      })
    ]
  if (path.length > 3)
    return [
      inPush(seen, "", "the path is longer than that of a session", {
        expected: path.slice(0, 3).join("/"),
        actual: path.join("/")
      })
    ]
  const unreadable = noObject(seen)
  if (unreadable.length > 0) return unreadable
  const schema = profile.objects.Session
  const flaws = schema === undefined ? [] : violations(schema, body)
  // That a PATCH has no last_updated is a finding of TRANS-053.
  return flaws
    .filter(({ pointer }) => method === "PUT" || (pointer ?? "").split("/")[1]! in body)
    .map((flaw) => ({ ...flaw, exchangeId: seen.exchange.id }))
}

/** Charging periods of a push that were sent before. */
export function periodsAgain({ before, body, seen }: SessionPush): ReadonlyArray<Finding> {
  const sent = new Set(objectsIn(before?.["charging_periods"]).map(beginningOf))
  return objectsIn(body["charging_periods"]).flatMap((one, index) => {
    const beginning = beginningOf(one)
    const again = beginning !== undefined && sent.has(beginning)
    sent.add(beginning)
    return when(again, () =>
      inPush(seen, `/charging_periods/${index}/start_date_time`, "the charging period was sent before", {
        expected: "a period that is new",
        actual: one["start_date_time"]
      })
    )
  })
}
