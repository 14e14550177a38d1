/** What a fault changes on the wire, in lines such as `/address gone`. */
import type { Behaviour, Push } from "../../../src/party/wire/PartnerQuirks.ts"
import type { OcpiReply } from "../../../src/party/wire/Request.ts"
import type { Wire } from "./wire.ts"

export interface Change {
  /** Of the answer or push. */
  readonly module: string
  /** Its name. */
  readonly where: string
  /** What is different: a path below the object or `data`, and how. Items of lists are not told apart. */
  readonly what: string
}

export const changesOf = (wire: Wire, { push, reply }: Partial<Behaviour>): ReadonlyArray<Change> => {
  const answers = wire.answers.flatMap(({ module, name, ...honest }) => {
    const changed = reply?.(honest.request, honest.reply) ?? honest.reply
    return replyLines(honest.reply, changed).map((what) => ({ module, where: name, what }))
  })
  const pushes = wire.pushes.flatMap((honest) => {
    const sent = push?.(honest) ?? [honest]
    return pushLines(honest, sent).map((what) => ({
      module: honest.module,
      where: honest.operation,
      what
    }))
  })
  return [...answers, ...pushes]
}

function replyLines(before: OcpiReply, after: OcpiReply & { readonly delayMillis?: number }) {
  return [
    ...(before.httpStatus === after.httpStatus ? [] : [`HTTP ${after.httpStatus}`]),
    ...lines(lowerCase(before.headers), lowerCase(after.headers), "header "),
    ...lines(parsed(before.body), parsed(after.body), "").map((line) =>
      line.replace(/^\/data(\/\*)?\//, "/")
    ),
    ...(after.delayMillis === undefined ? [] : [`late by ${after.delayMillis} ms`])
  ]
}

function pushLines(before: Push, after: ReadonlyArray<Push>): ReadonlyArray<string> {
  if (after.length === 0) return ["not sent"]
  return [
    ...(after.length > 1 ? ["sent twice"] : []),
    ...after
      .slice(0, 1)
      .flatMap((one) => [
        ...(one.delayMillis === before.delayMillis ? [] : [`late by ${one.delayMillis} ms`]),
        ...lines(before.body, one.body, "")
      ])
  ]
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const parsed = (body: string | null): unknown => {
  try {
    return body === null ? undefined : JSON.parse(body)
  } catch {
    return body
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function lines(before: unknown, after: unknown, path: string): ReadonlyArray<string> {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const at = path === "" ? "body" : path
  if (before === undefined) return [`${at} new`]
  if (after === undefined) return [`${at} gone`]
  if (Array.isArray(before) && Array.isArray(after)) {
    if (sorted(before) === sorted(after)) return [`${at} in another order`]
    if (before.length !== after.length)
      return [
        after.length === 0 ? `${at} emptied` : after.length > before.length ? `${at} longer` : `${at} shorter`
      ]
    return before.flatMap((item, index) => lines(item, after[index], `${path}/*`))
  }
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)])
    if (isAnother(before, after)) return [`${at} another`]
    return [...keys].flatMap((key) =>
      lines(before[key], after[key], path.startsWith("header ") ? `${path}${key}` : `${path}/${key}`)
    )
  }
  return [typeof before === typeof after && !isObject(after) ? `${at} other` : `${at} as ${kindOf(after)}`]
}

/** Not a changed object but another one in its place. */
const isAnother = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  ["id", "uid"].some((name) => before[name] !== after[name]) &&
  Object.keys(before).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).length >
    2

const sorted = (items: ReadonlyArray<unknown>) =>
  items
    .map((item) => JSON.stringify(item))
    .sort()
    .join()

const kindOf = (value: unknown) => (Array.isArray(value) ? "list" : value === null ? "null" : typeof value)
