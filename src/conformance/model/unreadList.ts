/** A list that the partner did not give: what came instead, and which check reports it. */
import type { BlockedBy } from "../../../schema/Assertion.ts"
import { dataOf, itemsOf, named, statusLine, succeeded } from "../../findings/answers.ts"
import type { Answered, Evidence } from "./Evidence.ts"

/** By list, the check that its first page is one. */
const listChecks: Readonly<Record<string, string>> = {
  locations: "LOC-001",
  sessions: "SESS-001",
  cdrs: "CDR-001",
  tariffs: "TAR-001",
  tokens: "TOK-001"
}

/** Is it the check of the first page of a list? */
export const reportsList = (check: string | undefined): boolean =>
  check !== undefined && Object.values(listChecks).includes(check)

/**
 * What came instead of a list; undefined while it was not answered, or when it is one. A refusal is no list, though some
 * servers fill its `data` with an empty one.
 */
export const noList = (list: string, first: Answered | undefined): BlockedBy | undefined => {
  if (first === undefined || (itemsOf(first) !== undefined && succeeded(first))) return undefined
  const check = listChecks[list]
  const isWithout = succeeded(first) && first.unread === undefined
  return {
    ...(check === undefined ? {} : { check }),
    exchangeId: first.exchange.id,
    what: `${named(first)} was answered ${statusLine(first)}${isWithout ? ", without a list" : ""}${tooLarge(first)}`
  }
}

const tooLarge = ({ unread }: Answered): string =>
  unread === undefined ? "" : `, which is too large for us to judge: ${unread}`

/** Is that a list whose first page was larger than what we read of an answer, whatever page we asked for? */
export const isTooLargeList = ({ check, exchangeId }: BlockedBy, evidence: Evidence): boolean =>
  Object.entries(listChecks).some(([list, ofList]) => {
    const [first] = evidence.answered(`${list}.list`)
    return (
      first?.unread !== undefined &&
      (exchangeId ?? first.exchange.id) === first.exchange.id &&
      check === ofList
    )
  })

/** The list is no array wherever it is read, as its own check reports; undefined when it is one, or was refused or not answered. */
export const notAnArray = (list: string, first: Answered | undefined): BlockedBy | undefined => {
  const check = listChecks[list]
  return first === undefined || check === undefined || !succeeded(first) || Array.isArray(dataOf(first))
    ? undefined
    : { check, exchangeId: first.exchange.id, what: `${named(first)}: data is not an array` }
}

/** By the first word of a probe's id, the list from which its requests take an EVSE. */
const chosenFrom: Readonly<Record<string, string>> = { commands: "locations", chargingprofiles: "locations" }

/** The first list among those of the probes, or of what their requests are about, that the partner did not give. */
export const unreadListOf = (probes: ReadonlyArray<string>, evidence: Evidence): BlockedBy | undefined => {
  const words = new Set(probes.map((id) => id.split(".", 1)[0] ?? id))
  for (const list of new Set([...words].map((word) => chosenFrom[word] ?? word))) {
    const by = list in listChecks ? noList(list, evidence.answered(`${list}.list`)[0]) : undefined
    if (by !== undefined) return by
  }
  return undefined
}
