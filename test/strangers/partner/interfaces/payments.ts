/** The payments of a CPO (mod_payments, Receiver Interface): terminals and confirmations, made by POST and read by GET. */
import { flawOf, isJson } from "../objects/validity.ts"
import { type Asked, parsed, type Said } from "../wire.ts"
import type { Shelf } from "./clientOwned.ts"
import { absent, done, given, invalid, notAllowed, unreadable } from "./replies.ts"

const kinds: Readonly<Record<string, { readonly name: string; readonly idField: string }>> = {
  terminals: { name: "Terminal", idField: "terminal_id" },
  "financial-advice-confirmations": { name: "FinancialAdviceConfirmation", idField: "id" }
}

/** POST of an object to its list, and GET of it by its id; `path`: the segments below the endpoint. */
export const receivePayment = (path: ReadonlyArray<string>, asked: Asked, shelf: Shelf): Said => {
  const [list = "", id] = path
  const kind = kinds[list]
  if (kind === undefined || path.length > 2) return absent(shelf)
  const keyOf = (one: unknown) => `payments ${list} ${String(one).toLowerCase()}`
  if (id !== undefined) {
    if (asked.method !== "GET") return notAllowed
    const stored = shelf.objects.get(keyOf(id))
    return stored === undefined ? absent(shelf) : given(shelf, stored)
  }
  if (asked.method !== "POST") return notAllowed
  const body = parsed(asked.body)
  if (body === undefined) return unreadable
  const flaw = flawOf(kind.name, body, shelf.version)
  if (flaw !== undefined || !isJson(body)) return invalid(flaw ?? "the body is no object")
  const key = keyOf(body[kind.idField])
  const before = shelf.objects.get(key)
  shelf.objects.set(key, shelf.keeps(body, { module: "payments", method: "POST", before }))
  return done(shelf, before === undefined)
}
