/** Writing tokens to a CPO (mod_tokens, Receiver Interface), each object by a script of its own. */
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { dateTime } from "../../../ocpi/dateTime.ts"
import type { Json } from "../../model/answers.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe, ProbeRequest, ProbeStep, StepAct } from "../../model/Probe.ts"

/** Fields that a token may do without; gone after a PUT that has them not. */
export const optionalFields: ReadonlyArray<string> = ["visual_number", "language"]

/** `seconds` after the start of the run, as `last_updated`. */
const stamp = (evidence: Evidence, seconds: number) =>
  dateTime(Date.parse(evidence.startedAt) + seconds * 1000)

/** A token of ours, with every field filled in. `name`: the end of its uid, in lower case. */
export const testToken = (evidence: Evidence, name: string, change: Json = {}): Json => {
  const { identity } = evidence.party
  const { contract, ownerFields } = evidence.profile
  return {
    ...(ownerFields ? { country_code: identity.countryCode, party_id: identity.partyId } : {}),
    uid: `${evidence.mark}-${name}`,
    type: "RFID",
    [contract]: contractOf(evidence, 1),
    visual_number: `${evidence.mark} 1`,
    issuer: identity.name,
    valid: true,
    whitelist: "ALLOWED",
    language: "en",
    last_updated: stamp(evidence, 0),
    ...change
  }
}

const contractOf = ({ mark, party: { identity } }: Evidence, number: number) =>
  `${identity.countryCode}-${identity.partyId}-C${mark.slice(-6)}${number}`

/** What the steps of `tokens.write` leave behind, one after the other. */
export const written = {
  put: (evidence: Evidence) => testToken(evidence, "rfid"),
  patched: (evidence: Evidence) =>
    testToken(evidence, "rfid", { valid: false, last_updated: stamp(evidence, 1) }),
  replaced: (evidence: Evidence) =>
    minimal(testToken(evidence, "rfid", { last_updated: stamp(evidence, 2) })),
  rfid: (evidence: Evidence) => testToken(evidence, "types"),
  app: (evidence: Evidence) =>
    testToken(evidence, "types", {
      type: evidence.profile.appToken,
      [evidence.profile.contract]: contractOf(evidence, 2),
      whitelist: "NEVER"
    }),
  long: (evidence: Evidence) => {
    const text = `${evidence.mark} ${"0123456789".repeat(6)}`.slice(0, 64).padEnd(64, "x")
    const token = testToken(evidence, "long")
    return { ...token, uid: `${token["uid"]}`.padEnd(36, "0"), visual_number: text, issuer: text }
  },
  mixed: (evidence: Evidence) => testToken(evidence, "MiXed"),
  emaid: (evidence: Evidence) => testToken(evidence, "emaid", { type: "EMAID" })
} as const

const minimal = (token: Json): Json =>
  Object.fromEntries(Object.entries(token).filter(([name]) => !optionalFields.includes(name)))

/** A request about a token of ours at a CPO. */
export const tokenRequest = (
  evidence: Evidence,
  method: NonNullable<ProbeRequest["method"]>,
  token: Json,
  more: Pick<ProbeRequest, "body" | "query"> = {}
): ProbeRequest => {
  const { countryCode, partyId } = evidence.party.identity
  return {
    module: "tokens",
    interfaceRole: "RECEIVER",
    operation: `${method} token`,
    method,
    path: [countryCode, partyId, String(token["uid"])],
    ...more
  }
}

/** A token cannot be deleted: it is left behind invalid. */
export const neutral = (evidence: Evidence, token: Json, query?: ProbeRequest["query"]): ProbeRequest =>
  tokenRequest(evidence, "PUT", token, {
    body: { ...token, valid: false, last_updated: stamp(evidence, 3) },
    ...(query === undefined ? {} : { query })
  })

type Make = (evidence: Evidence) => Json

const put = (id: string, make: Make, undo: Make = make): ProbeStep => ({
  id,
  act: (evidence) => ({
    send: tokenRequest(evidence, "PUT", make(evidence), { body: make(evidence) }),
    undo: neutral(evidence, undo(evidence))
  })
})
const get = (id: string, make: Make): ProbeStep => ({
  id,
  act: (evidence) => ({ send: tokenRequest(evidence, "GET", make(evidence)) })
})

/** Bodies that a receiver has to refuse, by what is wrong with them. */
const wrongTokens: ReadonlyArray<readonly [string, (token: Json) => Json]> = [
  ["no-valid", ({ valid: _, ...rest }) => rest],
  ["whitelist", (token) => ({ ...token, whitelist: "MAYBE" })],
  ["text", (token) => ({ ...token, valid: "true" })]
]
export const wrongTokenSteps: ReadonlyArray<string> = wrongTokens.map(([id]) => `tokens.wrong#${id}`)

/** Which of several tokens with one uid. */
const typed = ({ tokenTypeInUrl }: VersionProfile, type: unknown): ProbeRequest["query"] | undefined =>
  tokenTypeInUrl ? { type: String(type) } : undefined

const appAct =
  (method: "GET" | "PUT") =>
  (evidence: Evidence): StepAct | undefined => {
    const token = written.app(evidence)
    const query = typed(evidence.profile, token["type"])
    if (query === undefined) return undefined
    return method === "GET"
      ? { send: tokenRequest(evidence, method, token, { query }) }
      : {
          send: tokenRequest(evidence, method, token, { query, body: token }),
          undo: neutral(evidence, token, query)
        }
  }

/** The probes of a CPO's tokens; every uid begins with the run's mark. */
export const tokenWriteProbes: ReadonlyArray<Probe> = [
  {
    id: "tokens.write",
    steps: [
      put("put", written.put),
      get("read back", written.put),
      {
        id: "patch",
        act: (evidence) => ({
          send: tokenRequest(evidence, "PATCH", written.put(evidence), {
            body: { valid: false, last_updated: stamp(evidence, 1) }
          })
        })
      },
      get("read patched", written.put),
      put("replace", written.replaced),
      get("read replaced", written.put)
    ]
  },
  {
    id: "tokens.types",
    steps: [
      put("put", written.rfid),
      { id: "put app", act: appAct("PUT") },
      { id: "read app", act: appAct("GET") },
      get("read default", written.rfid)
    ]
  },
  {
    id: "tokens.unknown",
    steps: [
      {
        id: "patch",
        act: (evidence) => {
          const token = testToken(evidence, "unknown")
          const body = { valid: false, last_updated: stamp(evidence, 1) }
          return { send: tokenRequest(evidence, "PATCH", token, { body }), undo: neutral(evidence, token) }
        }
      },
      get("read back", (evidence) => testToken(evidence, "unknown"))
    ]
  },
  {
    id: "tokens.wrong",
    steps: wrongTokens.map(([id, spoil]) =>
      put(
        id,
        (evidence) => spoil(testToken(evidence, id)),
        (evidence) => testToken(evidence, id)
      )
    )
  },
  {
    id: "tokens.case",
    steps: [
      put("put", written.mixed),
      {
        id: "read upper",
        act: (evidence) => {
          const token = written.mixed(evidence)
          return {
            send: tokenRequest(evidence, "GET", { ...token, uid: String(token["uid"]).toUpperCase() })
          }
        }
      }
    ]
  },
  { id: "tokens.long", steps: [put("put", written.long), get("read back", written.long)] },
  { id: "tokens.emaid", steps: [put("put", written.emaid)] }
]
