/**
 * A partner that registers with the Token A of our invitation during the run: first our details list credentials only, then
 * they are complete.
 */
import type { OurFault } from "../../../store/parties/Party.ts"
import type { Observation } from "../../model/Evidence.ts"
import { type WritingProbe, withheld } from "../../model/Probe.ts"
import { leastSeconds, listenedSeconds } from "../shared/listenedSeconds.ts"

const id = "credentials.invited"
/** A step of it, as checks need it. */
export const invitedStep = (step: string): string => `${id}#${step}`

/** Seconds between GET of our details and POST credentials. */
const secondThoughtsSeconds = 15
/** More calls on our versions than this in one step are answered honestly. */
const mostFaulty = 20

const uninvited =
  "plugfest registers at the partner on this connection: make one without the partner's Token A, POST /connections/{id}/invitation, and let the partner begin while the run goes on"

const isPost = ({ exchange }: Observation) =>
  exchange.module === "credentials" && exchange.request.method === "POST"
const isDetails = ({ exchange }: Observation) =>
  exchange.module === "versions" && exchange.operation === "details"

const injected = (fault: OurFault["fault"]): ReadonlyArray<OurFault> => [
  { fault, module: "versions", times: mostFaulty }
]

/** Waits until the partner fetches our details, registers by our invitation, and calls us. */
export const invitedProbes: ReadonlyArray<WritingProbe> = [
  {
    id,
    alone: true,
    after: ["credentials.first"],
    steps: [
      {
        id: "looks",
        act: (evidence) =>
          evidence.party.invitation?.state !== "open" ||
          evidence.tokens.some(({ slot }) => slot === "outbound")
            ? withheld("unobservable", uninvited)
            : {
                wait: {
                  seconds: listenedSeconds(evidence),
                  instruction:
                    "The partner must begin to register by our invitation: our details list credentials only, which the partner must notice",
                  matches: isDetails,
                  provoke: "the partner has not fetched our details with the Token A of our invitation"
                },
                ourFaults: injected("credentials-only")
              }
      },
      {
        id: "credentials only",
        act: () => ({
          wait: {
            seconds: secondThoughtsSeconds,
            instruction: "The partner must not register: our details lack what it needs",
            matches: isPost,
            provoke: "the partner has not registered with us while our details listed credentials only"
          },
          ourFaults: injected("credentials-only")
        })
      },
      {
        id: "registers",
        act: (evidence) => ({
          wait: {
            seconds: listenedSeconds(evidence),
            instruction: "The partner must register by our invitation now: our details are complete",
            matches: isPost,
            provoke: "the partner has not sent POST credentials with the Token A of our invitation"
          },
          ourFaults: injected("older-versions")
        })
      },
      {
        id: "first call",
        act: () => ({
          wait: {
            seconds: leastSeconds / 2,
            instruction: "The partner must call us with the token that it was given",
            matches: ({ exchange }) => !["versions", "credentials"].includes(exchange.module),
            provoke: "the partner has not called us since it registered"
          }
        })
      }
    ]
  }
]
