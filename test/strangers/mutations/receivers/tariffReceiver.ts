/** Tariffs at an EMSP (mod_tariffs). */
import type { Json } from "../../partner/objects/validity.ts"
import {
  answering,
  both,
  change,
  instead,
  keeping,
  merging,
  patchForgets,
  pretending,
  receiving,
  refusing,
  storing,
  taking,
  turning,
  without
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { absent } from "./receiving.ts"

/** Rows of tariffs at an EMSP. */
export const tariffReceiverFaults: ReadonlyArray<Mutation> = withAll({ roles: ["EMSP"] }, [
  fault("put-tariffs.refused", "TAR-101", refusing(receiving("tariffs", "PUT")), { follows: "TRANS-020" }),
  fault(
    "put-tariffs.sorted",
    "TAR-102",
    keeping(
      "tariffs",
      change("elements", (all: ReadonlyArray<Json>) =>
        all.map(change("price_components", (some: ReadonlyArray<Json>) => some.toReversed())).toReversed()
      )
    ),
    { follows: "TAR-108 TAR-106" }
  ),
  fault(
    "put-tariffs.never-found",
    "TAR-102",
    {
      ...instead(receiving("tariffs", "GET", "DELETE"), { http: 404, code: 2003 }),
      ...turning(receiving("tariffs", "PUT"), { http: 200, code: 1000 }, { http: 201 })
    },
    { needs: { created: 201, successCode: 1000 } }
  ),
  fault("put-tariffs.merges", "TAR-103", merging("tariffs")),
  fault("tariffs.never-deleted", "TAR-104", pretending(receiving("tariffs", "DELETE")), {
    follows: "TAR-105"
  }),
  fault(
    "tariffs.unknown-deleted",
    "TAR-105",
    answering(receiving("tariffs", "DELETE"), (said) => (absent(said) ? { http: 200, code: 1000 } : said)),
    { follows: "TRANS-022" }
  ),
  fault("patch-tariffs.forgets", "TAR-106", patchForgets("tariffs", "currency")),
  fault("put-tariffs.anything-taken", "TAR-107", taking(receiving("tariffs", "PUT")), {
    follows: "TRANS-019 TRANS-021 TRANS-049 TRANS-050"
  }),
  fault("put-tariffs.refused-and-stored", "TAR-107", storing(receiving("tariffs", "PUT")), {
    follows: "TRANS-019 TRANS-020 TRANS-021 TRANS-049 TRANS-050"
  }),
  fault(
    "get-tariffs.by-case",
    "TAR-110",
    instead(
      both(receiving("tariffs", "GET"), ({ url }) => /-MIXED\b/.test(url.pathname)),
      { http: 404 }
    )
  ),
  fault(
    "put-tariffs.restrictions-lost",
    "TAR-108",
    keeping(
      "tariffs",
      change("elements", (all: ReadonlyArray<Json>) => all.map(without("restrictions")))
    ),
    { follows: "TAR-102 TAR-106" }
  ),
  fault(
    "put-tariffs.rounds-prices",
    "TAR-109",
    keeping(
      "tariffs",
      change("elements", (all: ReadonlyArray<Json>) =>
        all.map(
          change("price_components", (some: ReadonlyArray<Json>) =>
            some.map(change("price", (price: number) => Math.round(price * 100) / 100))
          )
        )
      )
    ),
    { follows: "TAR-102 TAR-108 TAR-106" }
  )
])
