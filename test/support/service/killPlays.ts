/** The journeys that are killed: what the table of the contract says of their stages, by hand. Shares no code with src/. */

/** Simulated seconds a second, of the partner of all of them. */
export const partnerSpeed = 300

export interface PlayStage {
  readonly id: string
  /** Only reads, or writes that may be sent twice. */
  readonly again: boolean
  /** No later stage depends on it. */
  readonly optional: boolean
  /** It writes; what became of a write can be read at the partner, or cannot. */
  readonly writes?: "readable" | "blind"
}

export interface Play {
  readonly templateId: string
  readonly inputs: Readonly<Record<string, unknown>>
  readonly theirRole: "CPO" | "EMSP"
  readonly stages: ReadonlyArray<PlayStage>
  /** All that a run which nobody disturbs changes at its partner, in the words of `writesOf`. */
  readonly writes: ReadonlyArray<string>
}

const read = (id: string): PlayStage => ({ id, again: true, optional: false })
/** It looks on or reads, and the story goes on without. */
const look = (id: string): PlayStage => ({ id, again: true, optional: true })
const order = (id: string): PlayStage => ({ id, again: false, optional: false, writes: "readable" })
const push = (id: string): PlayStage => ({ id, again: true, optional: true, writes: "readable" })

// Long enough for a partner on a busy machine, short enough for what will never come.
const patience = { waitSeconds: 15 }

const charge: ReadonlyArray<PlayStage> = [
  order("start-session"),
  look("start-result"),
  read("session-active"),
  look("session-updates"),
  order("stop-session"),
  look("stop-result"),
  look("session-completed"),
  look("cdr")
]

export const remoteStart: Play = {
  templateId: "remote-start",
  inputs: patience,
  theirRole: "CPO",
  stages: [read("read-locations"), push("push-token"), ...charge, look("consistency")],
  writes: ["PUT tokens", "POST commands/START_SESSION", "POST commands/STOP_SESSION"]
}

export const reserveAndUse: Play = {
  templateId: "reserve-and-use",
  // It stands for longer than a kill and a restart take, and for less than it takes to run out of EVSEs.
  inputs: { ...patience, reservedSeconds: 40 * partnerSpeed },
  theirRole: "CPO",
  stages: [
    read("read-locations"),
    push("push-token"),
    order("reserve"),
    look("reserve-result"),
    look("reserved"),
    ...charge,
    look("one-session"),
    look("consistency")
  ],
  writes: [
    "PUT tokens",
    "POST commands/RESERVE_NOW",
    "POST commands/START_SESSION",
    "POST commands/STOP_SESSION"
  ]
}

export const playSession: Play = {
  templateId: "play-session",
  inputs: { ...patience, stepSeconds: 0 },
  theirRole: "EMSP",
  stages: [
    read("read-tokens"),
    push("push-tariff"),
    push("push-location"),
    { id: "begin-session", again: true, optional: false, writes: "readable" },
    push("show-charging"),
    { id: "update-session", again: false, optional: true, writes: "readable" },
    { id: "end-session", again: false, optional: true, writes: "readable" },
    push("show-free"),
    look("read-session"),
    { id: "send-cdr", again: false, optional: true, writes: "blind" },
    look("read-cdr")
  ],
  writes: [
    "PUT tariffs",
    "PUT locations",
    "PUT sessions ACTIVE 0",
    "PATCH locations CHARGING",
    "PATCH sessions 1.5",
    "PATCH sessions 3",
    "PATCH sessions COMPLETED 4.5",
    "PATCH locations AVAILABLE",
    "POST cdrs",
    "PATCH locations REMOVED",
    "DELETE tariffs"
  ]
}
