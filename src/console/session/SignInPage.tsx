import { useMutation, useQuery } from "@tanstack/react-query"
import { useLocation, useRouter } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { PlugfestError } from "../../client/plugfest.ts"
import { queries, sessionQuery } from "../data/queries.ts"
import { signIn } from "../data/session.ts"
import { CopyBlock } from "../elements/Copy.tsx"
import { Failure, Loading } from "../elements/States.tsx"
import { useView } from "../hooks/useView.ts"

/** Only a path of this service: nobody is led elsewhere by a link. */
const isOwnPath = (next: string | undefined): next is string =>
  next !== undefined && /^\/(?![/\\])/.test(next)

/** Signs this browser in: by the code of a link, which the address holds after `#`, or by an API key. */
export function SignInPage() {
  const [{ next }] = useView()
  const session = useQuery(sessionQuery())
  const { hash } = useLocation()
  const router = useRouter()
  const [key, setKey] = useState("")
  const { error, isPending, mutate, variables } = useMutation({
    mutationFn: signIn,
    onSuccess: (begun) => queries.setQueryData(sessionQuery().queryKey, begun)
  })
  const code = /(?:^|&)code=([^&]+)/.exec(hash)?.[1]
  useEffect(() => {
    document.title = "Sign in · plugfest"
    if (code === undefined) return
    // The code is used up: it does not stay in the address or in the history.
    window.history.replaceState(null, "", window.location.pathname + window.location.search)
    mutate({ code: decodeURIComponent(code) })
  }, [code, mutate])

  const isSignedIn = session.data !== null && session.data !== undefined
  // The address changes while this is still shown: it is read once.
  const [goal] = useState(isOwnPath(next) ? next : "/")
  useEffect(() => {
    if (isSignedIn) router.history.replace(goal)
  }, [goal, isSignedIn, router])
  if (isSignedIn) return null
  return (
    <main className="alone stack">
      <h1>Sign in to plugfest</h1>
      <p className="quiet">Tests OCPI partner integrations.</p>
      {isPending ? <Loading /> : null}
      {error === null ? null : error instanceof PlugfestError && error.status === 401 ? (
        <p className="note bad" role="alert">
          {variables !== undefined && "code" in variables
            ? "This link was used before, or is too old: it signs in once. Make another one, as is said below."
            : "This API key is unknown, revoked or expired."}
        </p>
      ) : (
        <Failure error={error} />
      )}
      <form
        className="card stack"
        onSubmit={(event) => {
          event.preventDefault()
          mutate({ apiKey: key.trim() })
        }}
      >
        <label className="field">
          <span>API key</span>
          <input
            type="password"
            autoComplete="off"
            required
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
          <small>It is exchanged for a cookie, and this page forgets it.</small>
        </label>
        <div>
          <button type="submit" className="button first" disabled={isPending}>
            Sign in
          </button>
        </div>
      </form>
      <section className="stack tight">
        <h2>No key at hand?</h2>
        <p>On the machine of the service, this makes a link that signs a browser in once:</p>
        <CopyBlock text="npx plugfest open" />
        <p>And this makes a key:</p>
        <CopyBlock text="npx plugfest keys create" />
      </section>
    </main>
  )
}
