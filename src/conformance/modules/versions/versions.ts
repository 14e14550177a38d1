/** Version discovery: the list of versions and the details behind it. */
import { OcpiVersion } from "../../../../schema/ocpi/OcpiVersion.ts"
import {
  anyOf,
  dataIs,
  http,
  ocpiStatus,
  ocpiStatusOf,
  success,
  unauthorized
} from "../../../findings/expectations.ts"
import { at, given, repeated, unless, when } from "../../../findings/finding.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { expects, expectsUnless } from "../../model/expects.ts"
import { openToAnyone } from "../shared/lists.ts"
import {
  detailsSeen,
  discovery,
  type Entry,
  sameData,
  urlFlaw,
  versionsBase,
  versionsChapter
} from "./details.ts"
import { versionEntries } from "./versionsProbes.ts"

const list = {
  ...versionsBase,
  strength: "must",
  reference: `${versionsChapter}, Version information endpoint`,
  sends: "GET the versions URL with the valid token"
} as const
const withoutToken = { ...list, reference: "transport_and_format, Authorization header" } as const

const compare = (a: string, b: string): number => {
  const [left, right] = [a.split(".").map(Number), b.split(".").map(Number)]
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * Is the version deprecated: older than all that we know, or replaced by a patch release? `by`: a version whose text knows it; the text of
 * 2.2 deprecates 2.1 and not itself.
 */
const retired = (version: unknown, by?: OcpiVersion) =>
  typeof version === "string" &&
  (OcpiVersion.literals.some(
    (known) => known.startsWith(`${version}.`) && (by === undefined || compare(known, by) <= 0)
  ) ||
    OcpiVersion.literals.every((known) => compare(version, known) < 0))

const known = (version: unknown) =>
  typeof version === "string" &&
  /^\d+(\.\d+){1,2}$/.test(version) &&
  (OcpiVersion.literals.some((one) => one === version) || retired(version))

/** Judges the entries of the versions list; not tested when it has none. */
const onEntries =
  (
    judge: (
      seen: Answered,
      entries: ReadonlyArray<Entry>,
      profile: Evidence["profile"]
    ) => Parameters<typeof noneOf>[0]
  ) =>
  (evidence: Evidence): Judgement => {
    const [seen] = evidence.answered("versions")
    const entries = versionEntries(evidence).map((entry, index) => ({ ...entry, index }))
    return seen === undefined || entries.length === 0
      ? inconclusive("not_tested", "the versions list has no entries")
      : noneOf(judge(seen, entries, evidence.profile))
  }

/** Judge the versions list, and authorization of versions and details (version_information_endpoint). */
export const versionsChecks: ReadonlyArray<Check> = [
  {
    ...list,
    id: "VERS-001",
    title: "Versions list: answered with HTTP 200, status_code 1000 and at least one version",
    passes: "HTTP 200, status_code 1000, data is a non-empty array",
    hint: "Answer GET of the versions URL with status_code 1000 and an array of the versions that you serve.",
    ...expects(["versions"], success, dataIs("a non-empty array"))
  },
  {
    ...list,
    ...discovery,
    id: "VERS-002",
    title: "Versions list: each entry has a version and an absolute URL",
    reference: `${versionsChapter}, Version class`,
    passes: "each entry has a string version and an absolute url of at most 255 characters",
    hint: "Give each entry of the versions list a version as text, and the absolute URL of its details.",
    needs: () => ["versions"],
    judge: onEntries((seen, entries) =>
      entries.flatMap(({ index, url, version }) => [
        ...unless(typeof version === "string" && version !== "", () =>
          at(seen, `/data/${index}/version`, "version is not a string", {
            expected: "a JSON string",
            actual: version
          })
        ),
        ...given(urlFlaw(url), (flaw) =>
          at(seen, `/data/${index}/url`, `url ${flaw}`, { expected: "an absolute URL", actual: url })
        )
      ])
    )
  },
  {
    ...list,
    id: "VERS-003",
    title: "Versions list: each version is listed once, and at least one is not deprecated",
    strength: "should",
    reference: `${versionsChapter}, VersionNumber enum`,
    passes:
      "each version is one of OCPI (since 2.3.0 also one of the partner's own) and is listed once; at least one is not deprecated",
    hint: "List each version once, before 2.3.0 only versions of OCPI; keep at least one that is not deprecated.",
    needs: () => ["versions"],
    judge: onEntries((seen, entries, { openEnums, version: judgedBy }) => [
      ...repeated(entries, ({ version }) => shown(version)).map(({ index, version }) =>
        at(seen, `/data/${index}/version`, "the version is listed more than once", {
          expected: "each version once",
          actual: version
        })
      ),
      ...entries
        // An open enum leaves room for numbers of the partner's own (types, OpenEnum).
        .filter(({ version }) => !openEnums && !known(version))
        .map(({ index, version }) =>
          at(seen, `/data/${index}/version`, "no published OCPI version has this number", {
            expected: OcpiVersion.literals.join(", "),
            actual: version
          })
        ),
      ...when(
        entries.every(({ version }) => retired(version, judgedBy)),
        () =>
          at(seen, "/data", "only deprecated versions are listed", {
            expected: "at least one version that is not deprecated",
            actual: entries.map(({ version }) => version)
          })
      )
    ])
  },
  {
    ...withoutToken,
    ...discovery,
    id: "VERS-004",
    title: "Versions list: HTTP 401 without a token",
    sends: "GET the versions URL without Authorization header",
    passes: "HTTP 401",
    hint: "Check the Authorization header at the versions URL too, and answer HTTP 401 without one.",
    ...expects(["versions.no-token"], unauthorized)
  },
  {
    ...withoutToken,
    ...discovery,
    id: "VERS-005",
    title: "Versions list: HTTP 401 for an unknown token",
    sends: "GET the versions URL with a random token",
    passes: "HTTP 401",
    hint: "Look the token up at the versions URL too, and answer HTTP 401 when it is unknown.",
    ifGathered: () => ["versions.no-token"],
    ...expectsUnless(
      ["versions.random-token"],
      openToAnyone(() => "versions.no-token", "VERS-004"),
      unauthorized
    )
  },
  {
    ...withoutToken,
    id: "VERS-014",
    title: "Version details: HTTP 401 without a token and for an unknown one",
    sends: "GET the details URL without and with a random token",
    passes: "HTTP 401 both times",
    hint: "Check the token at the details URL too, and answer HTTP 401 when it is missing or unknown.",
    ...expects(["details.no-token", "details.random-token"], unauthorized)
  },
  {
    ...list,
    id: "VERS-015",
    title: "Version details: a version that does not exist is refused",
    strength: "should",
    reference: `${versionsChapter}; status_codes, 3xxx`,
    sends: "GET the details URL with the version replaced by 9.9.9",
    passes: "HTTP 404, or status_code 2xxx or 3002; never 1000",
    hint: "Answer HTTP 404 to the details of a version that you do not serve.",
    ...expects(
      ["details.unknown-version"],
      anyOf(http(404, 405, 400, 410), ocpiStatusOf(2), ocpiStatus(3002))
    )
  },
  {
    ...list,
    id: "VERS-017",
    title: "Versions and details: the same content at each request, within 2 seconds",
    strength: "should",
    reference: `${versionsChapter}; mod_hub_client_info, Still alive check`,
    sends: "GET versions three times, GET details three times",
    passes: "the same content each time, median below 2 s",
    hint: "Serve versions and details from memory: they change with a release, not between two requests.",
    needs: () => ["versions", "versions.repeat", "details", "details.repeat"],
    judge: (evidence) => {
      const lists = [...evidence.answered("versions"), ...evidence.answered("versions.repeat")]
      const agreed = detailsSeen(evidence)
      const details = [...(agreed === undefined ? [] : [agreed]), ...evidence.answered("details.repeat")]
      return noneOf([lists, details].flatMap(sameData))
    }
  }
]
