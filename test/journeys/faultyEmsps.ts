/** Faults of a sandbox EMSP, and the assertions of each template in which we are the CPO that they break. */
import type { Played } from "./sandboxJourney.ts"

export interface FaultyEmsp extends Played {
  /** What it does wrong. */
  readonly name: string
  /** Ids of the assertions that fail or warn: these and no others. */
  readonly breaks: ReadonlyArray<string>
}

const playSession: ReadonlyArray<Omit<FaultyEmsp, "templateId" | "role">> = [
  {
    name: "refuses new sessions",
    version: "2.1.1",
    faults: ["sessions.new-refused"],
    breaks: ["begin-session.taken"]
  },
  {
    name: "goes on showing a session as ACTIVE",
    version: "2.3.0",
    faults: ["sessions.stays-active"],
    breaks: ["read-session.same"]
  },
  {
    name: "keeps the last charging period only",
    version: "2.2.1",
    faults: ["sessions.forgets-periods"],
    breaks: ["read-session.same"]
  },
  { name: "refuses every CDR", version: "2.2", faults: ["cdrs.new-refused"], breaks: ["send-cdr.taken"] },
  {
    name: "rounds the energy of CDRs",
    version: "2.2.1",
    faults: ["cdrs.rounds-energy"],
    breaks: ["read-cdr.same"]
  }
]

const of = (
  templateId: string,
  scenes: ReadonlyArray<Omit<FaultyEmsp, "templateId" | "role">>
): ReadonlyArray<FaultyEmsp> => scenes.map((scene) => ({ ...scene, templateId, role: "EMSP" }))

export const faultyEmsps: ReadonlyArray<FaultyEmsp> = [...of("play-session", playSession)]
