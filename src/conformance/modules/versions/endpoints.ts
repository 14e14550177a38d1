/** Version details: the endpoints that a partner announces. */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { type AnsweredExchange, dataOf } from "../../../findings/answers.ts"
import { allOf, dataIs, success } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding, given, repeated, unless } from "../../../findings/finding.ts"
import { isObject, objectIn } from "../../../findings/json.ts"
import { inWords, shown } from "../../../findings/words.ts"
import { type Check, inconclusive, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import {
  discovery,
  has,
  inspect,
  onEndpoints,
  place,
  urlFlaw,
  versionsBase,
  versionsChapter
} from "./details.ts"

/** The probes that read the details pages of all listed versions. */
const detailsOfAll = ["details", "details.others", "details.others-again"]

/** The details page of each listed version; what was asked again in the other form of the token counts in that form. */
const pagesOf = (evidence: Evidence): ReadonlyArray<Answered> => {
  const again = evidence.answeredInAnyVersion("details.others-again")
  const first = evidence.answeredInAnyVersion("details.others")
  return [
    ...evidence.answered("details"),
    ...first.map((seen) => again.find(({ about }) => about === seen.about) ?? seen)
  ]
}

const served = allOf(success, dataIs("an object"), (seen: AnsweredExchange) => {
  const { endpoints, version } = objectIn(dataOf(seen))
  return [
    ...unless(typeof version === "string", () =>
      at(
        seen,
        "/data/version",
        version === undefined ? "version is missing" : `version is ${shown(version)}`,
        {
          expected: "a string",
          actual: version
        }
      )
    ),
    ...unless(Array.isArray(endpoints) && endpoints.length > 0, () =>
      at(seen, "/data/endpoints", "endpoints is not a non-empty array", {
        expected: "a non-empty array",
        actual: endpoints
      })
    )
  ]
})

const isRefusedInBothForms = ({ about, response }: Answered, { profile }: Evidence) =>
  about !== profile.version && response.httpStatus === 401

/** OCPI does not say whether the token of a registration in one version opens the details page of another one. */
const unclearWhichToken = (seen: Answered): Finding =>
  finding(
    seen,
    `the details of ${seen.about} are refused with HTTP 401 to our token, raw and Base64 encoded`,
    {
      expected:
        "HTTP 200: the versions list leads there; OCPI leaves open whether each version may want a token of its own",
      actual: "HTTP 401",
      strength: "should",
      hint: "Let the token of a registration read the details of every version that you list: a change of the version begins there."
    }
  )

/** Judge the endpoints in the version details (version_information_endpoint, Endpoint class). */
export const endpointsChecks: ReadonlyArray<Check> = [
  {
    ...versionsBase,
    ...discovery,
    id: "VERS-006",
    title: "Version details: served for every version of the list",
    strength: "must",
    reference: `${versionsChapter}, Version details endpoint`,
    sends: "GET every listed details URL",
    passes: "HTTP 200, status_code 1000, data is one object with version and non-empty endpoints",
    hint: "Answer the details URL of each listed version with one object that has version and endpoints.",
    partial: true,
    needs: () => detailsOfAll,
    judge: (evidence) =>
      noneOf(
        pagesOf(evidence).flatMap((seen) =>
          isRefusedInBothForms(seen, evidence) ? [unclearWhichToken(seen)] : served(seen)
        )
      )
  },
  {
    ...versionsBase,
    ...discovery,
    id: "VERS-007",
    title: "Version details: version is that of the list entry",
    strength: "must",
    reference: `${versionsChapter}, Version details endpoint`,
    sends: "GET every listed details URL",
    passes: "version in the details equals the list entry",
    hint: "Let each entry of the versions list name the URL of the details of that same version.",
    partial: true,
    needs: () => detailsOfAll,
    judge: (evidence) => {
      const read = pagesOf(evidence).flatMap((seen) => {
        const data = dataOf(seen)
        // VERS-006 reports a version that is no text.
        return isObject(data) && typeof data["version"] === "string"
          ? [{ seen, version: data["version"] }]
          : []
      })
      if (read.length === 0) return inconclusive("not_tested", "no version details were read")
      return noneOf(
        read
          .filter(({ seen, version }) => version !== seen.about)
          .map(({ seen, version }) =>
            at(seen, "/data/version", `the entry for ${seen.about} leads to other details`, {
              expected: seen.about,
              actual: version
            })
          )
      )
    }
  },
  {
    ...inspect,
    ...discovery,
    id: "VERS-008",
    title: "Endpoints: the credentials module is listed",
    strength: "must",
    reference: `${versionsChapter}, Endpoint class`,
    passes: "an endpoint with identifier credentials exists",
    hint: "Add an endpoint with identifier credentials to the version details: partners register there.",
    judge: onEndpoints((seen, endpoints) =>
      unless(has(endpoints, "credentials"), () =>
        at(seen, "/data/endpoints", "there is no credentials endpoint", {
          expected: "an endpoint with identifier credentials",
          actual: endpoints.map((entry) => entry["identifier"])
        })
      )
    )
  },
  {
    ...inspect,
    ...discovery,
    id: "VERS-009",
    versions: versionsWhere((profile) => profile.endpointRoles),
    title: "Endpoints: each has the role SENDER or RECEIVER",
    strength: "must",
    reference: `${versionsChapter}, InterfaceRole enum`,
    passes: "every endpoint has role SENDER or RECEIVER (any value for credentials)",
    hint: "Give each endpoint a role: SENDER where you own the objects of the module, RECEIVER where you get them.",
    judge: onEndpoints((seen, endpoints) =>
      endpoints
        .filter((entry) => entry["identifier"] !== "credentials")
        .filter((entry) => entry["role"] !== "SENDER" && entry["role"] !== "RECEIVER")
        .map((entry) =>
          at(seen, place(entry, "role"), `${shown(entry["identifier"])} has no valid role`, {
            expected: "SENDER or RECEIVER",
            actual: entry["role"]
          })
        )
    )
  },
  {
    ...inspect,
    ...discovery,
    id: "VERS-010",
    title: "Endpoints: each interface is listed once",
    strength: "should",
    reference: `${versionsChapter}, Endpoint class`,
    passes: "identifier is unique; with interface roles, the pair of identifier and role",
    hint: "List one endpoint for each pair of identifier and role; in 2.1.1, one for each identifier.",
    judge: onEndpoints((seen, endpoints, { profile }) =>
      repeated(
        endpoints.filter((entry) => !profile.endpointRoles || entry["identifier"] !== "credentials"),
        (entry) => shown(profile.endpointRoles ? [entry["identifier"], entry["role"]] : entry["identifier"])
      ).map((entry) =>
        at(seen, place(entry, "identifier"), "the interface is announced twice", {
          expected: "each interface once",
          actual: profile.endpointRoles
            ? `${inWords(entry["identifier"])} ${inWords(entry["role"])}`
            : entry["identifier"]
        })
      )
    )
  },
  {
    ...inspect,
    ...discovery,
    id: "VERS-011",
    title: "Endpoints: each url is absolute and at most 255 characters long",
    strength: "must",
    reference: `${versionsChapter}, Endpoint class; types, URL type`,
    passes: "every url is absolute, parseable and at most 255 characters long",
    hint: "Write the whole URL of each endpoint, with scheme and host, in at most 255 characters.",
    judge: onEndpoints((seen, endpoints) =>
      endpoints.flatMap((entry) =>
        given(urlFlaw(entry["url"]), (flaw) =>
          at(seen, place(entry, "url"), `the url of ${shown(entry["identifier"])} ${flaw}`, {
            expected: "an absolute URL of at most 255 characters",
            actual: entry["url"]
          })
        )
      )
    )
  }
]
