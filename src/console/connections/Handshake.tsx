import { useIsMutating, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { type Connection, type Exchange, firstExchangesQuery, latestExchangesQuery } from "../data/queries.ts"
import { CopyBlock } from "../elements/Copy.tsx"
import { ExchangeView } from "../elements/ExchangeView.tsx"
import { useView } from "../elements/useView.ts"
import { failureOf, type HandshakeFailure } from "./handshakeFailure.ts"
import { handshakeIn, isOfHandshake } from "./handshakeSteps.ts"
import { handshakeKey } from "./handshakes.ts"
import { SequenceDiagram } from "./SequenceDiagram.tsx"

/** The registration as a sequence of messages: the one that is under way, or the last one, and why it failed. */
export function Handshake({ connection }: { readonly connection: Connection }) {
  const { _id: id, status } = connection
  const isLive = useIsMutating({ mutationKey: handshakeKey(id) }) > 0
  const latest = useQuery({ ...latestExchangesQuery(id), refetchInterval: isLive ? 700 : false })
  const hasFailed = connection.lastError !== undefined
  const ofLatest = handshakeIn(latest.data ?? [], hasFailed)
  const needsFirst = latest.isSuccess && !isLive && ofLatest.length === 0 && status !== "pending"
  const first = useQuery({ ...firstExchangesQuery(id), enabled: needsFirst })
  const before = useKnownBefore(latest.data, isLive)
  const [view, change] = useView()
  const shown = isLive
    ? (latest.data ?? []).filter((each) => isOfHandshake(each) && !before.has(each.id)).toReversed()
    : ofLatest.length > 0
      ? ofLatest
      : handshakeIn(first.data ?? [], hasFailed)
  const failure = isLive ? null : failureOf(connection, shown)
  if (shown.length === 0 && !isLive && failure === null) return null
  const chosen = shown.find((each) => each.id === view["exchange"])
  return (
    <section className="card stack" aria-live="polite" aria-label="Handshake">
      <h2>{isLive ? "Registering…" : failure === null ? "Handshake" : "The last handshake failed"}</h2>
      {failure === null ? null : <Why failure={failure} />}
      {shown.length === 0 && !isLive ? null : (
        <div className="columns">
          <SequenceDiagram
            exchanges={shown}
            chosen={chosen?.id}
            choose={(exchange) => change({ exchange })}
            isLive={isLive}
          />
          {chosen === undefined ? (
            <p className="quiet small">Each arrow opens its request and answer.</p>
          ) : (
            <ExchangeView exchange={chosen} />
          )}
        </div>
      )}
    </section>
  )
}

/** Ids of the exchanges that were there when the handshake began. */
function useKnownBefore(
  exchanges: ReadonlyArray<Exchange> | undefined,
  isLive: boolean
): ReadonlySet<string> {
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (!isLive) setKnown(new Set((exchanges ?? []).map(({ id }) => id)))
  }, [exchanges, isLive])
  return known
}

const Why = ({ failure: { cause, letter, reasons } }: { readonly failure: HandshakeFailure }) => (
  <>
    <p className="note bad">{cause}</p>
    {reasons.length === 0 ? null : (
      <div className="stack tight">
        <h3>Likely reasons</h3>
        <ul className="bullets">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </div>
    )}
    {letter === undefined ? null : (
      <details>
        <summary>What to tell the partner</summary>
        <CopyBlock text={letter} />
      </details>
    )}
  </>
)
