/** The content security policy of `/docs`: allows its own inline scripts, by their hash, and nothing from other origins. */
import { createHash } from "node:crypto"
import type { HttpServerResponse } from "@effect/platform"

// Cached by length: the page is the same at every request.
const policies = new Map<number, string>()

/** The policy for the page in this answer. */
export const docsPolicy = ({ body }: HttpServerResponse.HttpServerResponse): string => {
  if (body._tag !== "Uint8Array") return "default-src 'none'; frame-ancestors 'none'"
  const known = policies.get(body.contentLength)
  if (known !== undefined) return known
  const html = Buffer.from(body.body).toString("utf8")
  const hashes = [...html.matchAll(/<script(?![^>]*application\/json)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`
  )
  const policy = [
    "default-src 'none'",
    // The page contains a WebAssembly module that highlights code.
    `script-src ${hashes.join(" ")} 'wasm-unsafe-eval'`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
  policies.set(body.contentLength, policy)
  return policy
}
