/** Version discovery: the list of versions and the details behind it. */
import { OcpiVersion } from "../../../../schema/ocpi/OcpiVersion.ts"
import { envelope, named, shown, statusLine, succeeded } from "../../model/answers.ts"
import { type Check, inconclusive, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { at, notRefused, notSuccess, repeated, wrongData } from "../shared/findings.ts"
import { detailsSeen, sameData, urlFlaw, versionsBase, versionsChapter } from "./details.ts"
import { versionEntries } from "./versionsProbes.ts"

const listPath = "GET the versions URL"

const compare = (a: string, b: string): number => {
  const [left, right] = [a.split(".").map(Number), b.split(".").map(Number)]
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Older than all that we know, or replaced by a patch release that we know. */
const retired = (version: string) =>
  OcpiVersion.literals.some((known) => known.startsWith(`${version}.`)) ||
  OcpiVersion.literals.every((known) => compare(version, known) < 0)

const entriesOf = (evidence: Evidence) => {
  const [seen] = evidence.answered("versions")
  const entries = versionEntries(evidence).map(
    (entry, index) => ({ ...entry, index }) as Record<string, unknown> & { index: number }
  )
  return { seen, entries }
}

export const versionsChecks: ReadonlyArray<Check> = [
  {
    ...versionsBase,
    id: "VERS-001",
    title: "Lists its versions",
    strength: "must",
    reference: `${versionsChapter}, Version information endpoint`,
    sends: `${listPath} with the valid token`,
    passes: "HTTP 200, status_code 1000, data is a non-empty array",
    needs: () => ["versions"],
    judge: (evidence) =>
      noneOf(
        evidence.answered("versions").flatMap((seen) => {
          const status = notSuccess(seen)
          return status.length > 0 ? status : wrongData(seen, "a non-empty array")
        })
      )
  },
  {
    ...versionsBase,
    id: "VERS-002",
    title: "Gives each version a number and an absolute URL",
    strength: "must",
    reference: `${versionsChapter}, Version class`,
    sends: `${listPath} with the valid token`,
    passes: "each entry has a string version and an absolute url of at most 255 characters",
    needs: () => ["versions"],
    judge: (evidence) => {
      const { entries, seen } = entriesOf(evidence)
      if (seen === undefined || entries.length === 0)
        return inconclusive("not_tested", "the versions list has no entries")
      return noneOf(
        entries.flatMap(({ index, url, version }) => {
          const flaw = urlFlaw(url)
          return [
            ...(typeof version === "string" && version !== ""
              ? []
              : [
                  at(seen, `/data/${index}/version`, "version is not a string", {
                    expected: "a JSON string",
                    actual: version
                  })
                ]),
            ...(flaw === undefined
              ? []
              : [at(seen, `/data/${index}/url`, `url ${flaw}`, { expected: "an absolute URL", actual: url })])
          ]
        })
      )
    }
  },
  {
    ...versionsBase,
    id: "VERS-003",
    title: "Lists known versions, each once",
    strength: "should",
    reference: `${versionsChapter}, VersionNumber enum`,
    sends: `${listPath} with the valid token`,
    passes: "versions are unique and known; not only deprecated ones",
    needs: () => ["versions"],
    judge: (evidence) => {
      const { entries, seen } = entriesOf(evidence)
      if (seen === undefined || entries.length === 0)
        return inconclusive("not_tested", "the versions list has no entries")
      const known = (version: unknown) =>
        typeof version === "string" &&
        /^\d+(\.\d+){1,2}$/.test(version) &&
        (OcpiVersion.literals.some((one) => one === version) || retired(version))
      return noneOf([
        ...repeated(entries, ({ version }) => shown(version)).map(({ index, version }) =>
          at(seen, `/data/${index}/version`, "the version is listed more than once", {
            expected: "each version once",
            actual: version
          })
        ),
        ...entries
          .filter(({ version }) => !known(version))
          .map(({ index, version }) =>
            at(seen, `/data/${index}/version`, "no published OCPI version has this number", {
              expected: OcpiVersion.literals.join(", "),
              actual: version
            })
          ),
        ...(entries.every(({ version }) => typeof version === "string" && retired(version))
          ? [
              at(seen, "/data", "only deprecated versions are listed", {
                expected: "at least one version that is not deprecated",
                actual: entries.map(({ version }) => version)
              })
            ]
          : [])
      ])
    }
  },
  {
    ...versionsBase,
    id: "VERS-004",
    title: "Refuses the versions list without a token",
    strength: "must",
    reference: "transport_and_format, Authorization header",
    sends: `${listPath} without Authorization header`,
    passes: "HTTP 401",
    needs: () => ["versions.no-token"],
    judge: (evidence) => noneOf(evidence.answered("versions.no-token").flatMap(notRefused), "HTTP 401")
  },
  {
    ...versionsBase,
    id: "VERS-005",
    title: "Refuses the versions list for an unknown token",
    strength: "must",
    reference: "transport_and_format, Authorization header",
    sends: `${listPath} with a random token`,
    passes: "HTTP 401",
    needs: () => ["versions.random-token"],
    judge: (evidence) => noneOf(evidence.answered("versions.random-token").flatMap(notRefused), "HTTP 401")
  },
  {
    ...versionsBase,
    id: "VERS-014",
    title: "Refuses the version details without a valid token",
    strength: "must",
    reference: "transport_and_format, Authorization header",
    sends: "GET the details URL without and with a random token",
    passes: "HTTP 401 both times",
    needs: () => ["details.no-token", "details.random-token"],
    judge: (evidence) =>
      noneOf(
        ["details.no-token", "details.random-token"].flatMap((id) =>
          evidence.answered(id).flatMap(notRefused)
        ),
        "HTTP 401"
      )
  },
  {
    ...versionsBase,
    id: "VERS-015",
    title: "Knows no version that does not exist",
    strength: "should",
    reference: `${versionsChapter}; status_codes, 3xxx`,
    sends: "GET the details URL with the version replaced by 9.9.9",
    passes: "HTTP 404, or a 2xxx status code or 3002; never 1000",
    needs: () => ["details.unknown-version"],
    judge: (evidence) =>
      noneOf(
        evidence.answered("details.unknown-version").flatMap((seen) => {
          const code = envelope(seen)?.["status_code"]
          const refused =
            [404, 405, 400, 410].includes(seen.response.httpStatus) ||
            (typeof code === "number" && ((code >= 2000 && code < 3000) || code === 3002))
          return refused && !succeeded(seen)
            ? []
            : [
                {
                  message: `${named(seen)} answered ${statusLine(seen)}`,
                  expected: "HTTP 404, or a 2xxx status code or 3002",
                  actual: statusLine(seen),
                  exchangeId: seen.exchange.id
                }
              ]
        })
      )
  },
  {
    ...versionsBase,
    id: "VERS-017",
    title: "Discovery is stable and quick enough for polling",
    strength: "should",
    reference: `${versionsChapter}; mod_hub_client_info, Still alive check`,
    sends: "GET versions three times, GET details three times",
    passes: "the same content each time, median below 2 s",
    needs: () => ["versions", "versions.repeat", "details", "details.repeat"],
    judge: (evidence) => {
      const lists = [...evidence.answered("versions"), ...evidence.answered("versions.repeat")]
      const agreed = detailsSeen(evidence)
      const details = [...(agreed === undefined ? [] : [agreed]), ...evidence.answered("details.repeat")]
      return noneOf([lists, details].flatMap(sameData))
    }
  }
]
