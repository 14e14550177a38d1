import type { Bend } from "../../partner/Bend.ts"
import { isJson } from "../../partner/objects/validity.ts"
import {
  admitting,
  answering,
  both,
  change,
  hasNoToken,
  hasToken,
  instead,
  keeping,
  merging,
  patchForgets,
  receiving,
  refusing,
  saying,
  taking,
  turning,
  writing
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { absent, dropsFieldOn, marksLost } from "./receiving.ts"

/** Returns the language of a token in capitals. */
const loud: Bend = {
  wraps: (envelope) => {
    const { data } = envelope
    return isJson(data) && "whitelist" in data && typeof data["language"] === "string"
      ? { ...envelope, data: { ...data, language: data["language"].toUpperCase() } }
      : envelope
  }
}

/** Rows of tokens at a CPO. */
export const tokenReceiverFaults: ReadonlyArray<Mutation> = withAll({ roles: ["CPO"] }, [
  fault("put-tokens.refused", "TOK-101", refusing(receiving("tokens", "PUT")), { follows: "TRANS-020" }),
  fault("put-tokens.forgets-issuer", "TOK-102", dropsFieldOn("tokens", "issuer"), {
    follows: "TOK-105 TOK-106 TOK-109 TOK-110"
  }),
  fault("patch-tokens.forgets-issuer", "TOK-103", patchForgets("tokens", "issuer")),
  fault("put-tokens.merges", "TOK-104", merging("tokens")),
  // One field is not returned as it was sent: rules about others are judged all the same.
  ...withAll({ follows: "TOK-102" }, [
    fault("put-tokens.merges-loudly", "TOK-104", { ...merging("tokens"), ...loud }),
    fault("patch-tokens.forgets-issuer-loudly", "TOK-103", { ...patchForgets("tokens", "issuer"), ...loud }),
    fault(
      "put-tokens.invalid-crashes-loudly",
      "TRANS-019",
      {
        ...turning(writing("PUT", "POST", "PATCH"), { code: 2001 }, { http: 500 }),
        ...loud
      },
      { follows: "TRANS-018 TRANS-021 TRANS-049 TRANS-050 TRANS-052" }
    ),
    fault("put-tokens.texts-cut-loudly", "TOK-110", {
      ...keeping(
        "tokens",
        change("issuer", (text: string) => text.slice(0, 40))
      ),
      ...loud
    }),
    fault("put-tokens.marks-lost-loudly", "TRANS-041", { ...marksLost, ...loud })
  ]),
  fault(
    "put-tokens.type-ignored",
    "TOK-105",
    {
      arrives: (asked) => {
        const url = new URL(asked.url)
        if (url.pathname.includes("token") && asked.method !== "POST") url.searchParams.delete("type")
        return {
          ...asked,
          url,
          body: asked.method === "PUT" ? asked.body.replace('"APP_USER"', '"RFID"') : asked.body
        }
      }
    },
    { follows: "TOK-106 TOK-111 TRANS-037", needs: { paths: "version first" } }
  ),
  fault("get-tokens.default-type", "TOK-106", () => {
    const types = new Map<string, Set<string>>()
    const isPut = receiving("tokens", "PUT")
    // Does not know which of two tokens is meant.
    return {
      instead: (asked, where) => {
        const type = asked.url.searchParams.get("type") ?? "RFID"
        const known = types.get(where.below.join("/")) ?? new Set()
        if (isPut(asked, where)) types.set(where.below.join("/"), known.add(type))
        return receiving("tokens", "GET")(asked, where) &&
          !asked.url.searchParams.has("type") &&
          known.size > 1
          ? { http: 404, code: 2000 }
          : undefined
      }
    }
  }),
  fault(
    "patch-tokens.unknown-made",
    "TOK-107",
    answering(receiving("tokens", "PATCH"), (said) => (absent(said) ? { http: 200, code: 1000 } : said)),
    { follows: "TRANS-051" }
  ),
  fault("put-tokens.anything-taken", "TOK-108", taking(receiving("tokens", "PUT")), {
    follows: "TRANS-019 TRANS-021 TRANS-049 TRANS-050"
  }),
  fault(
    "get-tokens.by-case",
    "TOK-109",
    instead(
      (asked, where) =>
        receiving("tokens", "GET")(asked, where) && /^TST[A-Z0-9-]+$/.test(where.below[2] ?? ""),
      { http: 404 }
    )
  ),
  fault(
    "put-tokens.texts-cut",
    "TOK-110",
    keeping(
      "tokens",
      change("visual_number", (text: unknown) => (typeof text === "string" ? text.slice(0, 40) : text))
    )
  ),
  fault("put-tokens.emaid-refused", "TOK-111", refusing(both(receiving("tokens", "PUT"), saying(/"EMAID"/)))),
  fault(
    "put-tokens.unlisted-type-refused",
    "TRANS-037",
    refusing(
      both(
        receiving("tokens", "PUT"),
        ({ body }) => !/"type":\s*"(RFID|OTHER|APP_USER|AD_HOC_USER|EMAID)"/.test(body)
      )
    ),
    { follows: "TRANS-021 TRANS-020" }
  ),
  fault("tokens-receiver.open", "CRED-049", admitting(both(writing("GET"), hasNoToken)), {
    follows: "TRANS-001 TRANS-003 CRED-051"
  }),
  fault("tokens-receiver.any-token", "CRED-051", admitting(both(writing("PUT", "POST"), hasToken)), {
    follows: "TRANS-002 TRANS-003 TRANS-006 CRED-049"
  })
])

/** Rows of hub client infos. */
export const clientInfoFaults: ReadonlyArray<Mutation> = [
  fault(
    "client-info.refused",
    "HUB-003",
    refusing((asked, { module }) => module === "hubclientinfo" && asked.method === "PUT"),
    {
      needs: { moreModules: true }
    }
  ),
  fault(
    "client-info.routed",
    "TRANS-031",
    answering(
      (_, { module }) => module === "versions",
      (said) => ({ ...said, headers: { ...said.headers, "OCPI-to-party-id": "ST0" } })
    )
  )
]
