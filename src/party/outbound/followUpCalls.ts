/** The call to make after an answer: at the URL with another slash at its end, for a smaller page, or the same again. */
import { Effect } from "effect"
import { newId } from "../../database/newId.ts"
import { type EndSlash, setEndSlash, setLimit } from "../../ocpi/followUp.ts"
import type { OcpiCall } from "../../ocpi/OcpiClient.ts"
import { freshUuid } from "../wire/messageId.ts"

/** The same call with or without the slash, as an exchange and a message of its own. */
export const atOtherSlash = (call: OcpiCall, endSlash: EndSlash): Effect.Effect<OcpiCall> =>
  Effect.map(sentAgain(call), (again) => ({ ...again, url: setEndSlash(call.url, endSlash) }))

/** The same call for a page of at most so many objects, as an exchange and a message of its own. */
export const withLimit = (call: OcpiCall, limit: number): Effect.Effect<OcpiCall> =>
  Effect.map(sentAgain(call), (again) => ({ ...again, url: setLimit(call.url, limit) }))

/** The same call as an exchange of its own, with a new X-Request-ID; the X-Correlation-ID stays. */
export const sentAgain = Effect.fnUntraced(function* (call: OcpiCall): Effect.fn.Return<OcpiCall> {
  return { ...call, exchangeId: yield* newId("exchange"), requestId: yield* freshUuid }
})
