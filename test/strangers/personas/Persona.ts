/** The shape of a real system: a stranger with fixed choices and the faults that such systems have together. */
import type { Attribution } from "../../../schema/Assertion.ts"
import { type Drawn, plainStranger } from "../draw.ts"
import type { MeetingOrder } from "../meeting.ts"
import type { Bend } from "../partner/Bend.ts"
import type { Freedoms, StrangerRole, StrangerVersion } from "../partner/Freedoms.ts"

/** What plugfest has to find, and nothing else. Lists of check ids in any order. */
export interface ExpectedFindings {
  /** The registration fails, and the reason matches this; there is no run. */
  readonly broken?: RegExp
  readonly failed?: ReadonlyArray<string>
  readonly warned?: ReadonlyArray<string>
  /**
   * Checks that could not be judged, by what blocks them: the id of a check, or the HTTP status of the answer that came
   * (`HTTP 403`), or `no answer`.
   */
  readonly blocked?: Readonly<Record<string, ReadonlyArray<string>>>
  /** Attributions other than `partner`, by the id of a check that failed, warned, was blocked, or is in `unjudged`. */
  readonly attributed?: Readonly<Record<string, Attribution>>
  /** Words of the partner's that stand in the finding, by the id of its check. */
  readonly says?: Readonly<Record<string, RegExp>>
  /** Checks that could not be judged without a precondition, where that is the point: a part of the reason. */
  readonly unjudged?: Readonly<Record<string, RegExp>>
}

/** A row: how the system is, and what has to be found. */
export interface Persona {
  readonly id: string
  /** What kind of system is so, and which of its habits break a rule. */
  readonly about: string
  readonly version: StrangerVersion
  readonly role: StrangerRole
  /** `full`, `core` or a module: the part of the suites in which its faults can show. */
  readonly suite: MeetingOrder["part"]
  /** Choices other than the plainest. */
  readonly freedoms?: Partial<Freedoms>
  /** A new bend for each meeting, as it may remember what was asked. */
  readonly bend?: () => Bend
  /** Starts what the persona has beside its service; called before the meeting. */
  readonly beside?: () => Promise<Beside>
  readonly expects: ExpectedFindings
  /** Too long for `npm test`. */
  readonly long?: true
}

/** Hosts of others that a persona names. */
export interface Beside {
  readonly bend: Bend
  readonly close: () => void
}

/** Ids of checks, in short: `LOC-002..004 LOC-009`. */
export const ids = (text: string): ReadonlyArray<string> =>
  text.split(" ").flatMap((part) => {
    const [, prefix = "", from = "", to = ""] = /^([A-Z]+-)(\d{3})\.\.(\d{3})$/.exec(part) ?? []
    return prefix === ""
      ? [part]
      : Array.from(
          { length: Number(to) - Number(from) + 1 },
          (_, index) => `${prefix}${String(Number(from) + index).padStart(3, "0")}`
        )
  })

/** The stranger of a persona. What was created is answered 201, since 200 is advised against. */
export const strangerFor = ({ freedoms, role, version }: Persona): Drawn => {
  const plain = plainStranger(version, role)
  return { ...plain, freedoms: { ...plain.freedoms, created: 201, ...freedoms } }
}
