/** Who may see a location, in which words it is described, and what else can be looked at. */

import { header } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, unless, when } from "../../../findings/finding.ts"
import { type JsonObject, keyText, objectsIn } from "../../../findings/json.ts"
import type { Check } from "../../model/Check.ts"
import type { Answered } from "../../model/Evidence.ts"
import { inEntriesOf } from "../shared/objects/objectFlaws.ts"
import { wrong } from "../shared/objects/objectRules.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import { judgePages } from "../shared/webPages.ts"
import {
  flawsOfLocation,
  laterLocations,
  locationsBase,
  locationsChapter,
  onLocations,
  onParts
} from "./readLocations.ts"

const allowed = ({ json }: Placed) => objectsIn(json["publish_allowed_to"])
const markup = /<\/?[a-z][^<>]*>|&(?:[a-z]+|#\d+);/i

/**
 * Judge publish_allowed_to, directions, images and terms_and_conditions (mod_locations, Location object,
 * PublishTokenType and Image classes; types, DisplayText class).
 */
export const locationPublishingChecks: ReadonlyArray<Check> = [
  {
    ...locationsBase,
    id: "LOC-022",
    versions: laterLocations,
    title: "Location: publish_allowed_to is given only when publish is false",
    reference: `${locationsChapter}, Location object`,
    passes: "publish_allowed_to is empty unless publish is false",
    hint: "Set publish to false, or leave publish_allowed_to out.",
    judge: onLocations(({ locations }) =>
      locations
        // LOC-002 reports a publish that is missing.
        .filter((item) => allowed(item).length > 0 && item.json["publish"] === true)
        .map((item) =>
          wrong(item, "publish_allowed_to", "publish_allowed_to is given although publish is true", {
            expected: "absent, because publish is true",
            actual: item.json["publish_allowed_to"]
          })
        )
    )
  },
  {
    ...locationsBase,
    id: "LOC-023",
    versions: laterLocations,
    title: "PublishTokenType: one of uid, visual_number and group_id is given, with type or issuer",
    reference: `${locationsChapter}, PublishTokenType class`,
    passes: "one of uid, visual_number and group_id; uid with type, visual_number with issuer",
    hint: "Name the tokens by uid and type, by visual_number and issuer, or by group_id.",
    judge: (evidence) =>
      onParts(
        ({ locations }) => locations,
        "has publish_allowed_to",
        (item) =>
          allowed(item).length === 0
            ? undefined
            : flawsOfLocation(item, inEntriesOf("publish_allowed_to"), evidence)
      )(evidence)
  },
  {
    ...locationsBase,
    id: "LOC-032",
    title: "Directions: one text for each language, without markup",
    strength: "should",
    reference: "types, DisplayText class",
    passes: "directions have one text for each language, without markup",
    hint: "Send plain text, and join the texts of one language into one.",
    judge: onParts(
      ({ evses, locations }) => [...locations, ...evses],
      "has directions",
      (item) => {
        const texts = objectsIn(item.json["directions"])
        return texts.length === 0 ? undefined : textFlaws(item, texts)
      }
    )
  },
  {
    ...locationsBase,
    id: "LOC-033",
    title: "Image url and terms_and_conditions: HTTP 2xx without a token, images of the declared type",
    strength: "should",
    reference: `${locationsChapter}, Image class; Connector object`,
    sends: "GET of up to 10 image and terms_and_conditions URLs, without a token",
    passes: "HTTP 2xx, and an image of the type that is declared",
    hint: "Serve these URLs without a login: they are for drivers.",
    needs: () => [...locationsBase.needs(), "locations.urls"],
    judge: (evidence) => judgePages(evidence, "locations.urls", urlFlaws)
  }
]

function textFlaws(item: Placed, texts: ReadonlyArray<JsonObject>): ReadonlyArray<Finding> {
  const met = new Set<string>()
  return texts.flatMap(({ language, text }, index) => {
    const key = keyText(language).toLowerCase()
    const again = met.has(key)
    met.add(key)
    return [
      ...when(again, () =>
        wrong(item, `directions/${index}/language`, "directions has two texts in one language", {
          expected: "each language once",
          actual: language
        })
      ),
      ...when(typeof text === "string" && markup.test(text), () =>
        wrong(item, `directions/${index}/text`, "the text contains markup", {
          expected: "plain text",
          actual: text
        })
      )
    ]
  })
}

/** `about` is the declared type of an image; empty for a page. */
function urlFlaws(seen: Answered): ReadonlyArray<Finding> {
  const { httpStatus } = seen.response
  const wrongly = (message: string, expected: string, actual: string): Finding =>
    finding(seen, `${seen.exchange.request.url} ${message}`, { expected, actual })
  if (httpStatus < 200 || httpStatus >= 300)
    return [wrongly(`answers HTTP ${httpStatus}`, "HTTP 2xx", `HTTP ${httpStatus}`)]
  const type = header(seen, "content-type") ?? "none"
  const declared = seen.about.toLowerCase()
  return unless(declared === "" || type.toLowerCase().includes(declared === "jpg" ? "jpeg" : declared), () =>
    wrongly("is no image of the declared type", `image/${declared}`, type)
  )
}
