/** Tokens for themselves: form, words, identity and owner. */

import type { Ambiguity } from "../../../../schema/Assertion.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { unless, when } from "../../../findings/finding.ts"
import { textIn } from "../../../findings/json.ts"
import { type Check, inconclusive } from "../../model/Check.ts"
import { emspPartiesOf } from "../shared/emspParties.ts"
import { isHub } from "../shared/hubs.ts"
import { tokens } from "../shared/objects/ListedKind.ts"
import { anyOf, below, inFields, isFlawed } from "../shared/objects/objectFlaws.ts"
import {
  baseOf,
  onAll,
  onEach,
  onFlaws,
  onForm,
  onList,
  onUnique,
  wrong
} from "../shared/objects/objectRules.ts"
import { idKey } from "../shared/objects/Placed.ts"

const base = baseOf(tokens)

/** The text advises against pushing tokens of type EMAID, and says nothing of the list. */
const ofEmaids: Ambiguity = {
  readings: [
    "tokens of type EMAID need not be exchanged at all, so that no list has them",
    "the advice is about pushing tokens, so that a list may have them"
  ],
  section: "mod_tokens, TokenType enum"
}
const object = "mod_tokens, Token Object"
const owned = versionsWhere(({ ownerFields }) => ownerFields)

const words = inFields("type", "whitelist", "default_profile_type")
const language = inFields("language")
const group = inFields("group_id")
/** Longest id of a group that charging stations of OCPP 1.x can hold, in characters. */
const groupCap = 20

/** The values of WhitelistType but NEVER. */
const otherWhitelists = ["ALWAYS", "ALLOWED", "ALLOWED_OFFLINE"]

/**
 * Judge the list of tokens, and the schema, enums, ids and owners of its objects (mod_tokens, Sender Interface and
 * Token Object).
 */
