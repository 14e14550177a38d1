/**
 * Faults that we inject into our answers to a partner because a run wants them, for its scenario or for a check. They are
 * stored with our side of the connection, so every process injects them, and they end by themselves.
 */
import { Clock, Effect } from "effect"
import type { PartyId, RunId } from "../../../schema/Ids.ts"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectIn, objectsIn } from "../../findings/json.ts"
import { parseJson } from "../../findings/readJson.ts"
import { nextLinkHeader } from "../../ocpi/paging.ts"
import type { InjectedFault, OurFault, Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { nowIso } from "../wire/instants.ts"
import type { Behaviour } from "../wire/PartnerQuirks.ts"
import type { OcpiReply, OcpiRequest } from "../wire/Request.ts"
import { movedUrl } from "../wire/roots.ts"

const defaultSeconds = 10

/** Does the fault change our answers? The others change what we send. */
export const isAnswerFault = (fault: OurFault["fault"]): boolean => fault !== "duplicate-push"

/** Injects these faults for this run from now on, until `until` (ISO 8601 UTC) at the latest. */
export const beginFaultInjection = traced("party.beginFaultInjection")(function* (
  id: PartyId,
  runId: RunId,
  faults: ReadonlyArray<OurFault>,
  until: string
) {
  const added = faults
    .filter(({ fault }) => isAnswerFault(fault))
    .map((fault): InjectedFault => ({ ...fault, runId, left: fault.times ?? 1, until }))
  if (added.length === 0) return
  const store = yield* PartyStore
  yield* store.update(id, (party) => ({ ...party, playing: [...ofOtherRuns(party, runId), ...added] }))
})

/** Ends all fault injection of this run. */
export const endFaultInjection = traced("party.endFaultInjection")(function* (id: PartyId, runId: RunId) {
  const store = yield* PartyStore
  yield* store.update(id, (party) => ({ ...party, playing: ofOtherRuns(party, runId) }))
})

/** A step lasts five minutes at most; when faults are older than this, the process that injected them is dead. */
const longestInjectionMillis = 360_000

/**
 * Injects these faults into our answers while `work` runs, and ends them afterwards; if this process dies, they end by
 * themselves.
 */
export const withInjectedFaults =
  (id: PartyId, runId: RunId, faults: ReadonlyArray<OurFault>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | PartyStore> =>
    Effect.acquireUseRelease(
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        beginFaultInjection(id, runId, faults, new Date(now + longestInjectionMillis).toISOString())
      ),
      () => work,
      () => endFaultInjection(id, runId)
    )

/** The faults that other runs inject. */
const ofOtherRuns = ({ playing = [] }: Party, runId: RunId) => playing.filter((one) => one.runId !== runId)

/** The fault to inject into the answer to a call on this module, of which one time fewer is left; undefined: none. */
export const takeFault = Effect.fnUntraced(function* ({ id, playing = [] }: Party, module: string) {
  const now = yield* nowIso
  const fits = (one: InjectedFault) =>
    one.left > 0 && one.until > now && (one.module === undefined || one.module === module)
  if (!playing.some(fits)) return undefined
  const store = yield* PartyStore
  let taken: InjectedFault | undefined
  yield* store.update(id, (party) => {
    const index = (party.playing ?? []).findIndex(fits)
    taken = party.playing?.[index]
    return {
      ...party,
      playing: (party.playing ?? []).map((one, at) => (at === index ? { ...one, left: one.left - 1 } : one))
    }
  })
  return taken
})

/**
 * Our answer with the fault. The request itself was still handled. `version`: the agreed one; `request`: the request that
 * is answered.
 */
export function withFault(
  { fault, seconds = defaultSeconds, statusCode = ocpiStatus.serverError }: InjectedFault,
  honest: OcpiReply,
  { request, version }: { readonly request: Pick<OcpiRequest, "url">; readonly version: OcpiVersion }
): ReturnType<Behaviour["reply"]> {
  switch (fault) {
    case "late-answer":
      return { ...honest, delayMillis: seconds * 1000 }
    case "server-error":
      return {
        ...honest,
        httpStatus: 500,
        body: withStatus(honest, ocpiStatus.serverError)
      }
    case "wrong-status":
      return { ...honest, body: withStatus(honest, statusCode) }
    case "unauthorized":
      return { ...honest, httpStatus: 401, body: withStatus(honest, ocpiStatus.clientError) }
    case "no-json":
      return { ...honest, headers: { ...honest.headers, "content-type": "text/html" }, body: "<html></html>" }
    case "version-missing":
      return withData(honest, (data) =>
        Array.isArray(data)
          ? objectsIn(data).map((entry) =>
              entry["version"] === version ? { ...entry, version: otherThan(version) } : entry
            )
          : data
      )
    case "older-versions":
      return withData(honest, (data) =>
        Array.isArray(data) ? objectsIn(data).flatMap((entry) => [...olderThan(entry), entry]) : data
      )
    case "endpoints-moved":
      return withData(honest, (data) =>
        isObject(data) && "endpoints" in data
          ? { ...data, endpoints: objectsIn(data["endpoints"]).map(moved) }
          : data
      )
    case "unavailable":
      return { ...honest, httpStatus: 503, body: withStatus(honest, ocpiStatus.serverError) }
    case "invalid-object":
      return withBrokenObject(honest, request.url)
    case "credentials-only":
      return withData(honest, (data) =>
        isObject(data) && "endpoints" in data
          ? { ...data, endpoints: objectsIn(data["endpoints"]).filter(isOfCredentials) }
          : data
      )
    case "duplicate-push":
      return honest
  }
}

const otherThan = (version: OcpiVersion) => versionNumbers.find((one) => one !== version)

const moved = (endpoint: JsonObject): JsonObject =>
  isOfCredentials(endpoint) ? endpoint : { ...endpoint, url: movedUrl(String(endpoint["url"])) }

/** A page of two objects or more, with an invalid one in front, fewer valid ones, and a link to the rest. */
function withBrokenObject(honest: OcpiReply, url: string): OcpiReply {
  const envelope = objectIn(honest.body === null ? undefined : parseJson(honest.body))
  const good = objectsIn(envelope["data"])
  const left = "link" in honest.headers ? good.length - 1 : Math.floor(good.length / 2)
  const [first] = good
  if (first === undefined || left < 1) return honest
  const id = "uid" in first ? "uid" : "id"
  const broken = { ...first, [id]: "TST-BROKEN", last_updated: "yesterday" }
  const next = new URL(url)
  next.searchParams.set("offset", String(Number(next.searchParams.get("offset") ?? 0) + left))
  return {
    ...honest,
    headers: { ...honest.headers, link: nextLinkHeader(next.href) },
    body: JSON.stringify({ ...envelope, data: [broken, ...good.slice(0, left)] })
  }
}

/** Entries of older versions, made from that of the agreed version: the partner has to choose. */
const olderThan = (entry: JsonObject): ReadonlyArray<JsonObject> => {
  const at = versionNumbers.map(String).indexOf(String(entry["version"]))
  return versionNumbers.slice(0, Math.max(0, at)).map((version) => ({
    ...entry,
    version,
    url: String(entry["url"]).replace(String(entry["version"]), version)
  }))
}

const isOfCredentials = ({ identifier }: Readonly<Record<string, unknown>>) => identifier === "credentials"

function withData(honest: OcpiReply, edit: (data: unknown) => unknown): OcpiReply {
  const envelope = objectIn(honest.body === null ? undefined : parseJson(honest.body))
  return { ...honest, body: JSON.stringify({ ...envelope, data: edit(envelope["data"]) }) }
}

function withStatus({ body }: OcpiReply, statusCode: number): string {
  const { data: _, ...envelope } = objectIn(body === null ? undefined : parseJson(body))
  return JSON.stringify({
    ...envelope,
    status_code: statusCode,
    status_message: "A fault that is played on purpose"
  })
}
