/**
 * A password in the form that Postgres stores (SCRAM-SHA-256, RFC 5803), so that no statement and no log contains the
 * password.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto"

const iterations = 4096

/**
 * The verifier for `CREATE ROLE … PASSWORD`. Undefined for passwords with characters other than printable ASCII, which
 * Postgres would first prepare (RFC 4013).
 */
export function scramVerifier(password: string): string | undefined {
  if (!/^[\x20-\x7e]+$/.test(password)) return undefined
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256")
  const keyed = (words: string) => createHmac("sha256", salted).update(words).digest()
  const stored = createHash("sha256").update(keyed("Client Key")).digest("base64")
  const server = keyed("Server Key").toString("base64")
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${stored}:${server}`
}
