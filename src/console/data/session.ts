/** Signing in and out: an API key, or the code of a link, becomes a cookie that no script can read. */
import { type Data, PlugfestError } from "../../client/plugfest.ts"
import { client } from "./client.ts"

/** The session of this browser: the API key that it is signed in with. */
export type BrowserSession = Data<"session.read">

/** The session of this browser; null: none. */
export const readSession = async (): Promise<BrowserSession | null> => {
  try {
    return await client.session.read()
  } catch (error) {
    if (error instanceof PlugfestError && error.status === 401) return null
    throw error
  }
}

/** By an API key, or by the code of a link. */
export const signIn = (
  by: { readonly apiKey: string } | { readonly code: string }
): Promise<BrowserSession> => client.session.signIn({ body: by })

export const signOut = () => client.session.signOut()
