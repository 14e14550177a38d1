/**
 * Probes that post results to an EMSP's response_urls (mod_commands): valid and invalid ones, repeated ones, and one
 * without a token.
 */
import { pathSegments } from "../../../../findings/calledPath.ts"
import { objectIn, textIn } from "../../../../findings/json.ts"
import { parseJson } from "../../../../findings/readJson.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import { type Probe, type ProbeRequest, type ProbeStep, withheld } from "../../../model/Probe.ts"

/** The id of the probe that posts results. */
export const results = "commands.results"
const received = "commands.received"

const isAccepted = (body: string | null | undefined) =>
  objectIn(objectIn(parseJson(body ?? ""))["data"])["result"] === "ACCEPTED"

/** The commands of the partner that we accepted so far, newest first, each with its response_url: only these have results. */
const commandsIn = (evidence: Evidence): ReadonlyArray<{ readonly name: string; readonly url: string }> => {
  const calls = evidence.seen(received)
  return calls
    .flatMap(({ exchange, json }) => {
      const url = textIn(objectIn(json)["response_url"])
      const name = pathSegments(exchange.request.url).at(-1) ?? ""
      return exchange.module === "commands" &&
        isAccepted(exchange.response?.body) &&
        url !== undefined &&
        URL.canParse(url)
        ? [{ name, url }]
        : []
    })
    .toReversed()
}

const none = withheld(
  "unobservable",
  "the partner has sent us no command that we could accept, so that there is no response_url: order listenSeconds, and meanwhile start a session from its app at the test location that the run publishes"
)

const post = (url: string, result: string): ProbeRequest => ({
  module: "commands",
  interfaceRole: "SENDER",
  operation: "POST result",
  method: "POST",
  url,
  body: { result },
  about: result
})

/** Values of a result. Versions without a command timeout have the first four, the others all but UNKNOWN_SESSION. */
const words: ReadonlyArray<string> = [
  ...["REJECTED", "NOT_SUPPORTED", "TIMEOUT", "UNKNOWN_SESSION", "EVSE_OCCUPIED"],
  ...["EVSE_INOPERATIVE", "FAILED", "UNKNOWN_RESERVATION"]
]
/** The steps that post one value of a result each. */
export const wordSteps: ReadonlyArray<string> = words.map((word) => `${results}#${word}`)

/** Posts a result to the response_url of the command at index `number`, or of the last one if there are fewer. */
const step = (id: string, word: string, number = 0): ProbeStep => ({
  id,
  act: (evidence) => {
    const commands = commandsIn(evidence)
    const command = commands[number] ?? commands.at(-1)
    return command === undefined ? none : { send: post(command.url, word) }
  }
})

/** Does the version have this value of a result? */
const isWord = ({ profile }: Evidence, word: string) =>
  profile.commandTimeout ? word !== "UNKNOWN_SESSION" : words.indexOf(word) < 4

/** The probes that post results for commands of the partner. */
export const sentResultsProbes: ReadonlyArray<Probe> = [
  { id: received, source: "inbound" },
  {
    id: "commands.results-open",
    after: [received],
    asks: (evidence) => {
      const [command] = commandsIn(evidence)
      return command === undefined
        ? none
        : (["none", "random"] as const).map((use) => ({
            ...post(command.url, "ACCEPTED"),
            credentials: { use },
            about: use === "none" ? "without Authorization header" : "with a random token",
            again: true
          }))
    }
  },
  {
    id: results,
    after: [received],
    steps: [
      step("accepted", "ACCEPTED"),
      step("again", "ACCEPTED"),
      ...words.map((word, index): ProbeStep => {
        const { act } = step(word, word, index + 1)
        return { id: word, act: (evidence) => (isWord(evidence, word) ? act(evidence) : undefined) }
      }),
      step("invalid", "MAYBE"),
      {
        id: "cancelled",
        act: (evidence) => {
          const reservation = commandsIn(evidence).find(({ name }) => name === "RESERVE_NOW")
          return reservation === undefined || !evidence.profile.reservationSession
            ? undefined
            : { send: post(reservation.url, "CANCELED_RESERVATION") }
        }
      }
    ]
  }
]
