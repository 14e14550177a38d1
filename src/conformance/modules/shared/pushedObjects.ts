/** What a CPO has pushed to us of its locations and tariffs, call by call. */
import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { belowEndpoint } from "../../../findings/calledPath.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding } from "../../../findings/finding.ts"
import { isObject, type JsonObject, objectIn, textIn } from "../../../findings/json.ts"
import { shown } from "../../../findings/words.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"

/** One PUT, PATCH or DELETE of the partner at our Receiver Interface. */
export interface PushedObject {
  readonly seen: Observation
  readonly method: string
  /** Ids of the path: `{country}/{party}/{id}`, and below a location the EVSE and the connector. */
  readonly country: string
  readonly party: string
  readonly ids: readonly [id: string, evse?: string, connector?: string]
  readonly body: JsonObject
  /** When it came, in milliseconds. */
  readonly came: number
}

const pushMethods: ReadonlyArray<string> = ["PUT", "PATCH", "DELETE"]

/** PUTs, PATCHes and DELETEs of a module, oldest first; those before the run too, as far as they are looked at. */
export const pushedObjects = (evidence: Evidence, module: string): ReadonlyArray<PushedObject> =>
  evidence.once(`${module}.pushed-objects`, () =>
    evidence.seen("inbound").flatMap((one) => pushIn(one, module))
  )

/**
 * Writes to a module that are no push of an object: by another method than these, or to a URL that names no object. OCPI
 * has no POST of what is pushed to a URL of its own.
 */
export const strayPushes = (
  evidence: Evidence,
  module: string,
  methods: ReadonlyArray<string>
): ReadonlyArray<Finding> =>
  evidence
    .seen("inbound")
    .filter(
      (seen) =>
        seen.exchange.module === module &&
        seen.exchange.request.method !== "GET" &&
        !(methods.includes(seen.exchange.request.method) && pushIn(seen, module).length > 0)
    )
    .map((seen) =>
      finding(
        seen,
        `${seen.exchange.request.method} of our ${module}: each object is pushed to its own URL, by ${methods.join(" or ")}`,
        {
          expected: `${methods.join(" or ")} ${module}/{country_code}/{party_id}/{id}`,
          actual: [seen.exchange.request.method, module, ...belowEndpoint(seen.exchange)].join(" ")
        }
      )
    )

/** A push whose body is no JSON object: none of its fields can be judged. */
export const noObject = ({ exchange, json }: Observation): ReadonlyArray<Finding> => {
  const { body, method, truncated } = exchange.request
  const isGiven = json !== undefined || (body !== null && body !== "" && !truncated)
  if (isObject(json) || !isGiven) return []
  const kind = Array.isArray(json)
    ? "a list"
    : json === undefined
      ? "no JSON"
      : `JSON of type ${json === null ? "null" : typeof json}`
  return [
    {
      message: `${method} of our ${exchange.module}: the body is ${kind}, not an object`,
      expected: "an object",
      actual: shown(json ?? body),
      exchangeId: exchange.id,
      hint: "Send one JSON object as the body: the object that the URL names, or by PATCH the fields of it that change."
    }
  ]
}

function pushIn(seen: Observation, module: string): ReadonlyArray<PushedObject> {
  const { exchange } = seen
  const { method } = exchange.request
  if (exchange.module !== module || !pushMethods.includes(method)) return []
  const [country, party, id, evse, connector] = belowEndpoint(exchange)
  if (country === undefined || party === undefined || id === undefined) return []
  const ids: PushedObject["ids"] =
    connector !== undefined && evse !== undefined
      ? [id, evse, connector]
      : evse !== undefined
        ? [id, evse]
        : [id]
  const body = objectIn(seen.json)
  return [{ seen, method, country, party, ids, body, came: Date.parse(exchange.startedAt) }]
}

/** `last_updated` of what was pushed, in milliseconds. */
export const changedAt = ({ body }: PushedObject): number | undefined => dateTimeMillis(body["last_updated"])

/** Its `evse_id` without separators: the same in every way of writing it. */
export const plainEvseId = (evse: JsonObject): string | undefined =>
  textIn(evse["evse_id"])?.replaceAll("*", "").toUpperCase()
