/** Injects faults into our responses during a step, and waits for what the partner does then and afterwards. */
import { nextIn } from "../../../findings/links.ts"
import type { OurFault } from "../../../store/parties/Party.ts"
import { type Evidence, isWithheld, type Observation } from "../../model/Evidence.ts"
import type { Probe, ProbeStep } from "../../model/Probe.ts"
import { listenedSeconds } from "../shared/listenedSeconds.ts"
import { stepOf } from "../shared/stepAnswers.ts"

/** What a partner pushes to us, and what of ours it reads, by its role. */
const pushed = { CPO: ["locations", "sessions", "cdrs", "tariffs"], EMSP: ["tokens"] } as const
const read = { CPO: ["tokens"], EMSP: ["locations", "sessions", "cdrs", "tariffs"] } as const

const isWrite = ({ exchange }: Observation) => ["PUT", "PATCH", "POST"].includes(exchange.request.method)
const isList = ({ exchange }: Observation) =>
  exchange.request.method === "GET" && exchange.operation === "list"

/** The call that a step has waited for. */
export const awaited = (evidence: Evidence, step: string): Observation | undefined => {
  const gathered = evidence.gathered(step)
  return gathered === undefined || isWithheld(gathered) ? undefined : gathered.seen[0]
}

const startOf = ({ exchange }: Observation) => Date.parse(exchange.startedAt)

const sameMessage = (one: Observation, other: Observation) =>
  one.exchange.id !== other.exchange.id &&
  startOf(one) >= startOf(other) &&
  one.exchange.request.method === other.exchange.request.method &&
  one.exchange.request.url === other.exchange.request.url &&
  one.exchange.request.body === other.exchange.request.body

/** The URL of the next page in the Link header of the page with the fault. */
export const nextOfPage = ({ exchange }: Observation): string | undefined =>
  nextIn(exchange.response?.headers["link"], exchange.request.url)?.url

/** Seconds for which we answer HTTP 503: ten minutes, or listenSeconds of the order. */
export const awaySeconds = ({ listenSeconds = 0 }: Evidence): number =>
  listenSeconds === 0 ? 600 : Math.max(60, listenSeconds)
const spellSeconds = 120

const unavailable: ReadonlyArray<OurFault> = [{ fault: "unavailable", times: 1000 }]

/** One spell of being away after the other, as far as they are needed. */
const spells: ReadonlyArray<ProbeStep> = [0, 1, 2, 3, 4].map((index) => ({
  id: `away ${index}`,
  act: (evidence) => {
    const left = awaySeconds(evidence) - index * spellSeconds
    return left <= 0
      ? undefined
      : {
          pause: Math.min(left, spellSeconds),
          instruction: "We answer HTTP 503 to everything: the partner must call us meanwhile",
          ourFaults: unavailable
        }
  }
}))

/** Calls of the partner that we answered with that fault. */
export const answeredWithFault = (
  evidence: Evidence,
  fault: OurFault["fault"]
): ReadonlyArray<Observation> => {
  const gathered = evidence.gathered("inbound.away")
  return gathered === undefined || isWithheld(gathered)
    ? []
    : gathered.seen.filter(({ exchange }) => exchange.ourFault?.fault === fault)
}

/** Waits for calls of the partner while our responses have a fault, and after it. */
export const ourFaultProbes: ReadonlyArray<Probe> = [
  {
    id: "transport.refused-push",
    alone: true,
    steps: [
      {
        id: "refused",
        act: (evidence) => ({
          wait: {
            seconds: listenedSeconds(evidence),
            instruction: "The partner must push an object: we answer HTTP 500 to the first one",
            matches: (seen) => isWrite(seen) && seen.exchange.ourFault?.fault === "server-error",
            provoke:
              "the partner has pushed nothing to us: make it change an object while the run goes on (listenSeconds)"
          },
          ourFaults: pushed[evidence.party.counterpart.role].map((module) => ({
            fault: "server-error",
            module
          }))
        })
      },
      {
        id: "again",
        act: (evidence) => {
          const refused = awaited(evidence, "transport.refused-push#refused")
          return refused === undefined
            ? undefined
            : {
                wait: {
                  seconds: listenedSeconds(evidence),
                  instruction: "The partner must not send the same message again",
                  matches: (seen) => sameMessage(seen, refused),
                  provoke: "the message that we refused has not come again"
                }
              }
        }
      }
    ]
  },
  {
    id: "transport.broken-page",
    alone: true,
    steps: [
      {
        id: "page",
        act: (evidence) => ({
          wait: {
            seconds: listenedSeconds(evidence),
            instruction: "The partner must read one of our lists: one object of a page is broken",
            matches: (seen) =>
              isList(seen) &&
              seen.exchange.ourFault?.fault === "invalid-object" &&
              nextOfPage(seen) !== undefined,
            nearMiss: (seen) =>
              seen.exchange.ourFault?.fault === "invalid-object"
                ? "a page came with less than two objects"
                : undefined,
            provoke:
              "the partner has read no list of ours: make it synchronise while the run goes on (listenSeconds)"
          },
          ourFaults: read[evidence.party.counterpart.role].map((module) => ({
            fault: "invalid-object",
            module
          }))
        })
      },
      {
        id: "next",
        act: (evidence) => {
          const page = awaited(evidence, "transport.broken-page#page")
          const next = page === undefined ? undefined : nextOfPage(page)
          return page === undefined || next === undefined
            ? undefined
            : {
                wait: {
                  seconds: listenedSeconds(evidence),
                  instruction: "The partner must go on with the next page",
                  matches: (seen) =>
                    isList(seen) && new URL(seen.exchange.request.url).href === new URL(next).href,
                  provoke: "the page after the broken one has not been asked for"
                }
              }
        }
      }
    ]
  },
  {
    id: "transport.away",
    alone: true,
    steps: [
      ...spells,
      // The time of this step is when our responses are back to normal.
      {
        id: "back",
        act: ({ party }) => ({
          send: {
            module: "versions",
            interfaceRole: "SENDER",
            operation: "list",
            url: party.counterpart.versionsUrl,
            again: true
          }
        })
      },
      {
        id: "catches up",
        act: (evidence) => ({
          wait: {
            seconds: listenedSeconds(evidence),
            instruction: "We are back: the partner must read from our lists what it has missed",
            matches: (seen) => {
              const back = stepOf(evidence, "transport.away#back")
              return (
                back !== undefined &&
                isList(seen) &&
                startOf(seen) >= startOf(back) &&
                new URL(seen.exchange.request.url).searchParams.has("date_from")
              )
            },
            provoke: "the partner has asked none of our lists for what has changed since"
          }
        })
      }
    ]
  },
  { id: "inbound.away", source: "inbound.run", after: ["transport.away"] }
]
