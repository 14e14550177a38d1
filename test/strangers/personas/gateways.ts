/** What stands between a service and its partners. */
import {
  answering,
  bare,
  inTurn,
  isConfiguration,
  page,
  placeIn,
  sentWithout,
  withoutHeaders
} from "./bends.ts"
import { ids, type Persona } from "./Persona.ts"

const isOfOcpi = (name: string) => /^(ocpi-|x-request-id$|x-correlation-id$)/i.test(name)
const isOwn = (name: string) => /^(ocpi-|x-|link$)/i.test(name)

export const gateways: ReadonlyArray<Persona> = [
  {
    id: "gateway-forbids",
    about: "A gateway whose allow-list does not have our address answers 403 to everything.",
    version: "2.2.1",
    role: "CPO",
    suite: "core",
    bend: () => ({
      fronts: async () => page(403, "text/html", "<html><head><title>Request blocked</title></head></html>")
    }),
    expects: { broken: /answered 403.*Request blocked/ }
  },
  {
    id: "gateway-forbids-modules",
    about: "A gateway lets versions and credentials through and answers 403 to every module.",
    version: "2.2.1",
    role: "CPO",
    suite: "full",
    bend: () => ({
      fronts: async (asked, gate) =>
        isConfiguration(asked)
          ? gate.proceed(asked)
          : bare(403, { message: "Forbidden", reason: "route not allowed" })
    }),
    expects: {
      says: { "CRED-012": /Forbidden/ },
      failed: ids("CRED-012"),
      blocked: {
        "CRED-012": ids(
          "CDR-001..024 CDR-026..033 CDR-036..038 CMD-001..013 CMD-015..026 CMD-028..035 CMD-037..041 CP-001..009 CP-011 CP-012 CRED-049..051 JRN-009 LOC-001..004 LOC-006..024 LOC-026..038 LOC-044..051 PAGE-001..028 PAGE-030 SESS-001..011 SESS-013..023 SESS-031 SESS-032 TAR-001..008 TAR-011..022 TAR-031 TAR-032 TAR-034 TAR-035 TOK-101..110 TOK-122 TRANS-001..003 TRANS-015 TRANS-018..023 TRANS-027 TRANS-029 TRANS-033 TRANS-034 TRANS-036 TRANS-038..042 TRANS-044..052 TRANS-054 TRANS-055 TRANS-061"
        )
      }
    }
  },
  {
    id: "proxy-strips-headers",
    about: "A proxy passes on the headers that it knows: none of OCPI's and no X- header, either way.",
    version: "2.2.1",
    role: "CPO",
    suite: "full",
    freedoms: { objects: 12, pageMax: 5 },
    bend: () => ({
      fronts: inTurn(withoutHeaders(isOwn), async (asked, gate) =>
        gate.proceed({
          ...asked,
          headers: Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !isOfOcpi(name)))
        })
      ),
      carries: sentWithout(isOfOcpi)
    }),
    expects: {
      failed: ids("PAGE-001 PAGE-002 PAGE-004 TRANS-025 TRANS-026 TRANS-028"),
      warned: ids("TRANS-033"),
      attributed: { "TRANS-033": "ambiguous" },
      blocked: {
        "PAGE-001": ids("PAGE-005 PAGE-012 PAGE-013 PAGE-016"),
        "PAGE-002": ids("PAGE-014 PAGE-015"),
        "PAGE-004": ids(
          "CDR-021 CDR-024 CDR-037 JRN-009 LOC-019 LOC-048 PAGE-008 PAGE-011 PAGE-024 SESS-010 SESS-031"
        ),
        "TRANS-025": ids("TRANS-027")
      }
    }
  },
  {
    id: "rate-limit",
    about:
      "A rate limit answers 429 with a Retry-After of one second to the first request for each tariff, and 429 alone to each authorization.",
    version: "2.2.1",
    role: "EMSP",
    suite: "full",
    bend: () => {
      const known = new Set<string>()
      const limited = (seconds?: string) =>
        bare(429, { error: "rate limit exceeded" }, seconds === undefined ? {} : { "Retry-After": seconds })
      return {
        fronts: async (asked, gate) => {
          const { below, module } = placeIn(asked)
          if (gate.isKnown && below.at(-1) === "authorize") return limited()
          const isFirst = module === "tariffs" && asked.method === "PUT" && !known.has(asked.url.pathname)
          known.add(asked.url.pathname)
          return isFirst ? limited("1") : gate.proceed(asked)
        }
      }
    },
    expects: {
      says: { "TOK-010": /rate limit exceeded/ },
      blocked: { "HTTP 429": ids("TOK-010 TOK-012..016 TOK-018..027 TOK-032 TRANS-020") }
    }
  },
  {
    id: "link-to-inner-host",
    about: "A service behind a proxy builds its Links from the inner host name, with https.",
    version: "2.2.1",
    role: "CPO",
    suite: "full",
    freedoms: { objects: 12, pageMax: 5 },
    bend: () => ({
      fronts: answering((said) => {
        const link = said.headers?.["Link"]
        return link === undefined
          ? said
          : {
              ...said,
              headers: {
                ...said.headers,
                Link: link.replace(/http:\/\/127\.0\.0\.1:\d+/, "https://ocpi-core.internal:8443")
              }
            }
      })
    }),
    expects: {
      failed: ids("PAGE-006"),
      blocked: {
        "PAGE-006": ids(
          "CDR-002..024 CDR-026..033 CDR-038 CMD-019 JRN-009 LOC-002..004 LOC-006..024 LOC-026..032 LOC-034..038 LOC-044..051 PAGE-005 PAGE-007..013 PAGE-019..022 PAGE-024 PAGE-026 PAGE-027 PAGE-030 SESS-002 SESS-004..011 SESS-013..018 SESS-031 TAR-020 TAR-022 TAR-031 TOK-122 TRANS-039 TRANS-044..048"
        )
      }
    }
  },
  {
    id: "location-with-https",
    about: "A service that is called by http writes https into the Location header of each CDR.",
    version: "2.2.1",
    role: "EMSP",
    suite: "cdrs",
    bend: () => ({
      fronts: answering((said) => {
        const location = said.headers?.["Location"]
        return location === undefined
          ? said
          : { ...said, headers: { ...said.headers, Location: location.replace(/^http:/, "https:") } }
      })
    }),
    expects: { warned: ids("CDR-102"), blocked: { "CDR-102": ids("CDR-103 CDR-109") } }
  },
  {
    id: "cached-pages",
    about: "A cache of ten minutes stands before reading requests, and knows no writes.",
    version: "2.2.1",
    role: "EMSP",
    suite: "full",
    bend: () => {
      const kept = new Map<
        string,
        {
          readonly until: number
          readonly data: unknown
          readonly http: number
          readonly code: number | undefined
        }
      >()
      return {
        fronts: async (asked, gate) => {
          const said = await gate.proceed(asked)
          if (asked.method !== "GET" || isConfiguration(asked) || !gate.isKnown) return said
          const key = `${asked.url.href}`
          const old = kept.get(key)
          if (old !== undefined && old.until > gate.now()) {
            const { code, data, http } = old
            return {
              http,
              headers: said.headers ?? {},
              ...(code === undefined ? {} : { code }),
              ...(data === undefined ? {} : { data })
            }
          }
          kept.set(key, { until: gate.now() + 600_000, data: said.data, http: said.http, code: said.code })
          return said
        }
      }
    },
    expects: {
      failed: ids("LOC-107..109 LOC-113 SESS-103 SESS-106 TAR-103"),
      warned: ids("TRANS-033"),
      blocked: { "SESS-103": ids("JRN-011 SESS-105 SESS-110") },
      attributed: { "TRANS-033": "ambiguous" }
    }
  }
]
