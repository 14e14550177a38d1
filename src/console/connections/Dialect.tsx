import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../data/client.ts"
import { type Connection, queries } from "../data/queries.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { Dialog } from "../elements/Dialog.tsx"
import { Failure } from "../elements/States.tsx"

type Encoding = Connection["dialect"]["tokenEncoding"]["inbound"]
const encodings: ReadonlyArray<Encoding> = ["auto", "raw", "base64"]

/** The form of a token in the header Authorization. */
const inWords = (encoding: Encoding): string =>
  encoding === "auto" ? "not detected yet" : encoding === "raw" ? "plain" : "Base64"

/** How the partner departs from OCPI, what of it was set by hand, and setting it. */
export function Dialect({
  connection: { _id: id, dialect, registeredAt }
}: {
  readonly connection: Connection
}) {
  const {
    deviations,
    overridden = [],
    pageLimit,
    tokenEncoding,
    trailingSlash,
    trustedOrigins = []
  } = dialect
  const [isOpen, setOpen] = useState(false)
  const mayWrite = useAllowed("connections:write")
  const facts = [
    ["tokenEncoding.inbound", "Token from the partner", inWords(tokenEncoding.inbound)],
    ["tokenEncoding.outbound", "Token to the partner", inWords(tokenEncoding.outbound)],
    ["trailingSlash", "URLs of objects end in a slash", trailingSlash === true ? "yes" : "no"],
    ["pageLimit", "Largest page", pageLimit === undefined ? "as the partner says" : `${pageLimit} objects`]
  ] as const
  return (
    <section className="card stack">
      <div className="row apart">
        <h2>Dialect</h2>
        {mayWrite ? (
          <button type="button" className="button small" onClick={() => setOpen(true)}>
            Override
          </button>
        ) : null}
      </div>
      <dl className="facts">
        {facts.map(([part, name, value]) => (
          <div key={part} className="contents">
            <dt>{name}</dt>
            <dd>
              {value} {overridden.includes(part) ? <span className="badge warn">set by hand</span> : null}
            </dd>
          </div>
        ))}
        {trustedOrigins.length === 0 ? null : (
          <>
            <dt>Also trusted</dt>
            <dd className="mono">{trustedOrigins.join(", ")}</dd>
          </>
        )}
      </dl>
      {deviations.length === 0 ? (
        <p className="quiet">
          {registeredAt === null
            ? "Detected once the partner answers and registers."
            : "No deviation from OCPI was detected."}
        </p>
      ) : (
        <ul className="bullets">
          {deviations.map((deviation) => (
            <li key={deviation}>{deviation}</li>
          ))}
        </ul>
      )}
      {isOpen ? <Override id={id} dialect={dialect} onClose={() => setOpen(false)} /> : null}
    </section>
  )
}

function Override({
  dialect: { overridden = [], pageLimit, tokenEncoding, trailingSlash, trustedOrigins = [] },
  id,
  onClose
}: {
  readonly id: string
  readonly dialect: Connection["dialect"]
  readonly onClose: () => void
}) {
  const set = new Set<string>(overridden)
  const [inbound, setInbound] = useState(set.has("tokenEncoding.inbound") ? tokenEncoding.inbound : "auto")
  const [outbound, setOutbound] = useState(
    set.has("tokenEncoding.outbound") ? tokenEncoding.outbound : "auto"
  )
  const [slash, setSlash] = useState(set.has("trailingSlash") ? String(trailingSlash ?? false) : "")
  const [limit, setLimit] = useState(set.has("pageLimit") ? String(pageLimit ?? "") : "")
  const [origins, setOrigins] = useState(trustedOrigins.join("\n"))
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => {
      const trusted = origins.split(/\s+/).filter((origin) => origin !== "")
      return client.connections.setDialect({
        path: { id },
        body: {
          tokenEncoding: { inbound, outbound },
          trailingSlash: slash === "" ? null : slash === "true",
          pageLimit: limit === "" ? null : Number(limit),
          trustedOrigins: trusted.length === 0 ? null : trusted
        }
      })
    },
    onSuccess: async () => {
      onClose()
      await queries.invalidateQueries({ queryKey: ["connections"] })
    }
  })
  const encoding = (name: string, value: Encoding, change: (value: Encoding) => void) => (
    <label className="field">
      <span>{name}</span>
      <select value={value} onChange={(event) => change(event.target.value as Encoding)}>
        {encodings.map((each) => (
          <option key={each} value={each}>
            {each === "auto" ? "detect" : inWords(each)}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <Dialog title="Override the dialect" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <p className="quiet">
          What is set here holds until it is detected again; traffic that differs counts as a deviation.
        </p>
        <div className="columns">
          {encoding("Token from the partner", inbound, setInbound)}
          {encoding("Token to the partner", outbound, setOutbound)}
          <label className="field">
            <span>URLs of objects end in a slash</span>
            <select value={slash} onChange={(event) => setSlash(event.target.value)}>
              <option value="">detect</option>
              <option value="true">yes</option>
              <option value="false">no</option>
            </select>
          </label>
          <label className="field">
            <span>Largest page</span>
            <input
              type="number"
              min={1}
              max={10_000}
              placeholder="as the partner says"
              value={limit}
              onChange={(event) => setLimit(event.target.value)}
            />
          </label>
        </div>
        <label className="field">
          <span>Other origins that get our token, one a line</span>
          <textarea
            rows={2}
            spellCheck={false}
            value={origins}
            onChange={(event) => setOrigins(event.target.value)}
          />
          <small>Where the partner's links and response URLs lead to hosts that it did not name.</small>
        </label>
        {error === null ? null : <Failure error={error} />}
        <div>
          <button type="submit" className="button first" disabled={isPending}>
            Set
          </button>
        </div>
      </form>
    </Dialog>
  )
}
