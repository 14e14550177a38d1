/** Faults of HTTP, of the envelope and of headers in answers (transport_and_format, status_codes). */
import type { Json } from "../partner/validity.ts"
import {
  admitting,
  answering,
  both,
  data,
  deep,
  hasNoToken,
  hasToken,
  header,
  headers,
  instead,
  isAny,
  isFunctional,
  isList,
  isListOf,
  isNowhere,
  isVersions,
  noHeader,
  page,
  refusing,
  saying,
  set,
  turning,
  writing
} from "./bends.ts"
import { fault, type Mutation, withAll } from "./Mutation.ts"

const envelope = (edit: (all: Json) => Json) => ({ wraps: edit })
const errors = (edit: (all: Json) => Json) =>
  envelope((all) => (Number(all["status_code"]) >= 2000 ? edit(all) : all))
const isTokenOf = (value: string | undefined) => /^Token \S+$/.test(value ?? "")
/** The body with other fields; as it is when it is no JSON. */
const rewritten = (text: string, fields: Json): string => {
  try {
    return JSON.stringify({ ...(JSON.parse(text) as Json), ...fields })
  } catch {
    return text
  }
}

/** Rows of answers. */
export const answerFaults: ReadonlyArray<Mutation> = withAll({ needs: { bareRouting: false } }, [
  fault(
    "envelope.html",
    "TRANS-011",
    headers(isAny, (all) => ({ ...all, "Content-Type": "text/html" }))
  ),
  fault(
    "envelope.code-as-text",
    "TRANS-012",
    envelope((all) => ({ ...all, status_code: String(all["status_code"]) })),
    {
      follows: "*"
    }
  ),
  fault(
    "envelope.no-timestamp",
    "TRANS-013",
    envelope(({ timestamp: _, ...rest }) => rest),
    {
      follows: "TRANS-016"
    }
  ),
  fault(
    "envelope.offset-in-timestamp",
    "TRANS-013",
    envelope((all) => ({ ...all, timestamp: `${String(all["timestamp"]).slice(0, 19)}+00:00` })),
    { follows: "TRANS-016" }
  ),
  fault(
    "envelope.old-timestamp",
    "TRANS-014",
    envelope((all) => ({ ...all, timestamp: "2026-01-01T00:00:00Z" }))
  ),
  fault(
    "envelope.null-for-none",
    "TRANS-015",
    page((all, said) => (all.length === 0 ? { ...said, data: null } : said)),
    { follows: "PAGE-016 PAGE-023 PAGE-026" }
  ),
  fault(
    "envelope.bare-errors",
    "TRANS-016",
    errors(() => ({ detail: "no" })),
    {
      needs: { refused: "envelope", notFound: "envelope" },
      follows: "*"
    }
  ),
  fault(
    "envelope.errors-undated",
    "TRANS-016",
    errors(({ timestamp: _, ...rest }) => rest),
    {
      needs: { refused: "envelope", notFound: "envelope" },
      follows: "TRANS-013"
    }
  ),
  fault(
    "envelope.own-code",
    "TRANS-017",
    errors((all) => ({ ...all, status_code: 2901 })),
    {
      needs: { refused: "envelope", notFound: "code" },
      follows: "TOK-0* LOC-1* SESS-1* CDR-1* TAR-1* TOK-1* CMD-01* CP-00* TRANS-*"
    }
  ),
  fault("content.http-422", "TRANS-018", turning(isAny, { http: 200, code: 2001 }, { http: 422 })),
  fault(
    "content.http-500",
    "TRANS-019",
    turning(writing("PUT", "POST", "PATCH"), { code: 2001 }, { http: 500 }),
    {
      follows: "TRANS-018 TRANS-021 TRANS-049 TRANS-050 TRANS-052 LOC-1* SESS-1* CDR-1* TAR-1* TOK-1*"
    }
  ),
  fault(
    "content.own-fault",
    "TRANS-019",
    turning(writing("PUT", "POST", "PATCH"), { code: 2001 }, { code: 3000 }),
    {
      follows: "TRANS-021 TRANS-049 TRANS-050 TRANS-052 LOC-1* SESS-1* CDR-1* TAR-1* TOK-1*"
    }
  ),
  fault(
    "content.truncated-taken",
    "TRANS-020",
    turning(writing("PUT", "POST"), { http: 400 }, { http: 200, code: 1000 }),
    {
      follows: "TRANS-021"
    }
  ),
  fault(
    "content.no-body-crashes",
    "TRANS-021",
    instead((asked, where) => writing("PUT")(asked, where) && asked.body === "", { http: 500 })
  ),
  fault("methods.any", "TRANS-022", turning(isFunctional, { http: 405 }, { http: 200, code: 1000 }), {
    follows: "CDR-109 TAR-030 SESS-107"
  }),
  fault(
    "absent.locations-found",
    "TRANS-023",
    answering(isAny, (said, asked, where) =>
      where.isSender &&
      where.module === "locations" &&
      asked.method === "GET" &&
      where.below.length > 0 &&
      (said.http === 404 || said.code === 2000)
        ? { ...said, http: 200, code: 1000, data: null }
        : said
    ),
    { roles: ["CPO"], follows: "LOC-037" }
  ),
  fault(
    "absent.stored-found",
    "TRANS-023",
    answering(writing("GET"), (said) =>
      said.http === 404 || said.code === 2000 ? { ...said, http: 200, code: 1000, data: {} } : said
    ),
    {
      roles: ["EMSP"],
      follows: "TAR-104 LOC-110 SESS-108 TRANS-049 LOC-111 SESS-109 TAR-107 TRANS-051 LOC-112 CRED-051"
    }
  ),
  fault("absent.path-crashes", "TRANS-024", turning(isNowhere, {}, { http: 500 }), {
    follows: "VERS-015 TRANS-019"
  }),
  fault(
    "headers.slash-redirects",
    "TRANS-059",
    {
      arrives: (asked) => {
        const url = new URL(asked.url)
        url.pathname = url.pathname.replace(/\/$/, "")
        return { ...asked, url, headers: { ...asked.headers, "x-path": asked.url.pathname } }
      },
      says: (said, asked, where) =>
        isFunctional(asked, where) && asked.method === "GET" && !asked.headers["x-path"]!.endsWith("/")
          ? { http: 307, headers: { Location: `${asked.url.pathname}/${asked.url.search}` } }
          : said
    },
    { needs: { endpointSlash: false }, follows: "TRANS-040" }
  ),
  fault("headers.no-request-id", "TRANS-025", noHeader("X-Request-ID"), { follows: "TRANS-027" }),
  fault(
    "headers.other-correlation-id",
    "TRANS-026",
    header("X-Correlation-ID", isAny, () => "mine"),
    {
      follows: "TRANS-027"
    }
  ),
  fault(
    "headers.errors-without-ids",
    "TRANS-027",
    answering(isAny, (said) =>
      said.http >= 400 || (said.code ?? 0) >= 2000 ? { ...said, headers: {} } : said
    ),
    { follows: "TRANS-029" }
  ),
  fault(
    "routing.not-swapped",
    "TRANS-029",
    headers(isFunctional, (all, asked) =>
      "OCPI-to-party-id" in all
        ? {
            ...all,
            "OCPI-to-party-id": asked.headers["ocpi-to-party-id"] ?? "",
            "OCPI-from-party-id": asked.headers["ocpi-from-party-id"] ?? ""
          }
        : { ...all }
    )
  ),
  fault(
    "routing.in-versions",
    "TRANS-031",
    headers(isVersions, (all) => ({ ...all, "OCPI-from-party-id": "ST0" }))
  ),
  fault("routing.any-recipient", "TRANS-033", {
    reads: (asked) => {
      const { "ocpi-to-party-id": _, ...rest } = asked.headers
      return { ...asked, headers: rest }
    }
  }),
  fault(
    "routing.case-matters",
    "TRANS-034",
    refusing(
      (asked, where) => isFunctional(asked, where) && /[a-z]/.test(asked.headers["ocpi-to-party-id"] ?? "")
    )
  )
])

