/** Is an object that is read back the one that was written? Compared as OCPI means it, not letter by letter. */
import type { VersionProfile } from "../../schema/ocpi/VersionProfile.ts"
import { dateTimeMillis } from "../ocpi/dateTime.ts"
import { dataOf, isObject, shown, statusLine } from "./answers.ts"
import { type Finding, type Judgement, noneOf, undecided } from "./Check.ts"
import { at, notSuccess } from "./checks/findings.ts"
import type { Answered, Evidence } from "./Evidence.ts"
import { stepOf } from "./probes/waiting.ts"

export interface Difference {
  /** JSON Pointer below the object. */
  readonly pointer: string
  readonly expected: unknown
  readonly actual: unknown
}

/** Amounts that differ by less are the same. */
const tolerance = 1e-4
/** Fields that hold identifiers, which are compared without regard to case where the version has it so. */
const idField = /(^|_)(id|uid)s?$|^country_code$/

/**
 * Fields of `sent` that `got` has otherwise. Absent, null and [] are the same, instants may be written in any way, parts
 * with ids may stand in any order, and what `got` has beside them does not count.
 */
export const differences = (
  sent: unknown,
  got: unknown,
  profile: Pick<VersionProfile, "endpointRoles">,
  pointer = ""
): ReadonlyArray<Difference> => {
  if (isEmpty(sent) && isEmpty(got)) return []
  if (Array.isArray(sent) && Array.isArray(got) && sent.length === got.length) {
    const partners = paired(sent, got)
    return sent.flatMap((one, index) => differences(one, partners[index], profile, `${pointer}/${index}`))
  }
  if (isObject(sent) && isObject(got))
    return Object.entries(sent).flatMap(([name, value]) =>
      differences(value, got[name], profile, `${pointer}/${name}`)
    )
  return isSame(sent, got, pointer, profile.endpointRoles) ? [] : [{ pointer, expected: sent, actual: got }]
}

/**
 * What stands in `got` for each of `sent`. Parts with ids, and words, may come back in another order: it means nothing.
 * What has no id is told apart by its place.
 */
function paired(sent: ReadonlyArray<unknown>, got: ReadonlyArray<unknown>): ReadonlyArray<unknown> {
  const keys = sent.map(keyOf)
  if (keys.includes(undefined)) return got
  const left = [...got]
  const found = keys.map((key) => {
    const at = left.findIndex((one) => keyOf(one) === key)
    return at < 0 ? undefined : left.splice(at, 1)[0]
  })
  return found.map((one) => one ?? left.shift())
}

function keyOf(value: unknown): string | undefined {
  if (typeof value === "string") return value.toUpperCase()
  const key = isObject(value) ? (value["uid"] ?? value["id"]) : undefined
  return typeof key === "string" ? key.toUpperCase() : undefined
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

function isSame(sent: unknown, got: unknown, pointer: string, idsIgnoreCase: boolean): boolean {
  if (sent === got) return true
  if (typeof sent === "number" && typeof got === "number") return Math.abs(sent - got) < tolerance
  if (typeof sent !== "string" || typeof got !== "string") return false
  const instant = dateTimeMillis(sent)
  if (instant !== undefined) return dateTimeMillis(got) === instant
  const name = pointer.split("/").findLast((part) => !/^\d+$/.test(part)) ?? ""
  return idsIgnoreCase && idField.test(name) && sent.toUpperCase() === got.toUpperCase()
}

/** The receiver does not offer to read back what it was told. */
const offersNone: ReadonlyArray<number> = [404, 405, 501]

/** What a step read back is what was written; `main`: the one check that says when nothing can be read back at all. */
export const judgeReadBack = (
  evidence: Evidence,
  step: string,
  expected: Readonly<Record<string, unknown>>,
  options: { readonly main?: boolean; readonly gone?: ReadonlyArray<string> } = {}
): Judgement => {
  const seen = stepOf(evidence, step)
  if (seen === undefined) return undecided("not_tested", "nothing was read back")
  const refusal = unreadable(seen, options.main === true)
  if (refusal !== undefined) return refusal
  const status = notSuccess(seen)
  if (status.length > 0) return noneOf(status)
  const data = dataOf(seen)
  const changed = differences(expected, data, evidence.profile).map((one) => differs(seen, one))
  const kept = (options.gone ?? []).flatMap((name): ReadonlyArray<Finding> => {
    const value = isObject(data) ? data[name] : undefined
    return isEmpty(value)
      ? []
      : [at(seen, `/data/${name}`, `${name} is still there`, { expected: "absent", actual: value })]
  })
  return noneOf([...changed, ...kept])
}

function differs(seen: Answered, { actual, expected, pointer }: Difference): Finding {
  return at(seen, `/data${pointer}`, "it is not what was sent", { expected: shown(expected), actual })
}

function unreadable(seen: Answered, isMain: boolean): Judgement | undefined {
  if (!offersNone.includes(seen.response.httpStatus)) return undefined
  const reason = `the object that was just stored cannot be read back: ${statusLine(seen)}`
  if (!isMain) return undecided("not_tested", reason)
  return noneOf([
    {
      message: reason,
      expected: "HTTP 200 with the object",
      actual: statusLine(seen),
      strength: "should",
      exchangeId: seen.exchange.id
    }
  ])
}
