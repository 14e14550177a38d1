/** What an EMSP does with the tariffs that we write to it (mod_tariffs, Receiver Interface), each script with its own. */

import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { named, statusLine, succeeded } from "../../../findings/answers.ts"
import type { JsonObject } from "../../../findings/json.ts"
import { blocked, pass } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { caseScript } from "../shared/receivers/idCase.ts"
import { readBackAtAll } from "../shared/receivers/lostFields.ts"
import { receiver } from "../shared/receivers/receiver.ts"
import { absent, invalid, judging, same, saysAbsent, taken } from "../shared/receivers/receiverProofs.ts"
import {
  creates,
  keeps,
  merges,
  refuses,
  refusesInvalid,
  replaces,
  returns
} from "../shared/receivers/receiverRules.ts"
import { type Proof, rule, script } from "../shared/receivers/receiverScript.ts"
import { objectSteps, type ScriptStep, without } from "../shared/receivers/receiverSteps.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { component, optionalFields, ourTariffs, priced, restricted, tariff } from "./testTariff.ts"

const { del, get, patch, put } = objectSteps(() => ourTariffs)

/** Where a tariff is read that is there. */
const plainRead = "tariffs.write#read back"

const lean = (evidence: Evidence) => without(...optionalFields)(tariff("put", priced(0.6))(evidence))
const unwanted = put("put", tariff("delete"))
const rich = tariff("rich", restricted)
const exact = tariff("exact", (evidence) => ({
  elements: [{ price_components: [component(evidence, "ENERGY", 0.1234)] }]
}))

type Change = (whole: JsonObject, evidence: Evidence) => JsonObject

/** PUT of an invalid tariff, under an id of its own; and GET, which must not find it. */
const spoilt = (
  id: string,
  what: string,
  change: Change,
  isIn: (profile: VersionProfile) => boolean = () => true
) => [
  invalid(put(id, tariff(id), { change, isIn, wrongOnPurpose: { body: what } })),
  absent(get(`read ${id}`, tariff(id), { isIn }))
]
/** The deleted tariff is not found any more; where none can be read, that shows nothing. */
const seenGone = (read: ScriptStep): Proof =>
  judging(read, (seen, evidence) => {
    const judgement = absent(read, "the tariff that was deleted").judge?.(seen, evidence) ?? pass()
    const plain = stepOf(evidence, plainRead)
    return judgement.is === "pass" && plain !== undefined && !succeeded(plain)
      ? blocked({
          check: "TAR-102",
          exchangeId: plain.exchange.id,
          what: `a tariff has to be found first, and ${named(plain)} was answered ${statusLine(plain)}`
        })
      : judgement
  })
const withComponent = (whole: JsonObject, one: JsonObject): JsonObject => ({
  ...whole,
  elements: [{ price_components: [one] }]
})

/** The probes and checks of tariffs that an EMSP receives. */
export const tariffWrites = receiver(
  {
    module: "tariffs",
    noun: "tariff",
    roles: ["EMSP"],
    reference: "mod_tariffs, Receiver Interface",
    plain: "TAR-101",
    returned: "TAR-102"
  },
  [
    script("write", [
      creates("TAR-101", put("put", tariff("put"))),
      returns("TAR-102", get("read back", tariff("put")), {
        passes: "every field as it was sent; elements and components in their order",
        hint: "Keep the order of elements and price components: it decides which price applies."
      }),
      replaces("TAR-103", {
        proofs: [taken(put("replace", lean)), same(get("read replaced", lean), { gone: optionalFields })],
        sends: "PUT of the same tariff with other elements and without its optional fields, then GET",
        passes: "the elements are the new ones, the optional fields are gone"
      })
    ]),
    script("delete", [
      unwanted,
      rule("TAR-104", {
        // What was never stored is not found either: TAR-102 reports that.
        requires: () => [
          {
            check: "TAR-102",
            orWarned: true,
            unless: (evidence) =>
              ![plainRead, "tariffs.delete#delete"].every((step) => saysAbsent(stepOf(evidence, step)))
          }
        ],
        proofs: [
          taken(del("delete", tariff("delete"), { undoes: unwanted })),
          seenGone(get("read deleted", tariff("delete")))
        ],
        title: "DELETE removes a tariff",
        sends: "DELETE of a tariff that was put, then GET",
        passes: "status_code 1000; the tariff is not found any more",
        hint: "Remove the tariff on DELETE, and answer HTTP 404 to GET of it from then on."
      })
    ]),
    script("unknown", [
      refuses("TAR-105", del("delete", tariff("unknown"), { about: "unknown tariff" }), {
        sends: "DELETE of an unknown tariff",
        passes: "HTTP 404, or status_code 2xxx",
        hint: "Answer HTTP 404 to DELETE of a tariff that does not exist."
      })
    ]),
    script("patch", [
      put("put", tariff("patch")),
      merges("TAR-106", {
        proofs: [
          taken(patch("patch", tariff("patch"), priced(0.7))),
          same(get("read patched", tariff("patch", priced(0.7))))
        ],
        versions: versionsWhere(({ tariffPatch }) => tariffPatch),
        sends: "PATCH of a tariff's elements, then GET",
        passes: "the elements are the new ones, every other field as before"
      })
    ]),
    caseScript(
      "TAR-110",
      { get, put },
      {
        noun: "tariff",
        idField: "id",
        object: tariff("MiXed"),
        otherwise: "the tariff was not accepted",
        strength: "should",
        requires: () => [readBackAtAll({ check: "TAR-102", read: plainRead, object: tariff("put") })]
      }
    ),
    script("wrong", [
      refusesInvalid("TAR-107", {
        proofs: [
          ...spoilt("no-elements", "without elements", without("elements")),
          ...spoilt("no-step", "without step_size", (whole, evidence) =>
            withComponent(whole, without("step_size")(component(evidence, "ENERGY", 0.5)))
          ),
          ...spoilt("dimension", "with the dimension KWH", (whole, evidence) =>
            withComponent(whole, component(evidence, "KWH", 0.5))
          ),
          ...spoilt(
            "no-tax",
            "without tax_included",
            without("tax_included"),
            ({ tariffTax }) => tariffTax === "tax_included"
          )
        ],
        sends:
          "PUT of a tariff without elements, without step_size, with a dimension KWH; where the version has it, without tax_included; GET of each",
        passes: "status_code 2001 each time, and nothing was stored"
      })
    ]),
    script("rich", [
      keeps("TAR-108", {
        proofs: [taken(put("put", rich)), same(get("read back", rich))],
        title: "Every restriction of a tariff is kept",
        consequenceOf: ["TAR-102"],
        reference: "mod_tariffs, TariffRestrictions class",
        sends: "PUT of a tariff with several elements and every restriction of the version, then GET",
        hint: "Keep every restriction, also those that you do not use: without one of them the price is wrong."
      })
    ]),
    script("exact", [
      keeps("TAR-109", {
        proofs: [taken(put("put", exact)), same(get("read back", exact))],
        title: "Prices with four decimals are kept",
        strength: "should",
        reference: "types, number type",
        sends: "PUT of a tariff with the price 0.1234, then GET",
        passes: "the price is 0.1234",
        hint: "Do not round prices: only the total of a session is an amount that is paid."
      })
    ])
  ]
)
