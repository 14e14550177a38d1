/**
 * Writing to whatever a partner takes, each object by a script of its own: tokens to a CPO, tariffs to an EMSP. Rules about
 * transport are the same for every object, so the simplest one stands for all.
 */
import { dateTime } from "../../../ocpi/dateTime.ts"
import type { Json } from "../../model/answers.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe, ProbeRequest, ProbeStep } from "../../model/Probe.ts"
import { cleanUpOf } from "../shared/receiverSteps.ts"
import { ourTokens, testToken } from "../tokens/testToken.ts"
import { nobodysParty } from "./formsProbes.ts"

/** An object of ours at the partner: what it is, and where it goes. */
export interface Written {
  readonly module: "tokens" | "tariffs"
  readonly idField: "uid" | "id"
  readonly json: Json
}

type Make = (evidence: Evidence) => Json

const isToken = ({ party }: Evidence) => party.counterpart.role === "CPO"

/** A tariff of ours that nobody is to pay. */
const testTariff = (evidence: Evidence, name: string): Json => {
  const { identity } = evidence.party
  const { ownerFields, tariffTax } = evidence.profile
  return {
    ...(ownerFields ? { country_code: identity.countryCode, party_id: identity.partyId } : {}),
    id: `${evidence.mark}-${name}`,
    currency: "EUR",
    ...(tariffTax === "tax_included" ? { tax_included: "NO" } : {}),
    elements: [{ price_components: [{ type: "ENERGY", price: 0.25, step_size: 1 }] }],
    last_updated: dateTime(Date.parse(evidence.startedAt))
  }
}

/** The object that stands for all, with that end of its id. */
export const writtenObject = (evidence: Evidence, name: string): Written =>
  isToken(evidence)
    ? { module: "tokens", idField: "uid", json: testToken(evidence, name) }
    : { module: "tariffs", idField: "id", json: testTariff(evidence, name) }

const request = (
  evidence: Evidence,
  method: NonNullable<ProbeRequest["method"]>,
  name: string,
  more: Pick<ProbeRequest, "body" | "rawBody" | "headers"> & {
    readonly owner?: { readonly countryCode: string; readonly partyId: string }
  } = {}
): ProbeRequest => {
  const { owner = evidence.party.identity, ...rest } = more
  const { idField, json, module } = writtenObject(evidence, name)
  return {
    module,
    interfaceRole: "RECEIVER",
    operation: `${method} ${module.slice(0, -1)}`,
    method,
    path: [owner.countryCode, owner.partyId, String(json[idField])],
    about: name,
    ...rest
  }
}

/** A token is left behind invalid, a tariff is deleted. */
const undo = (evidence: Evidence, name: string): ProbeRequest =>
  isToken(evidence)
    ? cleanUpOf(ourTokens, evidence, testToken(evidence, name))!
    : request(evidence, "DELETE", name)

const put = (
  id: string,
  name: string,
  body: Make = (evidence) => writtenObject(evidence, name).json,
  more: Pick<ProbeRequest, "headers"> = {}
): ProbeStep => ({
  id,
  act: (evidence) => ({
    send: request(evidence, "PUT", name, { body: body(evidence), ...more }),
    undo: undo(evidence, name)
  })
})

/** The same text as a body: what is no object, or nothing at all. */
const putRaw = (id: string, name: string, rawBody: string): ProbeStep => ({
  id,
  act: (evidence) => ({ send: request(evidence, "PUT", name, { rawBody }), undo: undo(evidence, name) })
})

const get = (id: string, name: string): ProbeStep => ({
  id,
  act: (evidence) => ({ send: request(evidence, "GET", name) })
})

const changed =
  (name: string, token: (json: Json) => Json, tariff: (json: Json) => Json): Make =>
  (evidence) => {
    const { json } = writtenObject(evidence, name)
    return isToken(evidence) ? token(json) : tariff(json)
  }

/** A name that no version has, on the object and in an object of it. */
const extra = (json: Json): Json => ({ ...json, tst_extra: "1" })
const withExtra: Make = (evidence) => {
  const json = extra(writtenObject(evidence, "extra").json)
  if (!isToken(evidence)) {
    const [element] = json["elements"] as ReadonlyArray<Json> // of our own making
    return { ...json, elements: [extra(element ?? {})] }
  }
  const hasContract = evidence.profile.ownerFields
  return hasContract ? { ...json, energy_contract: { supplier_name: "Test", tst_extra: "1" } } : json
}

/** A type of token that no version has. */
export const unknownWord = "TST_TYPE"

export const objectWriteProbes: ReadonlyArray<Probe> = [
  { id: "objects.twice", steps: [put("first", "twice"), put("again", "twice")] },
  {
    id: "objects.semantic",
    steps: [
      put("put", "semantic"),
      put(
        "spoilt",
        "semantic",
        changed(
          "semantic",
          (json) => ({ ...json, whitelist: "MAYBE" }),
          (json) => ({ ...json, currency: 978 })
        )
      )
    ]
  },
  {
    id: "objects.no-object",
    steps: [putRaw("empty", "empty", ""), putRaw("array", "array", "[]"), putRaw("text", "text", '"text"')]
  },
  { id: "objects.extra", steps: [put("put", "extra", withExtra)] },
  {
    id: "objects.unknown-word",
    steps: [
      put(
        "put",
        "word",
        changed(
          "word",
          (json) => ({ ...json, type: unknownWord }),
          (json) => json
        )
      )
    ]
  },
  {
    id: "objects.nulls",
    steps: [
      put(
        "put",
        "nulls",
        changed(
          "nulls",
          (json) => ({ ...json, visual_number: null, language: null }),
          (json) => ({ ...json, tariff_alt_text: [], tariff_alt_url: null })
        )
      ),
      get("read back", "nulls")
    ]
  },
  { id: "objects.reserved", steps: [put("put", "a:b*c+d"), get("read back", "a:b*c+d")] },
  {
    id: "objects.charset",
    steps: [
      put("put", "charset", undefined, { headers: { "Content-Type": "application/json; charset=utf-8" } })
    ]
  },
  {
    id: "objects.other-id",
    steps: [
      put("put", "in-url", (evidence) => writtenObject(evidence, "in-body").json),
      get("read url", "in-url"),
      get("read body", "in-body")
    ]
  },
  {
    id: "objects.other-owner",
    steps: [
      put("put", "owner", (evidence) => ({
        ...writtenObject(evidence, "owner").json,
        party_id: nobodysParty.partyId
      }))
    ]
  },
  {
    id: "objects.foreign",
    steps: [
      {
        id: "put",
        act: (evidence) => {
          const { json } = writtenObject(evidence, "foreign")
          const owner = { country_code: nobodysParty.countryCode, party_id: nobodysParty.partyId }
          return {
            send: request(evidence, "PUT", "foreign", {
              owner: nobodysParty,
              body: evidence.profile.ownerFields ? { ...json, ...owner } : json
            })
          }
        }
      }
    ]
  },
  {
    id: "objects.no-stamp",
    steps: [
      put("put", "stamp"),
      {
        id: "patch",
        act: (evidence) => ({ send: request(evidence, "PATCH", "stamp", { body: { valid: false } }) })
      }
    ]
  }
]
