/** The call to make after a redirect that only adds or removes a slash at the end of the URL. */
import { Effect } from "effect"
import { newId } from "../../database/newId.ts"
import { type EndSlash, setEndSlash } from "../../ocpi/followUp.ts"
import type { OcpiCall } from "../../ocpi/OcpiClient.ts"
import { freshUuid } from "../wire/messageId.ts"

/** The same call with or without the slash, as an exchange and a message of its own. */
export const atOtherSlash = (call: OcpiCall, endSlash: EndSlash): Effect.Effect<OcpiCall> =>
  Effect.map(sentAgain(call), (again) => ({ ...again, url: setEndSlash(call.url, endSlash) }))

/** The same call as an exchange of its own, with a new X-Request-ID; the X-Correlation-ID stays. */
export const sentAgain = Effect.fnUntraced(function* (call: OcpiCall): Effect.fn.Return<OcpiCall> {
  return { ...call, exchangeId: yield* newId("exchange"), requestId: yield* freshUuid }
})
