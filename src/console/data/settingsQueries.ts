/** What the pages of the settings read: keys, account, audit, egress, and what the service is. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { client } from "./client.ts"
import { pagesOf } from "./pagesOf.ts"
import type { Answer } from "./queries.ts"

/** Which rule of the egress guard decides about the URL; undefined: nothing was asked. */
export const egressQuery = (url: string | undefined) =>
  queryOptions({
    queryKey: ["egress", url],
    queryFn: () => client.settings.egress({ body: { url: url ?? "" } }),
    enabled: url !== undefined,
    // A name can resolve differently the next time.
    gcTime: 0
  })

interface About {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly license: { readonly name: string }
}
/** What the service says of itself in its OpenAPI document. */
export const aboutQuery = () =>
  queryOptions({
    queryKey: ["about"],
    queryFn: async (): Promise<About> => (await (await fetch("/openapi.json")).json()).info,
    staleTime: Number.POSITIVE_INFINITY
  })

export const keysQuery = () => queryOptions({ queryKey: ["keys"], queryFn: () => client.settings.keys() })
export const accountQuery = () =>
  queryOptions({ queryKey: ["account"], queryFn: () => client.settings.account() })
/** What was done with the keys of the account, newest first, page by page. */
export const auditPagesQuery = () =>
  infiniteQueryOptions({
    queryKey: ["audit"],
    ...pagesOf(
      50,
      (query): Promise<Answer<"settings.audit">> => client.settings.audit({ query }),
      ({ _id }) => _id
    )
  })
