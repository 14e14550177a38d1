/** Faults in how requests are read, and in the types of fields (transport_and_format, types). */
import type { Bend } from "../../partner/Bend.ts"
import type { Json } from "../../partner/objects/validity.ts"
import {
  admitting,
  answering,
  both,
  data,
  deep,
  hasNoToken,
  hasToken,
  instead,
  isAny,
  isFunctional,
  isList,
  isListOf,
  isVersions,
  refusing,
  saying,
  set,
  turning,
  writing
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { marksLost } from "../receivers/receiving.ts"

const isTokenOf = (value: string | undefined) => /^Token \S+$/.test(value ?? "")
/** Takes tokens in the other form only: what is told to stand in one of these encodings is read as standing in the other. */
const readingTokens = (from: "base64" | "utf8", to: "base64" | "utf8"): Bend => ({
  arrives: (asked) => {
    const value = /^Token (\S+)$/.exec(asked.headers["authorization"] ?? "")?.[1]
    return value === undefined
      ? asked
      : {
          ...asked,
          headers: { ...asked.headers, authorization: `Token ${Buffer.from(value, from).toString(to)}` }
        }
  }
})
/** The token in a header, in either form. */
const tokensIn = (header = ""): ReadonlyArray<string> => {
  const [, value = ""] = /^Token (\S+)$/.exec(header) ?? []
  return [value, Buffer.from(value, "base64").toString("utf8")]
}
/** Takes a token for one that it knows, where the two are alike enough. */
const takingForKnown = (isAlike: (token: string, known: string) => boolean) => (): Bend => {
  const known = new Set<string>()
  return {
    arrives: (asked) => {
      const { authorization } = asked.headers
      const tokens = tokensIn(authorization)
      const other = [...known].find((one) =>
        tokensIn(one).some((token, form) => tokens[form] !== "" && isAlike(tokens[form]!, token))
      )
      return other === undefined || authorization === undefined || known.has(authorization)
        ? asked
        : { ...asked, headers: { ...asked.headers, authorization: other } }
    },
    says: (said, { headers: { authorization } }) => {
      if (authorization !== undefined && said.http < 300) known.add(authorization)
      return said
    }
  }
}
/** The body with other fields; as it is when it is no JSON. */
const rewritten = (text: string, fields: Json): string => {
  try {
    return JSON.stringify({ ...(JSON.parse(text) as Json), ...fields })
  } catch {
    return text
  }
}

/** Rows of requests that are read too strictly, or not strictly enough. */
export const requestFaults: ReadonlyArray<Mutation> = withAll({ needs: { bareRouting: false } }, [
  fault("access.lists-open", "TRANS-001", admitting(both(isList, hasNoToken))),
  fault("access.lists-public", "TRANS-001", admitting(isList)),
  fault("access.lists-any-token", "TRANS-002", admitting(both(isList, hasToken)), {
    follows: "TRANS-003 TRANS-006"
  }),
  fault(
    "access.longer-token",
    "TRANS-002",
    takingForKnown((token, known) => token.startsWith(known))
  ),
  fault(
    "access.shorter-token",
    "TRANS-002",
    takingForKnown((token, known) => token.length > 8 && known.startsWith(token))
  ),
  fault(
    "access.token-by-no-case",
    "TRANS-002",
    takingForKnown((token, known) => token.toLowerCase() === known.toLowerCase())
  ),
  fault("access.any-scheme", "TRANS-003", {
    arrives: (asked) => ({
      ...asked,
      headers: {
        ...asked.headers,
        ...(asked.headers["authorization"] === undefined
          ? {}
          : { authorization: asked.headers["authorization"].replace(/^Bearer /, "Token ") })
      }
    })
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
  // From the registration on, so that all other requests of the run have the form that it does take.
  fault("access.encoded-refused", "TRANS-004", readingTokens("utf8", "base64"), {
    follows: "TRANS-006",
    order: { part: "full", early: true },
    needs: { otherVersions: [] }
  }),
  fault("access.plain-refused", "TRANS-005", readingTokens("base64", "utf8"), {
    order: { part: "full", early: true },
    needs: { otherVersions: [] }
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
  fault("objects.more-fields-refused-old", "TRANS-036", refusing(both(writing("PUT"), saying(/tst_extra/)))),
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
  fault("objects.marks-lost", "TRANS-041", marksLost),
  fault(
    "objects.charset-refused",
    "TRANS-042",
    instead(
      (asked, where) => writing("PUT")(asked, where) && /charset/.test(asked.headers["content-type"] ?? ""),
      { http: 415 }
    )
  ),
  fault(
    "objects.fractions-refused",
    "TRANS-061",
    instead(
      (asked, where) => writing("PUT")(asked, where) && /"last_updated":\s*"[^"]*\.\d/.test(asked.body),
      { http: 200, code: 2001 }
    ),
    { versions: "2.2+" }
  ),
  fault(
    "objects.local-time",
    "TRANS-061",
    {
      reads: (asked, where) =>
        writing("PUT")(asked, where)
          ? {
              ...asked,
              body: asked.body.replace(
                /("last_updated":\s*")([^"]*\d)"/,
                (_, before: string, instant: string) =>
                  `${before}${new Date(Date.parse(`${instant}Z`) - 7_200_000).toISOString()}"`
              )
            }
          : asked
    },
    { versions: "2.2+" }
  ),
  fault(
    "lists.fractions-refused",
    "TRANS-044",
    refusing(
      (asked, where) => isList(asked, where) && /\.\d/.test(asked.url.searchParams.get("date_from") ?? "")
    )
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
  fault("objects.always-new", "TRANS-055", turning(writing("PUT"), { http: 200 }, { http: 201 })),
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
      follows: "TAR-002 TOK-002 TAR-034 TOK-030"
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
