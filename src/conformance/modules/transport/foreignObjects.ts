/**
 * Scripts of objects that a sender shall not send: under the id of another object, of another owner, of a party that is not its
 * own (transport_and_format, Client Owned Object Push). The text does not oblige a receiver to refuse such an object:
 * the finding about a receiver that takes it names both readings.
 */

import { absent, rejected, whereTaken } from "../shared/receivers/receiverProofs.ts"
import { refuses } from "../shared/receivers/receiverRules.ts"
import { rule, type Script, script } from "../shared/receivers/receiverScript.ts"
import { objectSteps } from "../shared/receivers/receiverSteps.ts"
import { nobodysParty } from "./formsProbes.ts"
import { ourObjects, testObject } from "./testObjects.ts"

const { get, put } = objectSteps(ourObjects)
const nobody = { country_code: nobodysParty.countryCode, party_id: nobodysParty.partyId }

const section = "transport_and_format, Client Owned Object Push"

const otherId = put("put", testObject("in-url"), {
  body: testObject("in-body"),
  wrongOnPurpose: { target: "the id of another object" }
})
const advised = whereTaken(otherId, {
  readings: [
    "the receiver refuses the object with status_code 2001, as the text advises",
    "the advice is not binding: the receiver may store the object, under the id of the URL or that of the body"
  ],
  section: `${section}, Errors`
})

/** The scripts of TRANS-049, TRANS-050 and TRANS-051. */
export const foreignObjects: ReadonlyArray<Script> = [
  script("other-id", [
    rule("TRANS-049", {
      proofs: [
        advised(rejected(otherId, "status_code 2001")),
        advised(absent(get("read url", testObject("in-url")))),
        advised(absent(get("read body", testObject("in-body"))))
      ],
      title: "PUT of an object whose id is not that of its URL is refused",
      strength: "should",
      reference: section,
      sends: "PUT whose URL has another id than its body, then GET of both",
      passes: "status_code 2001, and nothing is stored under either id",
      hint: "Compare the ids of URL and body before anything is stored."
    })
  ]),
  script("other-owner", [
    refuses(
      "TRANS-050",
      put("put", testObject("owner"), {
        change: (whole) => ({ ...whole, party_id: nobody.party_id }),
        wrongOnPurpose: { body: "the owner is another party than the URL has" },
        isIn: ({ ownerFields }) => ownerFields
      }),
      {
        title: "PUT of an object whose owner is not that of its URL is refused",
        reference:
          "mod_locations, PUT Method; mod_sessions, PUT Method; mod_tariffs, PUT Method; mod_tokens, PUT Method",
        sends: "PUT whose body has another party_id than its URL",
        passes: "status_code 2001",
        hint: "Compare owner and id of URL and body before anything is stored.",
        readings: {
          readings: [
            "country_code and party_id of URL and object must be the same, so the receiver refuses an object with other ones",
            "the rule binds the sender only: the text does not say what a receiver does with such an object"
          ],
          section: "the modules' Receiver Interface, PUT Method, Request Parameters"
        }
      }
    )
  ]),
  script("foreign", [
    refuses(
      "TRANS-051",
      put("put", testObject("foreign"), {
        more: ({ mark, profile }) => ({
          path: [nobody.country_code, nobody.party_id, `${mark}-foreign`],
          wrongOnPurpose: {
            target: "the party is not ours",
            ...(profile.ownerFields ? { body: "the owner is not ours" } : {})
          }
        }),
        change: (whole, { profile }) => (profile.ownerFields ? { ...whole, ...nobody } : whole),
        isCleanedUp: false
      }),
      {
        title: "PUT of an object of a party that our credentials do not name is refused",
        reference: section,
        sends: "PUT under a country code and party id that our credentials do not name",
        passes: "HTTP 404 or status_code 2xxx",
        hint: "Take from a platform only what belongs to the parties of its credentials.",
        readings: {
          readings: [
            "the credentials say which URLs a client may use, so the receiver refuses all others",
            "the receiver is allowed to answer HTTP 404 there, so it may take the object as well"
          ],
          section
        }
      }
    )
  ])
]
