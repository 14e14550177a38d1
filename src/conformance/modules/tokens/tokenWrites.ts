/** What a CPO does with the tokens that we write to it (mod_tokens, Receiver Interface), each script with its own. */

import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { JsonObject } from "../../../findings/json.ts"
import { caseScript } from "../shared/receivers/idCase.ts"
import { receiver } from "../shared/receivers/receiver.ts"
import { absent, given, invalid, same, taken } from "../shared/receivers/receiverProofs.ts"
import {
  accepts,
  creates,
  keeps,
  merges,
  refusesInvalid,
  refusesUnknown,
  replaces,
  returns
} from "../shared/receivers/receiverRules.ts"
import { rule, script } from "../shared/receivers/receiverScript.ts"
import { objectSteps, without } from "../shared/receivers/receiverSteps.ts"
import { appToken, invalidated, lean, longest, optionalFields, ourTokens, token } from "./testToken.ts"

const { get, patch, put } = objectSteps(() => ourTokens)

const typed = { isIn: ({ tokenTypeInUrl }: VersionProfile) => tokenTypeInUrl }
const created = put("put", token("rfid"))
const cards = put("put", token("types"))
/** GET of the RFID token beside which there is another one of its uid. */
const cardRead = same(
  get("read card", token("types"), {
    ...typed,
    about: "type=RFID",
    more: () => ({ query: { type: "RFID" } })
  })
)
const refusedBefore = "the PUT of a new token was refused, as TOK-101 reports"
/** PUT of a token that is not valid, under a uid of its own; and GET, which must not find it. */
const spoilt = (id: string, what: string, change: (whole: JsonObject) => JsonObject) => [
  invalid(put(id, token(id), { change, wrongOnPurpose: { body: what } })),
  absent(get(`read ${id}`, token(id)))
]

/** The probes and checks of tokens that a CPO receives. */
export const tokenWrites = receiver(
  {
    module: "tokens",
    noun: "token",
    roles: ["CPO"],
    reference: "mod_tokens, Receiver Interface",
    plain: "TOK-101",
    returned: "TOK-102"
  },
  [
    script("write", [
      creates("TOK-101", created, { sends: "PUT of a new RFID token" }),
      returns("TOK-102", get("read back", token("rfid"))),
      merges("TOK-103", {
        proofs: [
          taken(patch("patch", token("rfid"), invalidated)),
          same(get("read patched", token("rfid", invalidated)))
        ],
        sends: "PATCH of valid and last_updated, then GET",
        passes: "only valid and last_updated have changed"
      }),
      replaces("TOK-104", {
        proofs: [
          given(taken(created), refusedBefore),
          taken(put("replace", lean)),
          same(get("read replaced", lean), { gone: optionalFields })
        ]
      })
    ]),
    script("types", [
      rule("TOK-105", {
        proofs: [
          given(taken(cards), refusedBefore),
          taken(put("put app", appToken, typed)),
          same(get("read app", appToken, typed)),
          cardRead
        ],
        versions: versionsWhere(typed.isIn),
        title: "Tokens with one uid and different types are kept apart",
        sends: "PUT of the same uid with ?type= and another contract, then GET of both with ?type=",
        passes: "both tokens exist, each with its contract",
        hint: "Identify a token by uid and type together."
      }),
      rule("TOK-106", {
        proofs: [
          given(taken(cards), refusedBefore),
          given(cardRead, "the RFID token of that uid is gone, as TOK-105 reports"),
          same(get("read default", token("types"), typed))
        ],
        versions: versionsWhere(typed.isIn),
        title: "GET without a type returns the RFID token",
        sends: "GET of that uid without ?type=",
        passes: "the RFID token",
        hint: "Use type RFID when the query has no type."
      })
    ]),
    script("unknown", [
      refusesUnknown("TOK-107", {
        steps: [
          [
            patch("patch", token("unknown"), invalidated, { about: "unknown token", isCleanedUp: true }),
            get("read back", token("unknown"))
          ]
        ]
      })
    ]),
    script("wrong", [
      refusesInvalid("TOK-108", {
        proofs: [
          ...spoilt("no-valid", "without valid", without("valid")),
          ...spoilt("whitelist", "with whitelist MAYBE", (whole) => ({ ...whole, whitelist: "MAYBE" })),
          ...spoilt("text", "with valid as a text", (whole) => ({ ...whole, valid: "true" }))
        ],
        sends: "PUT of a token without valid, with whitelist MAYBE, with valid as text; GET of each",
        passes: "status_code 2001 each time, and nothing was stored"
      })
    ]),
    caseScript(
      "TOK-109",
      { get, put },
      {
        noun: "token",
        idField: "uid",
        object: token("MiXed"),
        otherwise: refusedBefore,
        reference: "types, CiString type",
        sends: "PUT of a uid in mixed case, GET as it was sent and in upper case"
      }
    ),
    script("long", [
      keeps("TOK-110", {
        proofs: [taken(put("put", longest)), same(get("read back", longest))],
        title: "Texts of full length are kept",
        sends: "PUT of a uid of 36 and of visual_number and issuer of 64 characters, then GET",
        hint: "Store texts in the full length of the specification: 36 and 64 characters."
      })
    ]),
    script("emaid", [
      accepts(
        "TOK-111",
        put(
          "put",
          token("emaid", () => ({ type: "EMAID" })),
          { isIn: ({ openEnums }) => openEnums }
        ),
        {
          strength: "should",
          sends: "PUT of a token with type EMAID",
          hint: "Accept types that you do not know: TokenType is an open enumeration."
        }
      )
    ])
  ]
)
