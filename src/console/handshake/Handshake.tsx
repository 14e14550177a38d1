import { useIsMutating, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import {
  type Connection,
  type Exchange,
  earlierExchangesQuery,
  exchangesAtOnce,
  firstExchangesQuery,
  latestExchangesQuery
} from "../data/queries.ts"
import { CopyBlock } from "../elements/Copy.tsx"
import { ExchangeView } from "../exchanges/ExchangeView.tsx"
import { useView } from "../hooks/useView.ts"
import { failureOf, type HandshakeFailure } from "./handshakeFailure.ts"
import {
  handshakeSince,
  isOfHandshake,
  isUnderWay,
  mayBeginBefore,
  mayRegister,
  newestHandshake
} from "./handshakeSteps.ts"
import { handshakeKey } from "./handshakes.ts"
import { SequenceDiagram } from "./SequenceDiagram.tsx"

/** The registration as a sequence of messages: the one that is under way, or the last one, and why it failed. */
export function Handshake({ connection }: { readonly connection: Connection }) {
  const { _id: id, invitation, status } = connection
  const isOurs = useIsMutating({ mutationKey: handshakeKey(id) }) > 0
  // Also one that was begun elsewhere, or before this page was loaded.
  const since = isUnderWay(connection) ? connection.registration.since : undefined
  const isLive = isOurs || since !== undefined
  const isAwaited = mayRegister(connection)
  // The last message is stored after the connection says that it is registered.
  const isFollowed = useLasting(isAwaited, 5_000)
  const latest = useQuery({
    ...latestExchangesQuery(id),
    refetchInterval: isLive ? 700 : isFollowed ? 2_000 : false
  })
  const hasFailed = connection.lastError !== undefined
  const inPage = newestHandshake(latest.data ?? [], { hasFailed })
  const isCut = mayBeginBefore(inPage, latest.data ?? [], exchangesAtOnce)
  const earlier = useQuery({
    ...earlierExchangesQuery(id, latest.data?.at(-1)?.id ?? ""),
    enabled: isCut && !isLive
  })
  const ofLatest =
    isCut && earlier.data !== undefined
      ? newestHandshake([...(latest.data ?? []), ...earlier.data], { hasFailed })
      : inPage
  const needsFirst =
    latest.isSuccess && !isLive && !isFollowed && ofLatest.length === 0 && status !== "pending"
  const first = useQuery({ ...firstExchangesQuery(id), enabled: needsFirst })
  const before = useKnownBefore(latest.data, isOurs)
  const [view, change] = useView()
  const isOpen = isAwaited && !isLive && !hasFailed
  const ofPartner = isFollowed ? handshakeSince(latest.data ?? [], invitation?.issuedAt ?? "") : []
  const shown = isLive
    ? (latest.data ?? [])
        .filter(
          (each) => isOfHandshake(each) && (isOurs ? !before.has(each.id) : each.startedAt >= (since ?? ""))
        )
        .toReversed()
    : isOpen || ofPartner.length > 0
      ? ofPartner
      : ofLatest.length > 0
        ? ofLatest
        : newestHandshake(first.data ?? [], { hasFailed })
  const failure = isLive ? null : failureOf(connection, shown)
  if (shown.length === 0 && !isLive && !isOpen && failure === null) return null
  const chosen = shown.find((each) => each.id === view["exchange"])
  return (
    <section className="card stack" aria-live="polite" aria-label="Handshake">
      <h2>
        {isLive
          ? "Registering…"
          : failure !== null
            ? "The last handshake failed"
            : !isOpen
              ? "Handshake"
              : shown.length === 0
                ? "Waiting for the partner"
                : "The partner has begun to register"}
      </h2>
      {failure === null ? null : <Why failure={failure} />}
      {isOpen && shown.length === 0 ? (
        <p className="quiet">
          The partner has an invitation and has not called yet. The handshake shows here, message by message,
          as soon as it begins.
        </p>
      ) : null}
      {shown.length === 0 && !isLive ? null : (
        <div className="columns">
          <SequenceDiagram
            exchanges={shown}
            chosen={chosen?.id}
            choose={(exchange) => change({ exchange })}
            isLive={isLive || isOpen}
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

/** The value, and true for some milliseconds after it was. */
function useLasting(value: boolean, millis: number): boolean {
  const [lasts, setLasts] = useState(value)
  useEffect(() => {
    if (value) setLasts(true)
    const timer = value ? undefined : setTimeout(() => setLasts(false), millis)
    return () => clearTimeout(timer)
  }, [value, millis])
  return value || lasts
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
