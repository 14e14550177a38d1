/** The public keys that the service signs exports with. */
import { queryOptions } from "@tanstack/react-query"

/** An Ed25519 key as a JWK (RFC 8037), as far as it is used. */
interface SigningKey {
  readonly kid: string
  readonly x: string
}

export const signingKeysQuery = () =>
  queryOptions({
    queryKey: ["signing keys"],
    queryFn: async (): Promise<ReadonlyArray<SigningKey>> => {
      const answer = await fetch("/.well-known/jwks.json")
      if (!answer.ok) throw new Error(`The service's keys were answered with ${answer.status}`)
      return (await answer.json()).keys
    },
    retry: false,
    staleTime: 300_000
  })
