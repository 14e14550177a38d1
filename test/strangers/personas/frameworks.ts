/** What a web framework does by itself where a service has not thought of it. */
import { isJson, type Json } from "../partner/objects/validity.ts"
import type { Asked, Said } from "../partner/wire.ts"
import { answering, bare, errorsAs, inTurn, isConfiguration, page, placeIn } from "./bends.ts"
import { ids, type Persona } from "./Persona.ts"

const isObjectUrl = (asked: Asked) => placeIn(asked).below.length > 0 && !isConfiguration(asked)
const withPath = (asked: Asked, pathname: string): Asked => {
  const url = new URL(asked.url)
  url.pathname = pathname
  return { ...asked, url }
}

/** FastAPI's own words for an answer that is no success. */
const byFastApi = (said: Said, asked: Asked): Said => {
  if (said.http === 404 || said.code === 2003 || said.code === 2004)
    return bare(404, { detail: "Not Found" }, said.headers)
  if (said.http === 401)
    return asked.headers["authorization"] === undefined
      ? bare(403, { detail: "Not authenticated" }, said.headers)
      : bare(401, { detail: "Invalid token" }, said.headers)
  if (said.http === 405) return bare(405, { detail: "Method Not Allowed" }, said.headers)
  return bare(
    422,
    { detail: [{ type: "missing", loc: ["body", said.message ?? "body"], msg: "Field required" }] },
    said.headers
  )
}

/** What body-parser and Express say. */
const byExpress = (said: Said, { method, url }: Asked): Said => {
  const html = (http: number, text: string) =>
    page(http, "text/html; charset=utf-8", `<!DOCTYPE html><pre>${text}</pre>`, said.headers)
  if (said.http === 404 || said.http === 405) return html(404, `Cannot ${method} ${url.pathname}`)
  if (said.http === 400) return html(400, "SyntaxError: Unexpected end of JSON input")
  return said
}

const bySpring = (said: Said, { url }: Asked): Said => {
  const http = said.http >= 400 ? said.http : 400
  const problem: Json = {
    type: "about:blank",
    title:
      { 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 405: "Method Not Allowed" }[http] ??
      "Error",
    status: http,
    detail: said.message ?? (http === 404 ? "No such resource" : "Failed to read request"),
    instance: url.pathname
  }
  return bare(http, problem, said.headers, "application/problem+json")
}

export const frameworks: ReadonlyArray<Persona> = [
  {
    id: "fastapi",
    about:
      "FastAPI: object URLs end in a slash and redirect without it, bodies are refused with 422 and a detail.",
    version: "2.2.1",
    role: "CPO",
    suite: "full",
    bend: () => ({
      fronts: async (asked, gate) => {
        const { pathname } = asked.url
        if (!isObjectUrl(asked)) return errorsAs(byFastApi)(asked, gate)
        if (!pathname.endsWith("/"))
          return {
            http: 307,
            headers: { Location: withPath(asked, `${pathname}/`).url.href }
          }
        return errorsAs(byFastApi)(withPath(asked, pathname.slice(0, -1)), gate)
      }
    }),
    expects: {
      says: { "TRANS-018": /Field required/, "TRANS-001": /Not authenticated/ },
      failed: ids("CMD-011 CRED-049 CRED-051 TRANS-001 TRANS-018 TRANS-020 VERS-004 VERS-014"),
      warned: ids("CMD-015 CMD-016 CP-005 CP-008 TRANS-016 TRANS-059"),
      blocked: { "TRANS-018": ids("TOK-108 TRANS-019") }
    }
  },
  {
    id: "express-raw-tokens",
    about: "Express: tokens are neither encoded nor decoded, what has no route is an HTML page.",
    version: "2.2.1",
    role: "EMSP",
    suite: "full",
    bend: () => ({
      fronts: inTurn(errorsAs(byExpress), async (asked, gate) => {
        const [, raw] = /^Token (\S+)$/.exec(asked.headers["authorization"] ?? "") ?? []
        return gate.proceed(
          raw === undefined
            ? asked
            : {
                ...asked,
                headers: {
                  ...asked.headers,
                  authorization: `Token ${Buffer.from(raw, "utf8").toString("base64")}`
                }
              }
        )
      }),
      carries: (call) => ({
        ...call,
        headers: {
          ...call.headers,
          Authorization: `Token ${Buffer.from((call.headers["Authorization"] ?? "").slice(6), "base64").toString("utf8")}`
        }
      })
    }),
    expects: {
      failed: ids("TOK-016 TRANS-004 TRANS-007"),
      warned: ids("TRANS-011"),
      blocked: { "TOK-016": ids("TOK-015") }
    }
  },
  {
    id: "go-two-documents",
    about:
      "A Go service answers with http.Error and goes on: what it refuses about credentials is done all the same, and a second JSON document follows.",
    version: "2.2.1",
    role: "CPO",
    suite: "registration",
    bend: () => ({
      fronts: async (asked, gate) => {
        const refused = await gate.proceed(asked)
        if (placeIn(asked).module !== "credentials" || refused.http !== 405 || asked.method !== "PUT")
          return refused
        const taken = await gate.proceed({ ...asked, method: "POST" })
        const document = (said: Said) =>
          JSON.stringify({
            ...(said.data === undefined ? {} : { data: said.data }),
            status_code: said.code,
            status_message: said.message ?? "OK",
            timestamp: `${new Date(gate.now()).toISOString().slice(0, 19)}Z`
          })
        return page(405, "application/json", `${document(refused)}\n${document(taken)}\n`, refused.headers)
      }
    }),
    expects: {
      failed: ids("CRED-017"),
      blocked: { "CRED-017": ids("CRED-001 CRED-013 CRED-018 CRED-020..026 CRED-047") }
    }
  },
  {
    id: "spring-problems",
    about: "Spring: whatever is refused is an RFC 9457 problem without an envelope.",
    version: "2.2.1",
    role: "EMSP",
    suite: "full",
    bend: () => ({ fronts: errorsAs(bySpring) }),
    expects: {
      says: { "TRANS-018": /currency/ },
      failed: ids("TOK-016 TRANS-018"),
      warned: ids("TOK-023 TRANS-011 TRANS-016"),
      blocked: {
        "TOK-016": ids("TOK-015"),
        "TRANS-018": ids("CDR-104 LOC-111 LOC-112 SESS-109 TAR-107 TRANS-019")
      }
    }
  },
  {
    id: "loose-types",
    about: "PHP over a database of texts: numbers and booleans are texts, enum values are in lower case.",
    version: "2.1.1",
    role: "CPO",
    suite: "full",
    bend: () => ({
      fronts: answering((said, asked) =>
        isConfiguration(asked) || said.data === undefined ? said : { ...said, data: loose(said.data) }
      )
    }),
    expects: {
      failed: ids(
        "CDR-002 CDR-032 LOC-002..004 LOC-026 LOC-029 SESS-002 SESS-004 SESS-009 SESS-014 TAR-002 TAR-007 TOK-102 TRANS-047"
      ),
      blocked: {
        "LOC-004": ids("CMD-019"),
        "TAR-002": ids("CDR-016"),
        "TOK-102": ids("TOK-103")
      }
    }
  }
]

const enums = new Set(["status", "standard", "format", "power_type", "auth_method", "capabilities"])

const loose = (value: unknown, field = ""): unknown => {
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  if (typeof value === "string") return enums.has(field) ? value.toLowerCase() : value
  if (Array.isArray(value)) return value.map((one) => loose(one, field))
  return isJson(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, loose(one, name)]))
    : value
}
