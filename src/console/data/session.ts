/** Signing in and out: an API key, or the code of a link, becomes a cookie that no script can read. */
import { PlugfestError } from "../../client/plugfest.ts"

/** Who is signed in. */
export interface Session {
  readonly keyId: string
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  /** ISO 8601 UTC; null: while the key lives. */
  readonly expiresAt: string | null
}

const ask = async (method: string, body?: unknown): Promise<Session> => {
  const operation = "session"
  const response = await fetch("/api/v1/session", {
    method,
    headers: { "content-type": "application/json", "x-plugfest-console": "1" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  }).catch((cause) => {
    throw new PlugfestError("The service does not answer", { operation, cause })
  })
  const answer = await response.json().catch(() => ({}))
  if (!response.ok)
    throw new PlugfestError(answer.message ?? `HTTP ${response.status}`, {
      operation,
      status: response.status
    })
  return answer.data
}

/** The session of this browser; null: none. */
export const readSession = async (): Promise<Session | null> => {
  try {
    return await ask("GET")
  } catch (error) {
    if (error instanceof PlugfestError && error.status === 401) return null
    throw error
  }
}

export const signIn = (by: { readonly apiKey: string } | { readonly code: string }): Promise<Session> =>
  ask("POST", by)

export const signOut = (): Promise<Session> => ask("DELETE")
