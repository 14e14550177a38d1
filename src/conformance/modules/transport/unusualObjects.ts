/**
 * What a partner does with an object that is legal in a way which receivers seldom meet: unknown fields and values, null, an id with
 * reserved characters, other forms of a DateTime.
 */
import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf, succeeded } from "../../../findings/answers.ts"
import { at, unexpected, when } from "../../../findings/finding.ts"
import { isObject } from "../../../findings/json.ts"
import { isEmpty } from "../../../findings/objectDifferences.ts"
import { noneOf, pass } from "../../model/Check.ts"
import { notReadBack } from "../shared/readBack.ts"
import { judging, optional, same, taken } from "../shared/receivers/receiverProofs.ts"
import { accepts } from "../shared/receivers/receiverRules.ts"
import { rule, type Script, script } from "../shared/receivers/receiverScript.ts"
import { type Make, objectSteps, stamp } from "../shared/receivers/receiverSteps.ts"
import { fieldsOf, ourObjects, testObject, withUnknownFields } from "./testObjects.ts"

const { get, put } = objectSteps(ourObjects)

const extended = put("put", testObject("extra"), {
  body: withUnknownFields,
  wrongOnPurpose: { body: "with fields that no version has" }
})
const unknownFields = "PUT of an object with a field of another name, and with one in an object of it"

const emptied = {
  token: { visual_number: null, language: null },
  tariff: { tariff_alt_text: [], tariff_alt_url: null },
  location: { name: null, directions: [] }
}
/** The fields that were sent empty have no value when the object is read back. */
const leftEmpty = judging(get("read back", testObject("nulls", emptied)), (seen, evidence) => {
  const data = dataOf(seen)
  if (!succeeded(seen) || !isObject(data)) return notReadBack(seen)
  const filled = Object.keys(fieldsOf(evidence, emptied)).filter((name) => !isEmpty(data[name]))
  return noneOf(
    filled.map((name) =>
      at(seen, `/data/${name}`, `${name} was sent without a value, and is read back with one`, {
        expected: "absent, null or empty",
        actual: data[name]
      })
    )
  )
})

/** The test object, last updated so many seconds after the beginning of the run, with its time stamp written in another form. */
const stampedAs =
  (seconds: number, write: (text: string) => string): Make =>
  (evidence) => ({
    ...testObject("dates")(evidence),
    last_updated: write(stamp(evidence, seconds))
  })
const withFraction = stampedAs(1, (text) => text.replace("Z", ".123Z"))
const withoutZone = stampedAs(60, (text) => text.replace("Z", ""))

/** A receiver may keep whole seconds only. */
const keptSeconds = 1

/** The object that is read back was last updated at the instant that was sent. */
const keepsInstant = judging(get("read back", withoutZone), (seen, evidence) => {
  const data = dataOf(seen)
  if (!succeeded(seen) || !isObject(data)) return notReadBack(seen)
  const sent = stamp(evidence, 60)
  const kept = dateTimeMillis(data["last_updated"])
  return noneOf(
    when(kept !== undefined && Math.abs(kept - Date.parse(sent)) > keptSeconds * 1000, () =>
      at(seen, "/data/last_updated", "last_updated was sent without Z, and is read back as another instant", {
        expected: sent,
        actual: data["last_updated"],
        hint: "Read a DateTime without Z as UTC, not as local time."
      })
    )
  )
})

/** One script for each. */
export const unusualObjects: ReadonlyArray<Script> = [
  script("extra", [
    accepts("TRANS-035", extended, {
      versions: versionsWhere(({ openEnums }) => openEnums),
      title: "An object with unknown fields is accepted",
      reference: "transport_and_format, Non-specified JSON fields",
      sends: unknownFields,
      hint: "Accept objects with fields that you do not know, and ignore these fields."
    }),
    rule("TRANS-036", {
      proofs: [
        judging(extended, (seen) => (succeeded(seen) ? pass("taken") : noneOf([unexpected(seen, "taken")])))
      ],
      versions: versionsWhere(({ openEnums }) => !openEnums),
      title: "An object with unknown fields: stored with or without them, or refused",
      strength: "may",
      sends: unknownFields,
      passes: "recorded: taken or refused"
    })
  ]),
  script("unknown-word", [
    accepts(
      "TRANS-037",
      put("put", testObject("word", { token: { type: "TST_TYPE" } }), {
        isIn: ({ openEnums }) => openEnums
      }),
      {
        // A tariff has no field with an open enumeration to try.
        roles: ["CPO"],
        title: "A value that an open enumeration does not list is accepted",
        strength: "should",
        reference: "types, OpenEnum type",
        sends: "PUT of a token with a type that no version has",
        hint: "Accept values of an OpenEnum that the version does not list, and keep them."
      }
    )
  ]),
  script("nulls", [
    rule("TRANS-038", {
      proofs: [
        taken(put("put", testObject("nulls"), { body: testObject("nulls", emptied) })),
        optional(leftEmpty)
      ],
      title: "null and an empty list in optional fields are accepted, and mean that the field is absent",
      reference: "terminology, Cardinality",
      sends: "PUT of an object with null in optional fields and [] in optional lists, then GET",
      passes: "status_code 1000; where the object can be read back, the fields are absent, null or empty",
      hint: "Accept an optional field that is left out, null or an empty list: all mean the same."
    })
  ]),
  script("reserved", [
    rule("TRANS-041", {
      proofs: [
        taken(put("put", testObject("a:b*c+d"))),
        same(get("read back", testObject("a:b*c+d")), { main: true })
      ],
      title: "An id with reserved characters is accepted",
      strength: "should",
      reference: "transport_and_format; RFC 3986",
      sends: "PUT and GET of an object whose id has :, * and +, percent-encoded in the URL",
      passes: "stored and read back",
      hint: "Split the path into segments first, then decode each segment."
    })
  ]),
  script("charset", [
    accepts(
      "TRANS-042",
      put("put", testObject("charset"), {
        more: () => ({ headers: { "Content-Type": "application/json; charset=utf-8" } })
      }),
      {
        title: "A Content-Type with a charset is accepted",
        strength: "should",
        reference: "transport_and_format, JSON / HTTP implementation guide",
        sends: "PUT with Content-Type: application/json; charset=utf-8",
        hint: "Compare the media type only; parameters may follow."
      }
    )
  ]),
  script("dates", [
    rule("TRANS-061", {
      proofs: [
        taken(put("fraction", withFraction)),
        taken(put("no zone", withoutZone)),
        optional(keepsInstant)
      ],
      versions: versionsWhere(({ messageIds }) => messageIds),
      title: "A DateTime with a fraction of a second, and one without Z, are accepted",
      reference: "types, DateTime type",
      sends: "PUT of an object whose last_updated has a fraction of a second, then one without Z, then GET",
      passes: "status_code 1000; where the object can be read back, last_updated is the same instant",
      hint: "Accept a DateTime with and without a fraction of a second, and with and without Z; both are UTC."
    })
  ])
]