export const tokensChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TOK-001",
    title: "GET tokens: HTTP 200, status_code 1000 and an array",
    reference: "mod_tokens, Sender Interface, GET Method",
    sends: "GET tokens",
    passes: "HTTP 200, status_code 1000, data is an array",
    hint: "Answer an empty array when there are no tokens.",
    ...onList(tokens)
  },
  {
    ...base,
    id: "TOK-002",
    title: "Token: each conforms to the version's schema",
    reference: object,
    passes: "each Token conforms to the version's schema",
    hint: "Compare the field at the pointer with the table of the Token object of this version.",
    judge: onForm(tokens, anyOf(words, language, group))
  },
  {
    ...base,
    id: "TOK-003",
    title: "Token: uid and type together are unique within a party",
    strength: "should",
    reference: object,
    passes: "no two tokens of one party share uid and type",
    hint: "List a token once: a changed token replaces the former one.",
    judge: onUnique(tokens, "uid", (json) => [
      json["country_code"],
      json["party_id"],
      json["uid"],
      json["type"]
    ])
  },
  {
    ...base,
    id: "TOK-004",
    title: "Token: type, whitelist and default_profile_type have values of the version's enums",
    reference: "mod_tokens, TokenType and WhitelistType enums; mod_sessions, ProfileType enum",
    passes: "type, whitelist and default_profile_type are values of the version",
    hint: "Map a value of another version to one of this version.",
    judge: onFlaws(tokens, words)
  },
  {
    ...base,
    id: "TOK-005",
    versions: versionsWhere(({ appToken }) => appToken === "APP_USER"),
    title: "Token: APP_USER and AD_HOC_USER have whitelist NEVER",
    strength: "should",
    reference: "mod_tokens, TokenType enum",
    passes: "APP_USER and AD_HOC_USER tokens have whitelist NEVER",
    hint: "Set whitelist to NEVER: no charging station can read such a token from a local list.",
    judge: onEach(tokens, "is an APP_USER or AD_HOC_USER token", (item) => {
      const { type, whitelist } = item.json
      if (type !== "APP_USER" && type !== "AD_HOC_USER") return undefined
      // Another value is a finding of TOK-004.
      return unless(!otherWhitelists.some((one) => one === whitelist), () =>
        wrong(item, "whitelist", `whitelist of a token of type ${type} is not NEVER`, {
          expected: "NEVER",
          actual: whitelist
        })
      )
    })
  },
  {
    ...base,
    id: "TOK-006",
    versions: versionsWhere(({ openEnums }) => openEnums),
    title: "GET tokens: no token has type EMAID",
    strength: "should",
    reference: "mod_tokens, TokenType enum",
    passes: "no token has type EMAID",
    hint: "Leave EMAIDs out of the list: the CPO learns the EMAID at the charging station, and authorizes it in real time.",
    judge: onEach(tokens, "has the fields that the check compares", (item) =>
      when(item.json["type"] === "EMAID", () => ({
        ...wrong(item, "type", "a token of type EMAID is listed", { expected: "no EMAID", actual: "EMAID" }),
        ambiguous: ofEmaids
      }))
    )
  },
  {
    ...base,
    id: "TOK-007",
    versions: owned,
    title: `Token: group_id has at most ${groupCap} characters, and one party per group`,
    strength: "should",
    reference: object,
    passes: `group_id has at most ${groupCap} characters, and the tokens of a group belong to one party`,
    hint: "Use at most 20 characters, as charging stations with OCPP 1.x do, and give each party groups of its own.",
    judge: onAll(tokens, (items, evidence) => {
      const flaws = onFlaws(tokens, group)(evidence)
      const owners = new Map<string, string>()
      const more = items.flatMap((item) => {
        const id = textIn(item.json["group_id"])
        if (id === undefined) return []
        const owner = idKey([item.json["country_code"], item.json["party_id"]], evidence.profile)
        const first = owners.get(idKey(id, evidence.profile)) ?? owner
        owners.set(idKey(id, evidence.profile), first)
        return [
          ...when(id.length > groupCap, () =>
            wrong(item, "group_id", "group_id is too long for charging stations with OCPP 1.x", {
              expected: `at most ${groupCap} characters`,
              actual: id
            })
          ),
          ...unless(first === owner, () =>
            wrong(item, "group_id", "the tokens of a group belong to several EMSPs", {
              expected: "one owner",
              actual: id
            })
          )
        ]
      })
      return [...(flaws.is === "fail" ? flaws.findings : []), ...more]
    })
  },
  {
    ...base,
    id: "TOK-008",
    versions: owned,
    title: "Token: country_code and party_id are those of an EMSP in the partner's credentials",
    strength: "should",
    reference: object,
    passes:
      "country_code and party_id are those of a role EMSP in the partner's credentials; a hub lists tokens of any EMSP",
    hint: "Name each EMSP of the platform in the credentials, or leave its tokens out.",
    judge: onAll(tokens, (items, evidence) => {
      const { party, profile } = evidence
      // A hub lists the tokens of the parties that are connected to it (transport_and_format, GET All via Hubs).
      if (isHub(evidence))
        return inconclusive("not_applicable", "the partner is a hub, which lists the tokens of any EMSP")
      if ((party.counterpart.parties ?? []).length === 0)
        return inconclusive("not_tested", "the partner's roles are not known")
      const parties = emspPartiesOf(evidence).map(({ countryCode, partyId }) =>
        idKey([countryCode, partyId], profile)
      )
      if (parties.length === 0)
        return inconclusive("not_tested", "the partner's credentials name no party with the role EMSP")
      return items.flatMap((item) => {
        const { country_code, party_id } = item.json
        // TOK-002 reports an owner that is missing.
        if (textIn(country_code) === undefined || textIn(party_id) === undefined) return []
        return unless(parties.includes(idKey([country_code, party_id], profile)), () =>
          wrong(item, "party_id", "the token belongs to a party that the partner's credentials do not name", {
            expected: parties.join(" or "),
            actual: [country_code, party_id]
          })
        )
      })
    })
  },
  {
    ...base,
    id: "TOK-009",
    title: "Token: the contract id has the form of an eMAID",
    strength: "should",
    reference: object,
    passes: "country, provider, C and eight characters; separators and check digit optional",
    hint: "Write the contract id like NL-TNM-C12345678-X.",
    judge: onEach(tokens, "has a contract id", (item, evidence) => {
      const { profile } = evidence
      const contract = textIn(item.json[profile.contract])
      if (contract === undefined || isFlawed(evidence, tokens, item, below(profile.contract)))
        return undefined
      return unless(/^[a-z]{2}-?[a-z0-9]{3}-?C?[a-z0-9]{8,9}(-?[a-z0-9])?$/i.test(contract), () =>
        wrong(item, profile.contract, `${profile.contract} does not have the form of an eMAID`, {
          expected: "like NL-TNM-C12345678",
          actual: contract
        })
      )
    })
  },
  {
    ...base,
    id: "TOK-011",
    title: "Token: language is an ISO 639-1 code",
    strength: "should",
    reference: object,
    passes: "language is an ISO 639-1 code",
    hint: "Write language with two letters, like en.",
    judge: onFlaws(tokens, language)
  }
]
