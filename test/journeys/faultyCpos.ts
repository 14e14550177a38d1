/** Sandbox CPOs with one fault each, and the assertions that it breaks: these and no others. */
import type { Played } from "./sandboxJourney.ts"

export interface FaultyCpo extends Played {
  /** `that … is caught`: what it does. */
  readonly name: string
  readonly breaks: ReadonlyArray<string>
}

const remoteStart: ReadonlyArray<FaultyCpo> = [
  {
    templateId: "remote-start",
    version: "2.1.1",
    name: "bills a session never",
    faults: ["cdrs.never-sent"],
    breaks: ["cdr.received"]
  },
  {
    templateId: "remote-start",
    version: "2.1.1",
    name: "wraps results in an envelope",
    faults: ["commands.enveloped-result"],
    breaks: ["start-result.shape", "stop-result.shape"]
  },
  {
    templateId: "remote-start",
    version: "2.2",
    name: "names a session that there is not",
    faults: ["cdrs.other-session"],
    breaks: ["consistency.session-id"]
  },
  {
    templateId: "remote-start",
    version: "2.3.0",
    name: "charges more than the parts add up to",
    faults: ["cdrs.wrong-total"],
    breaks: ["consistency.cost", "consistency.cost-sum"]
  },
  {
    templateId: "remote-start",
    version: "2.2.1",
    name: "names a reference of its own",
    faults: ["sessions.own-reference"],
    breaks: ["session-active.authorization-reference", "consistency.authorization-reference"]
  }
]

export const faultyCpos: ReadonlyArray<FaultyCpo> = [...remoteStart]