/** Rows of requests that are read too strictly, or not strictly enough. */
export const requestFaults: ReadonlyArray<Mutation> = withAll({ needs: { bareRouting: false } }, [
  fault("access.lists-open", "TRANS-001", admitting(both(isList, hasNoToken)), { follows: "TRANS-003" }),
  fault("access.lists-any-token", "TRANS-002", admitting(both(isList, hasToken)), {
    follows: "TRANS-003 TRANS-006"
  }),
  fault(
    "access.odd-header-crashes",
    "TRANS-003",
    answering(isAny, (said, { headers: { authorization } }) =>
      said.http === 401 && authorization !== undefined && !isTokenOf(authorization)
        ? { ...said, http: 500 }
        : said
    )
  ),
  fault("access.encoded-refused", "TRANS-004", turning(isVersions, { http: 200 }, { http: 401 }), {
    follows: "VERS-* CRED-* TRANS-006 TRANS-009"
  }),
  fault("access.plain-refused", "TRANS-005", turning(isVersions, { http: 200 }, { http: 401 }), {
    follows: "VERS-* CRED-* TRANS-009"
  }),
  fault(
    "access.name-by-case",
    "TRANS-009",
    answering(isVersions, (said, { names }) =>
      names.includes("Authorization") || names.includes("authorization") ? said : { http: 401 }
    )
  ),
  fault(
    "access.module-name-by-case",
    "CRED-050",
    answering(isFunctional, (said, { names }) =>
      names.includes("Authorization") || names.includes("authorization") ? said : { http: 401 }
    ),
    { follows: "TRANS-009" }
  ),
  fault("objects.more-fields-refused", "TRANS-035", refusing(both(writing("PUT"), saying(/tst_extra/)))),
  fault("objects.null-refused", "TRANS-038", refusing(both(writing("PUT"), saying(/":null/)))),
  fault(
    "objects.id-by-case",
    "TRANS-039",
    answering(isAny, (said, { method }, { below, isSender, module }) => {
      const id = (said.data as Json | undefined)?.["id"]
      return isSender &&
        module === "locations" &&
        method === "GET" &&
        below.length === 1 &&
        id !== undefined &&
        id !== below[0]
        ? { http: 404 }
        : said
    }),
    { roles: ["CPO"] }
  ),
  fault(
    "objects.marks-lost",
    "TRANS-041",
    instead(
      (asked, where) =>
        writing("PUT", "GET")(asked, where) && where.below.some((one) => /TST[^/]*[:+*]/.test(one)),
      { http: 404 }
    )
  ),
  fault(
    "objects.charset-refused",
    "TRANS-042",
    instead(
      (asked, where) => writing("PUT")(asked, where) && /charset/.test(asked.headers["content-type"] ?? ""),
      { http: 415 }
    )
  ),
  fault(
    "lists.fractions-refused",
    "TRANS-044",
    refusing(
      (asked, where) => isList(asked, where) && /\.\d/.test(asked.url.searchParams.get("date_from") ?? "")
    ),
    { follows: "PAGE-0*" }
  ),
  fault(
    "objects.other-id-taken",
    "TRANS-049",
    {
      reads: (asked, where) =>
        writing("PUT")(asked, where) && where.below.length === 3
          ? {
              ...asked,
              body: rewritten(asked.body, { [where.module === "tokens" ? "uid" : "id"]: where.below[2] })
            }
          : asked
    },
    { follows: "TRANS-021" }
  ),
  fault(
    "objects.other-owner-taken",
    "TRANS-050",
    {
      reads: (asked, where) =>
        writing("PUT")(asked, where) && where.below.length === 3
          ? {
              ...asked,
              body: rewritten(asked.body, { country_code: where.below[0], party_id: where.below[1] })
            }
          : asked
    },
    { follows: "TRANS-021" }
  ),
  fault(
    "objects.any-owner",
    "TRANS-051",
    answering(both(writing("PUT"), deep(3)), (said) =>
      said.http === 404 ? { http: 200, code: 1000 } : said
    ),
    { needs: { notFound: "envelope" } }
  ),
  fault(
    "objects.patch-undated-taken",
    "TRANS-052",
    turning(
      (asked, where) => writing("PATCH")(asked, where) && !asked.body.includes("last_updated"),
      { code: 2001 },
      { code: 1000 }
    )
  ),
  fault("objects.always-new", "TRANS-055", turning(writing("PUT"), { http: 200 }, { http: 201 }), {
    follows: "TRANS-0*"
  }),
  fault("objects.never-new", "TRANS-054", turning(writing("PUT"), { http: 201 }, { http: 200 }), {
    needs: { created: 201 }
  })
])

/** Rows of what every object has. */
export const stampFaults: ReadonlyArray<Mutation> = withAll({ needs: { objects: 5 } }, [
  fault(
    "types.local-time",
    "TRANS-045",
    data(isListOf("tariffs", "tokens"), (all: ReadonlyArray<Json>) =>
      all.map((one, index) => (index === 0 ? set({ last_updated: "2026-05-01T10:00:00+02:00" })(one) : one))
    ),
    {
      follows: "TAR-002 TOK-002 PAGE-* TAR-034 TOK-030"
    }
  ),
  fault(
    "types.line-break",
    "TRANS-046",
    data(isListOf("tariffs", "tokens"), (all: ReadonlyArray<Json>) =>
      all.map((one, index) =>
        index === 0
          ? set(
              one["uid"] === undefined
                ? { tariff_alt_text: [{ language: "en", text: "two\u0007lines" }] }
                : { visual_number: "two\u0007lines" }
            )(one)
          : one
      )
    ),
    {
      follows: "TAR-002 TOK-002 TAR-034 TOK-030 TOK-013"
    }
  )
])
