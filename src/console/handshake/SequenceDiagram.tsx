import type { Exchange } from "../data/queries.ts"
import { duration } from "../format/time.ts"
import { type Message, messagesOf } from "./handshakeSteps.ts"

const top = 44
const step = 34
/** Where the two lifelines are, in percent of the width: lengths do not scale, so that the letters stay readable. */
const lines = { plugfest: 14, partner: 86 } as const

/** What two parties have said to each other, time going down; each arrow opens its exchange. */
export function SequenceDiagram({
  choose,
  chosen,
  exchanges,
  isLive
}: {
  readonly exchanges: ReadonlyArray<Exchange>
  /** Id of the exchange that is open. */
  readonly chosen: string | undefined
  readonly choose: (id: string | undefined) => void
  /** More may come. */
  readonly isLive: boolean
}) {
  const messages = messagesOf(exchanges)
  const height = top + Math.max(1, messages.length + (isLive ? 1 : 0)) * step
  return (
    <div className="sequence" role="group" aria-label="Sequence of the handshake">
      <svg width="100%" height={height} aria-label="plugfest on the left, the partner on the right">
        <defs>
          {(["good", "bad"] as const).map((tone) => (
            <marker
              key={tone}
              id={`arrow-${tone}`}
              viewBox="0 0 8 8"
              refX="8"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0 0 8 4 0 8z" className={`arrow-tip ${tone}`} />
            </marker>
          ))}
        </defs>
        {(["plugfest", "partner"] as const).map((party) => (
          <g key={party}>
            <line
              className="lifeline"
              x1={`${lines[party]}%`}
              x2={`${lines[party]}%`}
              y1={top - 12}
              y2={height}
            />
            <text className="party" x={`${lines[party]}%`} y={20} textAnchor="middle">
              {party}
            </text>
          </g>
        ))}
        {messages.map((message, at) => (
          <Arrow
            key={`${message.exchange.id} ${message.kind}`}
            message={message}
            y={top + at * step + 16}
            isChosen={message.exchange.id === chosen}
            onChoose={() => choose(message.exchange.id === chosen ? undefined : message.exchange.id)}
          />
        ))}
        {isLive ? (
          <text className="pending" x="50%" y={height - 12} textAnchor="middle">
            waiting for the next message…
          </text>
        ) : null}
      </svg>
    </div>
  )
}

function Arrow({
  isChosen,
  message: { exchange, from, isGood, kind, text },
  onChoose,
  y
}: {
  readonly message: Message
  readonly y: number
  readonly isChosen: boolean
  readonly onChoose: () => void
}) {
  const to = from === "plugfest" ? "partner" : "plugfest"
  const tone = isGood ? "good" : "bad"
  const label = kind === "answer" ? `${text} · ${duration(exchange.durationMs)}` : text
  return (
    <g
      className={`message ${kind} ${tone} ${isChosen ? "chosen" : ""}`}
      role="button"
      tabIndex={0}
      aria-pressed={isChosen}
      aria-label={`${from} to ${to}: ${label}`}
      onClick={onChoose}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return
        event.preventDefault()
        onChoose()
      }}
    >
      <rect
        className="touch"
        x={`${lines.plugfest}%`}
        width={`${lines.partner - lines.plugfest}%`}
        y={y - 21}
        height={step - 2}
        rx="4"
      />
      <line x1={`${lines[from]}%`} x2={`${lines[to]}%`} y1={y} y2={y} markerEnd={`url(#arrow-${tone})`} />
      <text x="50%" y={y - 6} textAnchor="middle">
        {label}
      </text>
    </g>
  )
}
