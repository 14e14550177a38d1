/** Results for the commands that an EMSP has sent to us (mod_commands): right ones, wrong ones, again, without a token. */
import { objectIn, textIn } from "../../../findings/json.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Probe, type ProbeRequest, type ProbeStep, withheld } from "../../model/Probe.ts"

export const results = "commands.results"
const received = "commands.received"

/** The commands that came so far, newest first, each with its response_url. */
const commandsIn = (evidence: Evidence): ReadonlyArray<{ readonly name: string; readonly url: string }> => {
  const calls = evidence.seen(received)
  return calls
    .flatMap(({ exchange, json }) => {
      const url = textIn(objectIn(json)["response_url"])
      const name = new URL(exchange.request.url).pathname.split("/").at(-1) ?? ""
      return exchange.module === "commands" && url !== undefined && URL.canParse(url) ? [{ name, url }] : []
    })
    .toReversed()
}

const none = withheld(
  "unobservable",
  "the partner has sent us no command, so that there is no response_url: start a session from its app"
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

/** Every word of a result, the versions' own and those that are no results of one command only. */
const words: ReadonlyArray<string> = [
  ...["REJECTED", "NOT_SUPPORTED", "TIMEOUT", "UNKNOWN_SESSION", "EVSE_OCCUPIED"],
  ...["EVSE_INOPERATIVE", "FAILED", "UNKNOWN_RESERVATION"]
]
export const wordSteps: ReadonlyArray<string> = words.map((word) => `${results}#${word}`)

/** To the response_url of the command of that number, or of the last one when there are fewer. */
const step = (id: string, word: string, number = 0): ProbeStep => ({
  id,
  act: (evidence) => {
    const commands = commandsIn(evidence)
    const command = commands[number] ?? commands.at(-1)
    return command === undefined ? none : { send: post(command.url, word) }
  }
})

/** Is it a word of the version's results? */
const isWord = ({ profile }: Evidence, word: string) =>
  profile.commandTimeout ? word !== "UNKNOWN_SESSION" : words.indexOf(word) < 4

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
            about: use === "none" ? "without a token" : "with a random token",
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
