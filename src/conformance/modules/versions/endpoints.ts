/** Version details: the endpoints that a partner announces. */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf } from "../../../findings/answers.ts"
import { dataIs, success } from "../../../findings/expectations.ts"
import { at, given, repeated, unless } from "../../../findings/finding.ts"
import { isObject, objectIn } from "../../../findings/json.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, inconclusive, noneOf } from "../../model/Check.ts"
import { expects } from "../../model/expects.ts"
import { has, inspect, onEndpoints, place, urlFlaw, versionsBase, versionsChapter } from "./details.ts"

/** Judge the endpoints in the version details (version_information_endpoint, Endpoint class). */
export const endpointsChecks: ReadonlyArray<Check> = [
  {
    ...versionsBase,
    id: "VERS-006",
    title: "Version details: served for every version of the list",
    strength: "must",
    reference: `${versionsChapter}, Version details endpoint`,
    sends: "GET every listed details URL",
    passes: "HTTP 200, status_code 1000, data is one object with version and non-empty endpoints",
    ...expects(["details"], success, dataIs("an object"), (seen) => {
      const { endpoints, version } = objectIn(dataOf(seen))
      return [
        ...unless(typeof version === "string", () =>
          at(seen, "/data/version", "version is missing", { expected: "a string", actual: version })
        ),
        ...unless(Array.isArray(endpoints) && endpoints.length > 0, () =>
          at(seen, "/data/endpoints", "endpoints is not a non-empty array", {
            expected: "a non-empty array",
            actual: endpoints
          })
        )
      ]
    })
  },
  {
    ...versionsBase,
    id: "VERS-007",
    title: "Version details: version is that of the list entry",
    strength: "must",
    reference: `${versionsChapter}, Version details endpoint`,
    sends: "GET every listed details URL",
    passes: "version in the details equals the list entry",
    needs: () => ["details"],
    judge: (evidence) => {
      const read = evidence.answered("details").flatMap((seen) => {
        const data = dataOf(seen)
        return isObject(data) && data["version"] !== undefined ? [{ seen, version: data["version"] }] : []
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
    id: "VERS-008",
    title: "Endpoints: the credentials module is there",
    strength: "must",
    reference: `${versionsChapter}, Endpoint class`,
    passes: "an endpoint with identifier credentials exists",
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
    id: "VERS-009",
    versions: versionsWhere((profile) => profile.endpointRoles),
    title: "Endpoints: each has the role SENDER or RECEIVER",
    strength: "must",
    reference: `${versionsChapter}, InterfaceRole enum`,
    passes: "every endpoint has role SENDER or RECEIVER (any value for credentials)",
    judge: onEndpoints((seen, endpoints) =>
      endpoints
        .filter((entry) => entry["identifier"] !== "credentials")
        .filter((entry) => entry["role"] !== "SENDER" && entry["role"] !== "RECEIVER")
        .map((entry) =>
          at(seen, place(entry, "role"), `${shown(entry["identifier"])} has no legal role`, {
            expected: "SENDER or RECEIVER",
            actual: entry["role"]
          })
        )
    )
  },
  {
    ...inspect,
    id: "VERS-010",
    title: "Endpoints: each interface once",
    strength: "should",
    reference: `${versionsChapter}, Endpoint class`,
    passes: "identifier is unique; with interface roles, the pair of identifier and role",
    judge: onEndpoints((seen, endpoints, { profile }) =>
      repeated(
        endpoints.filter((entry) => !profile.endpointRoles || entry["identifier"] !== "credentials"),
        (entry) => shown(profile.endpointRoles ? [entry["identifier"], entry["role"]] : entry["identifier"])
      ).map((entry) =>
        at(seen, place(entry, "identifier"), "the interface is announced twice", {
          expected: "each interface once",
          actual: profile.endpointRoles ? `${entry["identifier"]} ${entry["role"]}` : entry["identifier"]
        })
      )
    )
  },
  {
    ...inspect,
    id: "VERS-011",
    title: "Endpoints: each url is absolute and at most 255 characters long",
    strength: "must",
    reference: `${versionsChapter}, Endpoint class; types, URL type`,
    passes: "every url is absolute, parseable and at most 255 characters long",
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
