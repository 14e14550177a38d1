/** Faults of the envelope and of headers in answers (transport_and_format, status_codes). */
import type { Json } from "../../partner/objects/validity.ts"
import {
  answering,
  header,
  headers,
  instead,
  isAny,
  isFunctional,
  isList,
  isNowhere,
  isVersions,
  noHeader,
  page,
  refusing,
  turning,
  writing
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

const envelope = (edit: (all: Json) => Json) => ({ wraps: edit })
const errors = (edit: (all: Json) => Json) =>
  envelope((all) => (Number(all["status_code"]) >= 2000 ? edit(all) : all))

/** Every time of whole seconds in it, with a numeric offset. */
const withOffsets = (all: Json): unknown =>
  JSON.parse(
    JSON.stringify(all).replaceAll(/(?<="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z?(?=")/g, "+00:00")
  )

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
    envelope((all) => ({ ...all, status_code: String(all["status_code"]) }))
  ),
  fault(
    "envelope.no-timestamp",
    "TRANS-013",
    envelope(({ timestamp: _, ...rest }) => rest)
  ),
  fault(
    "envelope.offset-in-timestamp",
    "TRANS-013",
    envelope((all) => ({ ...all, timestamp: `${String(all["timestamp"]).slice(0, 19)}+00:00` }))
  ),
  fault(
    "envelope.offset-in-all-of-tariffs",
    "TRANS-045",
    envelope((all) => (JSON.stringify(all).includes('"elements"') ? (withOffsets(all) as Json) : all)),
    { roles: ["CPO"], needs: { objects: 5 }, follows: "TRANS-013 TAR-002 CDR-002 TAR-034" }
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
      // In 2.1.1 such an answer at HTTP 200 is told by the checks of the envelope alone.
      versions: "2.2+",
      needs: { refused: "envelope", notFound: "envelope" },
      // At HTTP 200 nothing else says that it was refused, and each rule about the format is broken.
      follows: "TRANS-012 TRANS-013 TRANS-019 CMD-011 CMD-015 CP-005 CP-008 PAY-004 TOK-016 TOK-019 TOK-023"
    }
  ),
  fault(
    "envelope.errors-undated",
    "TRANS-016",
    errors(({ timestamp: _, ...rest }) => rest),
    {
      needs: { refused: "envelope", notFound: "envelope" }
    }
  ),
  fault(
    "envelope.own-code",
    "TRANS-017",
    errors((all) => ({ ...all, status_code: 2901 })),
    {
      needs: { refused: "envelope", notFound: "code" },
      // Each check that wants a certain code.
      follows: "CMD-011 CMD-015 CP-005 CP-008 TOK-016 TOK-019 TOK-023"
    }
  ),
  fault("content.http-422", "TRANS-018", turning(isAny, { http: 200, code: 2001 }, { http: 422 })),
  fault(
    "content.http-500",
    "TRANS-019",
    turning(writing("PUT", "POST", "PATCH"), { code: 2001 }, { http: 500 }),
    {
      follows: "TRANS-018 TRANS-021 TRANS-049 TRANS-050 TRANS-052"
    }
  ),
  fault(
    "content.own-fault",
    "TRANS-019",
    turning(writing("PUT", "POST", "PATCH"), { code: 2001 }, { code: 3000 }),
    {
      follows: "TRANS-021 TRANS-049 TRANS-050 TRANS-052"
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
  fault(
    "headers.slash-crashes",
    "TRANS-040",
    answering(isFunctional, (said, { url }) => (url.pathname.endsWith("/") ? { http: 500 } : said)),
    { needs: { endpointSlash: false } }
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
    "routing.in-lists-alone",
    "TRANS-029",
    headers(
      (asked, where) => isFunctional(asked, where) && !isList(asked, where),
      (all) => Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith("OCPI-")))
    ),
    { needs: { parties: 2 } }
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
