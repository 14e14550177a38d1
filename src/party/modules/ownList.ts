/** Lists of a party's own objects: paging, date filters and headers (transport_and_format, Pagination). */
import { Effect } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import { nextLinkHeader } from "../../ocpi/paging.ts"
import { joinUrl } from "../../ocpi/urls.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { instantOf } from "../wire/instants.ts"
import { moduleUrl } from "../wire/roots.ts"
import type { ModuleCall, Refusal } from "./Route.ts"
import { refusal, success } from "./Route.ts"

/** The most objects in a page that we serve. */
const pageCap = 50

/** How the list of a module differs from others. */
interface ListRules {
  /** `date_from` must be given (sessions). */
  readonly dateFromRequired?: boolean
}

/** Handler of GET on a sender's list. `date_from` is inclusive, `date_to` exclusive; an invalid value gets 2001. */
export const ownList = (module: string, rules: ListRules = {}) =>
  Effect.fnUntraced(function* (call: ModuleCall) {
    const store = yield* PartyStore
    const offset = yield* wholeNumber(call, "offset", 0)
    const limit = Math.min((yield* wholeNumber(call, "limit", 1)) ?? pageCap, pageCap)
    const from = yield* instant(call, "date_from")
    const to = yield* instant(call, "date_to")
    if (rules.dateFromRequired === true && from === undefined)
      return yield* refusal(ocpiStatus.invalidParameters, "date_from is required")
    const start = offset ?? 0
    const { items, total } = yield* store.objects(call.party.id, module, "own", {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      offset: start,
      limit,
      // What changes between two pages shifts no other object.
      order: "created"
    })
    const next = start + items.length
    return success(
      items.map(({ json }) => json),
      {
        "X-Total-Count": String(total),
        "X-Limit": String(limit),
        ...(next < total && items.length > 0
          ? { Link: nextLinkHeader(nextPage(call, module, next, limit)) }
          : {})
      }
    )
  })

function nextPage(call: ModuleCall, module: string, offset: number, limit: number): string {
  const filters = Object.fromEntries(
    ["date_from", "date_to"].flatMap((name) => {
      const value = call.request.query.get(name)
      return value === null || value === "" ? [] : [[name, value]]
    })
  )
  return joinUrl(moduleUrl(call.root, call.profile.version, module), [], {
    ...filters,
    offset: String(offset),
    limit: String(limit)
  })
}

function wholeNumber(
  call: ModuleCall,
  name: string,
  least: number
): Effect.Effect<number | undefined, Refusal> {
  const text = call.request.query.get(name)
  if (text === null || text === "") return Effect.succeed(undefined)
  return /^\d{1,9}$/.test(text) && Number(text) >= least
    ? Effect.succeed(Number(text))
    : Effect.fail(
        refusal(
          ocpiStatus.invalidParameters,
          `${name} must be a whole number from ${least}, got ${JSON.stringify(text)}`
        )
      )
}

/** Every version's form is taken: the text of 2.1.1 names ISO 8601, and shows no fractions of a second without forbidding them. */
function instant(call: ModuleCall, name: string): Effect.Effect<string | undefined, Refusal> {
  const text = call.request.query.get(name)
  if (text === null || text === "") return Effect.succeed(undefined)
  const read = instantOf(text)
  return read === undefined
    ? Effect.fail(
        refusal(
          ocpiStatus.invalidParameters,
          `${name} must be a DateTime in UTC without offset, got ${JSON.stringify(text)}`
        )
      )
    : Effect.succeed(read)
}
