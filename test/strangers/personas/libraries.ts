/** Libraries for OCPI as they are published, and what a service built on them cannot help. */
import { isJson, type Json } from "../partner/objects/validity.ts"
import { type Asked, parsed, type Said } from "../partner/wire.ts"
import { answering, bare, isConfiguration, placeIn } from "./bends.ts"
import { ids, type Persona } from "./Persona.ts"

/** FastAPI's words for a field that the model requires. */
const fieldRequired = (name: string) =>
  bare(422, { detail: [{ type: "missing", loc: ["body", name], msg: "Field required" }] })

const objectsInLists = answering((said, asked) =>
  isConfiguration(asked) || !isJson(said.data) ? said : { ...said, data: [said.data] }
)

const isEmptyList = (data: unknown) => Array.isArray(data) && data.length === 0

/** Is it a page of a list? */
const isListed = (said: Said, asked: Asked) =>
  asked.method === "GET" &&
  !isConfiguration(asked) &&
  placeIn(asked).below.length === 0 &&
  Array.isArray(said.data)

/** Of a token, wherever it stands in a body. */
const tokenIn = (json: Json): Json => (isJson(json["token"]) ? json["token"] : json)

export const libraries: ReadonlyArray<Persona> = [
  {
    id: "objects-in-lists-emsp",
    about: "A library answers every single object as a list of one.",
    version: "2.2.1",
    role: "EMSP",
    suite: "full",
    bend: () => ({ fronts: objectsInLists }),
    expects: {
      failed: ids("CDR-103 LOC-102 SESS-102 TAR-102 TOK-012"),
      blocked: {
        "CDR-103": ids("CDR-106 CDR-109"),
        "LOC-102": ids("LOC-103..109 LOC-113 LOC-115..118"),
        "SESS-102": ids("JRN-011 SESS-103..106 SESS-110 SESS-115"),
        "TAR-102": ids("TAR-103 TAR-108..110 TRANS-019 TRANS-041"),
        "TOK-012": ids("TOK-013 TOK-018 TOK-019 TOK-021 TOK-022")
      }
    }
  },
  {
    id: "objects-in-lists-cpo",
    about: "The same library at a CPO.",
    version: "2.2.1",
    role: "CPO",
    suite: "full",
    bend: () => ({ fronts: objectsInLists }),
    expects: {
      failed: ids("CMD-001 CP-003 LOC-034..036 TOK-102"),
      blocked: {
        "CMD-001": ids(
          "CMD-002..004 CMD-010 CMD-012..014 CMD-016 CMD-020..022 CMD-024 CMD-028 CMD-034 CMD-038 SESS-032"
        ),
        "CMD-028": ids("CMD-029..033 CMD-037"),
        "CMD-038": ids("CMD-039"),
        "HTTP 200": ids("CMD-018 CMD-023 CMD-025 CMD-026 CMD-035 CMD-041 CP-001 CP-002 CP-004..009 SESS-021"),
        "LOC-034": ids("TRANS-039"),
        "TOK-102": ids("TOK-103..106 TOK-110 TRANS-019 TRANS-041")
      }
    }
  },
  {
    id: "optional-fields-required",
    about: "A library of which every optional field of a token is required.",
    version: "2.2.1",
    role: "CPO",
    suite: "full",
    bend: () => ({
      fronts: async (asked, gate) => {
        const { module } = placeIn(asked)
        const json = ["PUT", "POST"].includes(asked.method) ? parsed(asked.body) : undefined
        return isJson(json) &&
          (module === "tokens" || (module === "commands" && isJson(json["token"]))) &&
          tokenIn(json)["group_id"] === undefined
          ? fieldRequired("group_id")
          : gate.proceed(asked)
      }
    }),
    expects: {
      says: { "CMD-001": /Field required/, "TOK-101": /Field required/ },
      failed: ids("CMD-001 CRED-049 CRED-051 TOK-101 TRANS-027"),
      warned: ids("TRANS-016"),
      blocked: {
        "CMD-001": ids("CMD-004 CMD-010 CMD-011 CMD-013..016 CMD-020..022 CMD-024 CMD-028 CMD-034 SESS-032"),
        "CMD-028": ids("CMD-029..033 CMD-037"),
        "HTTP 422": ids("CMD-018 CMD-023 CMD-025 CMD-026 CMD-035 CMD-041 CP-001 CP-002 CP-004..009 SESS-021"),
        "TOK-101": ids(
          "TOK-102..110 TRANS-018 TRANS-019 TRANS-021 TRANS-036 TRANS-038 TRANS-041 TRANS-042 TRANS-049..051 TRANS-054 TRANS-055 TRANS-061"
        ),
        "TOK-103": ids("TRANS-052")
      }
    }
  },
  {
    id: "no-parts-of-locations",
    about:
      "A library that has routes for whole locations alone: PATCH of an EVSE or a connector is no route.",
    version: "2.2.1",
    role: "EMSP",
    suite: "full",
    bend: () => ({
      fronts: async (asked, gate) => {
        const { below, module } = placeIn(asked)
        return module === "locations" && below.length > 3 && asked.method === "PATCH"
          ? { http: 405 }
          : gate.proceed(asked)
      }
    }),
    expects: {
      failed: ids("LOC-104 TRANS-027"),
      blocked: { "LOC-104": ids("LOC-106 LOC-107 LOC-110 LOC-113"), "LOC-106": ids("LOC-108") }
    }
  },
  {
    id: "pages-without-data",
    about: "A Go library that cannot write the objects of a page: every list comes without data.",
    version: "2.2.1",
    role: "CPO",
    suite: "full",
    bend: () => ({
      fronts: answering((said, asked) =>
        isListed(said, asked) ? { ...said, wrap: ({ data: _, ...envelope }) => envelope } : said
      )
    }),
    expects: {
      failed: ids("CDR-001 LOC-001 SESS-001 TAR-001"),
      blocked: {
        "CDR-001": ids("CDR-002..024 CDR-026..033 CDR-036..038"),
        "LOC-001": ids(
          "CMD-001 CMD-002 CMD-004..010 CMD-012 CMD-016..026 CMD-028..033 CMD-035 CMD-037..041 CP-001 CP-002 CP-004..009 CP-011 CP-012 LOC-002..004 LOC-006..024 LOC-026..038 LOC-044..051 PAGE-001..017 PAGE-019..028 PAGE-030 SESS-019..021 SESS-023 SESS-032 TAR-031 TOK-122 TRANS-015 TRANS-033 TRANS-039 TRANS-044..048"
        ),
        "SESS-001": ids("JRN-009 SESS-002 SESS-004..011 SESS-013..018 SESS-031"),
        "TAR-001": ids("TAR-002..008 TAR-011..022 TAR-032 TAR-034 TAR-035")
      }
    }
  },
  {
    id: "null-for-none",
    about:
      "A Go service: an empty list is null, and endpoints come from a map, in another order at each request.",
    version: "2.2.1",
    role: "CPO",
    suite: "full",
    bend: () => {
      let turns = 0
      return {
        fronts: answering((said, asked) => {
          if (isListed(said, asked) && isEmptyList(said.data)) return { ...said, data: null }
          const endpoints = isJson(said.data) ? said.data["endpoints"] : undefined
          if (!Array.isArray(endpoints) || !isJson(said.data)) return said
          turns += 1
          const turned = [...endpoints.slice(turns), ...endpoints.slice(0, turns)]
          return { ...said, data: { ...said.data, endpoints: turned } }
        })
      }
    },
    expects: { failed: ids("TRANS-015") }
  },
  {
    id: "bare-links",
    about: "A service whose Link header is the URL alone, and whose usual page has room for everything.",
    version: "2.2.1",
    role: "CPO",
    suite: "full",
    freedoms: { pageUsual: 500, pageMax: 500 },
    bend: () => ({
      fronts: answering((said) => {
        const { Link, ...headers } = said.headers ?? {}
        const [, url] = /<([^>]*)>/.exec(Link ?? "") ?? []
        return url === undefined ? said : { ...said, headers: { ...headers, Link: url } }
      })
    }),
    expects: {
      failed: ids("PAGE-004"),
      blocked: { "PAGE-004": ids("LOC-048 PAGE-008 PAGE-011 PAGE-024") }
    }
  }
]
