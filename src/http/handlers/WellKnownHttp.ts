/** The public keys that verify signed exports, as JWKS and as PEM. */
import { createPublicKey } from "node:crypto"
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { publicJwk } from "../../reports/signature.ts"
import { SigningKeys } from "../../store/secrets/SigningKeys.ts"
import { jsonText } from "../answer/answers.ts"

/** Routes of `/.well-known/jwks.json` (all keys) and `/.well-known/signing-key.pem` (the key that signs now). */
export const WellKnownHttp = HttpLayerRouter.use((router) =>
  Effect.gen(function* () {
    const { keys } = yield* SigningKeys
    const jwks = JSON.stringify({ keys: keys.map(publicJwk) })
    const pem = createPublicKey(keys[0]).export({ format: "pem", type: "spki" }).toString()
    const headers = { "cache-control": "public, max-age=300" }
    yield* router.add(
      "GET",
      "/.well-known/jwks.json",
      Effect.sync(() => jsonText(jwks, 200, headers))
    )
    yield* router.add(
      "GET",
      "/.well-known/signing-key.pem",
      Effect.sync(() => HttpServerResponse.text(pem, { contentType: "application/x-pem-file", headers }))
    )
  })
)
