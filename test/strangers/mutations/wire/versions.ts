/** Faults in the versions list and the details (version_information_endpoint). */
import type { Json } from "../../partner/objects/validity.ts"
import {
  admitting,
  answering,
  both,
  data,
  hasNoToken,
  hasToken,
  isDetails,
  isNowhere,
  isVersions,
  refusing,
  saying,
  set,
  within,
  writing
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { marksLost } from "../receivers/receiving.ts"

type Endpoints = ReadonlyArray<Json>
const endpoints = (edit: (all: Endpoints) => Endpoints) =>
  data(isDetails, (json: Json) => ({ ...json, endpoints: edit(json["endpoints"] as Endpoints) }))
const first = (all: Endpoints, edit: (one: Json) => Json): Endpoints =>
  all.map((one, index) => (index === 0 ? edit(one) : one))
const otherSide = (one: Json) => ({ ...one, role: one["role"] === "SENDER" ? "RECEIVER" : "SENDER" })

/** Announces no tariffs. */
const noTariffs = endpoints((all) => all.filter(({ identifier }) => identifier !== "tariffs"))

/** Rows of an EMSP without tariffs: what it does with any object shows at its locations. */
export const withoutTariffs: ReadonlyArray<Mutation> = withAll(
  { roles: ["EMSP"], order: { part: "full", early: true }, follows: "VERS-013" },
  [
    fault("no-tariffs.marks-lost", "TRANS-041", { ...noTariffs, ...marksLost }),
    fault("no-tariffs.more-fields-refused", "TRANS-035", {
      ...noTariffs,
      ...refusing(both(writing("PUT"), saying(/tst_extra/)))
    }),
    fault(
      "no-tariffs.any-token",
      "CRED-051",
      { ...noTariffs, ...admitting(both(writing("PUT"), hasToken)) },
      {
        follows: "TRANS-002 TRANS-003 TRANS-006 CRED-049"
      }
    )
  ]
)

/** Rows of versions. */
export const versionFaults: ReadonlyArray<Mutation> = [
  fault(
    "versions.empty-list",
    "VERS-001",
    data(isVersions, () => []),
    { follows: "CRED-006" }
  ),
  fault(
    "versions.relative-url",
    "VERS-002",
    data(isVersions, (all: Endpoints) => [...all, { version: "2.2.1", url: "/2.2.1" }]),
    { follows: "VERS-003 VERS-006 VERS-007" }
  ),
  fault(
    "versions.twice",
    "VERS-003",
    data(isVersions, (all: Endpoints) => [...all, all[0]])
  ),
  fault("versions.open", "VERS-004", admitting(both(isVersions, hasNoToken)), { follows: "TRANS-003" }),
  fault("versions.any-token", "VERS-005", admitting(both(isVersions, hasToken)), { follows: "TRANS-003" }),
  fault(
    "details.as-list",
    "VERS-006",
    data(isDetails, (json) => [json])
  ),
  fault("details.other-version", "VERS-007", data(isDetails, set({ version: "2.0" }))),
  fault(
    "details.no-credentials",
    "VERS-008",
    endpoints((all) => all.filter(({ identifier }) => identifier !== "credentials"))
  ),
  fault(
    "details.no-role",
    "VERS-009",
    endpoints((all) => all.map(({ role: _, ...rest }) => rest)),
    {
      follows: "VERS-016"
    }
  ),
  fault(
    "details.twice",
    "VERS-010",
    endpoints((all) => [...all, ...all.filter((one) => one["identifier"] === "tokens")])
  ),
  fault(
    "details.relative-url",
    "VERS-011",
    endpoints((all) => first(all, (one) => ({ ...one, url: "/ocpi/here" })))
  ),
  fault(
    "details.unknown-module",
    "VERS-012",
    endpoints((all) => [...all, { ...all[0], identifier: "parking" }])
  ),
  fault(
    "details.module-without-checks",
    "VERS-018",
    endpoints((all) => [...all, { ...all[0], identifier: "parking" }])
  ),
  fault("details.no-tariffs", "VERS-013", noTariffs, { roles: ["EMSP"] }),
  fault(
    "details.no-sessions",
    "VERS-013",
    endpoints((all) => all.filter(({ identifier }) => identifier !== "sessions")),
    { roles: ["CPO"] }
  ),
  fault("details.open", "VERS-014", admitting(both(isDetails, hasNoToken))),
  fault("details.any-token", "VERS-014", admitting(both(isDetails, hasToken))),
  fault(
    "details.any-version",
    "VERS-015",
    answering(isNowhere, (said, { url }) =>
      url.pathname.includes("9.9.9")
        ? { http: 200, code: 1000, data: { version: "9.9.9", endpoints: [] } }
        : said
    ),
    { needs: { paths: "version first" } }
  ),
  fault(
    "details.other-side",
    "VERS-016",
    endpoints((all) => [...all, ...all.filter((one) => one["identifier"] === "sessions").map(otherSide)]),
    { needs: { moreRoles: false } }
  ),
  fault("versions.slow", "VERS-017", {}, { needs: { latency: 4000 }, follows: "TOK-026" }),
  fault("details.role-of-no-kind", "VERS-009", data(isDetails, within("endpoints", set({ role: "BOTH" }))), {
    needs: { listedBackwards: true },
    follows: "VERS-016"
  })
]
