/** What a CPO does with commands that it cannot carry out (mod_commands; status_codes). */
import type { Ambiguity } from "../../../../../schema/Assertion.ts"
import { ocpiStatus } from "../../../../../schema/ocpi/envelope.ts"
import { versionsWhere } from "../../../../../schema/ocpi/versions.ts"
import { isClientError, isServerError, statusCode, succeeded } from "../../../../findings/answers.ts"
import { invalidParameters, mismatches } from "../../../../findings/expectations.ts"
import type { Finding } from "../../../../findings/Flaw.ts"
import { unless, when } from "../../../../findings/finding.ts"
import type { Check, Precondition } from "../../../model/Check.ts"
import type { Answered, Evidence } from "../../../model/Evidence.ts"
import {
  answerOf,
  answersWith,
  callAt,
  isAccepted,
  isWord,
  legsOf,
  resultIn,
  resultStep,
  unexpectedAnswer
} from "../../shared/commandLegs.ts"
import { stepOf } from "../../shared/stepAnswers.ts"
import { started } from "../commandBase.ts"
import { noFreeEvse } from "../commandTargets.ts"
import { isNotOffered, ofOffered, wrongCommandCheck } from "./wrongCommandCheck.ts"
import { wrongStep } from "./wrongCommandsProbes.ts"

const withConnector = versionsWhere(({ startSessionConnector }) => startSessionConnector)

const mildWhen = (mild: boolean) => (mild ? ({ strength: "should" } as const) : {})

/** Two words of the enumeration fit. */
const refusalOfUnknown: Ambiguity = {
  readings: [
    "UNKNOWN_SESSION, the value for a session that the CPO does not know",
    "REJECTED, the value for any command that the CPO refuses"
  ],
  section: "mod_commands, CommandResponseType enum"
}

/** Accepted, and no result said otherwise. */
const carriedOut = (seen: Answered, evidence: Evidence, step: string): ReadonlyArray<Finding> => {
  if (!isAccepted(evidence, step)) return when(isServerError(seen), () => unexpectedAnswer(seen, "a refusal"))
  const result = resultIn(callAt(evidence, resultStep(step)))
  return result !== undefined && result !== "ACCEPTED"
    ? []
    : [
        {
          ...unexpectedAnswer(seen, "a refusal, or a CommandResult other than ACCEPTED"),
          actual: legsOf(evidence, step)
        }
      ]
}

/** What START_SESSION with a valid body has to be answered before the refusal of a wrong command proves anything. */
const ofStart = (precondition: Pick<OfAnswer, "check" | "rule" | "what">): OfAnswer => ({
  answers: started,
  ifGathered: true,
  ofRefusals: true,
  ...precondition
})
type OfAnswer = Extract<Precondition, { readonly answers: string }>

/** What a CPO that refuses each START_SESSION does with a wrong one proves nothing. */
const validTaken = () => [ofStart({ what: "a START_SESSION with a valid body", check: "CMD-001" })]

/** A CPO that falls over a START_SESSION that is right falls over each: that is no answer to what is wrong with another one. */
const startAnswered = () => [
  ofStart({
    what: "an answer to START_SESSION",
    rule: (seen) => when(isServerError(seen), () => unexpectedAnswer(seen, "an answer of HTTP 2xx or 4xx")),
    check: "CMD-001"
  })
]

/** No START_SESSION was sent, so that nothing is known of how the partner answers one that is right. */
const nothingStarted = (evidence: Evidence): boolean => stepOf(evidence, started) === undefined

/** A CPO that says UNKNOWN_SESSION to START_SESSION says it to anything. */
const startKnown = ofStart({
  what: "a START_SESSION with a valid body",
  rule: (seen) =>
    when(isWord("UNKNOWN_SESSION")(seen), () => unexpectedAnswer(seen, "another answer than UNKNOWN_SESSION"))
})

/** The result about an unknown reservation is of the version's schema, or did not come. */
const hasReadableResult = (evidence: Evidence): boolean => {
  const call = callAt(evidence, resultStep(wrongStep("an unknown reservation")))
  return (
    call === undefined || mismatches(call, evidence.profile.objects.CommandResult, call.json).length === 0
  )
}

const noLocations = "the partner lists no EVSE that such a command could be about"

/**
 * Judge answers to commands that cannot be carried out (mod_commands, CommandResponseType and CommandResultType enums;
 * status_codes, 2xxx: Client errors).
 */
export const wrongCommandsChecks: ReadonlyArray<Check> = [
  wrongCommandCheck(
    ["start at an unknown location", "reserve at an unknown location", "unlock at an unknown location"],
    {
      id: "CMD-011",
      requires: validTaken,
      title: "Commands: status_code 2003 for an unknown location",
      reference: "status_codes, 2xxx: Client errors; mod_commands",
      sends: "START_SESSION, RESERVE_NOW and UNLOCK_CONNECTOR with an unknown location_id, then GET sessions",
      passes: "status_code 2003 each time, and no session",
      hint: "Answer status_code 2003: it tells the EMSP that its list of locations is old."
    },
    {
      judge: ofOffered((seen) =>
        unless(!isServerError(seen) && statusCode(seen) === ocpiStatus.unknownLocation, () =>
          unexpectedAnswer(
            seen,
            `status_code ${ocpiStatus.unknownLocation}`,
            mildWhen(isClientError(seen) || isWord("REJECTED", "NOT_SUPPORTED")(seen))
          )
        )
      ),
      none: "no such command was answered",
      tokensOf: "location",
      leavesOut: isNotOffered
    }
  ),
  wrongCommandCheck(
    ["an unknown EVSE", "an unknown connector"],
    {
      id: "CMD-012",
      requires: startAnswered,
      title: "Commands: none is carried out for an unknown EVSE or connector",
      strength: "should",
      sends:
        "START_SESSION with an unknown EVSE, UNLOCK_CONNECTOR with an unknown connector, then GET sessions",
      passes: "CommandResponse other than ACCEPTED, or CommandResult REJECTED or FAILED, and no session",
      hint: "Look up EVSE and connector before the command is accepted."
    },
    { judge: carriedOut, anyRefusal: true, none: noLocations, tokensOf: "part" }
  ),
  wrongCommandCheck(
    ["stop an unknown session"],
    {
      id: "CMD-013",
      consequenceOf: ["CMD-003"],
      requires: () => [{ check: "CMD-001", unless: nothingStarted }, startKnown],
      title: "STOP_SESSION: UNKNOWN_SESSION for an unknown session",
      reference: "mod_commands, CommandResponseType enum",
      sends: "STOP_SESSION of an unknown session",
      passes: "the CommandResponse UNKNOWN_SESSION",
      hint: "Answer status_code 1000 with result UNKNOWN_SESSION in the CommandResponse."
    },
    {
      judge: ofOffered((seen) =>
        unless(isWord("UNKNOWN_SESSION")(seen), () =>
          isWord("REJECTED")(seen)
            ? { ...unexpectedAnswer(seen, "UNKNOWN_SESSION", mildWhen(true)), ambiguous: refusalOfUnknown }
            : unexpectedAnswer(seen, "UNKNOWN_SESSION", mildWhen(isClientError(seen)))
        )
      ),
      none: "STOP_SESSION was not answered",
      leavesOut: isNotOffered
    }
  ),
  wrongCommandCheck(
    ["an unknown command", "a command of a later version"],
    {
      id: "CMD-014",
      requires: validTaken,
      title: "Commands: an unknown command is refused",
      reference: "mod_commands, CommandType enum",
      sends: "POST commands/FOO, and a command that only later versions have",
      passes: "HTTP 4xx or 501, status_code 2xxx, or a CommandResponse other than ACCEPTED",
      hint: "Refuse commands that the version does not have with an HTTP 4xx or a status_code 2xxx."
    },
    {
      judge: answersWith(
        "a refusal: HTTP 4xx or 501, status_code 2xxx, or a CommandResponse other than ACCEPTED",
        (seen) =>
          seen.response.httpStatus === 501 ||
          (!isServerError(seen) && !succeeded(seen)) ||
          !["", "ACCEPTED"].includes(answerOf(seen) ?? "")
      ),
      anyRefusal: true,
      none: "no such command was answered"
    }
  ),
  wrongCommandCheck(
    ["without response_url", "without token", "without location_id", "a wrong expiry_date"],
    {
      id: "CMD-015",
      requires: validTaken,
      title: "Commands: status_code 2001 for a body that is not valid",
      reference: "status_codes, 2xxx: Client errors",
      sends:
        "START_SESSION without response_url, token or location_id; RESERVE_NOW with a wrong expiry_date; GET sessions",
      passes: "status_code 2001 each time, and no session",
      hint: "Check required fields and their types before the command is carried out."
    },
    { judge: invalidParameters, none: noLocations, tokensOf: "body", leavesOut: isNotOffered }
  ),
  wrongCommandCheck(
    ["a connector without an EVSE"],
    {
      id: "CMD-016",
      requires: validTaken,
      versions: withConnector,
      title: "START_SESSION: connector_id without evse_uid is refused",
      strength: "should",
      reference: "mod_commands, StartSession Object",
      sends: "START_SESSION with connector_id and no evse_uid",
      passes: "status_code 2001",
      hint: "Refuse connector_id without evse_uid: connector ids are unique within their EVSE only."
    },
    {
      judge: answersWith("status_code 2001", (seen) => isClientError(seen) || isWord("REJECTED")(seen)),
      anyRefusal: true,
      none: noLocations
    }
  ),
  wrongCommandCheck(
    ["no connector where one is due"],
    {
      id: "CMD-017",
      versions: withConnector,
      title: "START_SESSION: refused without connector_id where the EVSE requires it",
      strength: "should",
      reference: "mod_commands, StartSession Object; mod_locations, Capability enum",
      sends: "START_SESSION without connector_id at an EVSE that requires one",
      passes: "status_code 2xxx, or the CommandResponse REJECTED",
      hint: "Refuse START_SESSION without connector_id: START_SESSION_CONNECTOR_REQUIRED says that you do not choose one."
    },
    {
      judge: answersWith(
        "a status_code 2xxx, or REJECTED",
        (seen) => isClientError(seen) || isWord("REJECTED", "NOT_SUPPORTED")(seen)
      ),
      anyRefusal: true,
      none: "no EVSE of the list has START_SESSION_CONNECTOR_REQUIRED"
    }
  ),
  wrongCommandCheck(
    ["start where it cannot", "reserve where it cannot", "unlock where it cannot"],
    {
      id: "CMD-019",
      title: "Commands: refused where the EVSE lacks the capability",
      strength: "should",
      // A capability in other letters may be one that the partner knows.
      requires: () => [...startAnswered(), { check: "LOC-004" }],
      reference: "mod_locations, Capability enum",
      sends:
        "START_SESSION, RESERVE_NOW and UNLOCK_CONNECTOR at EVSEs without the capability, then GET sessions",
      passes: "NOT_SUPPORTED or REJECTED, in the CommandResponse or the CommandResult, and no session",
      hint: "Add the capability to the EVSE, or refuse the command."
    },
    {
      judge: carriedOut,
      anyRefusal: true,
      none: "all EVSEs of the list can be started remotely, reserved and unlocked",
      tokensOf: "capability"
    }
  ),
  wrongCommandCheck(
    ["reserve until yesterday"],
    {
      id: "CMD-032",
      consequenceOf: ["CMD-012"],
      title: "RESERVE_NOW: not carried out with an expiry_date in the past",
      strength: "should",
      reference: "mod_commands, ReserveNow Object",
      sends: "RESERVE_NOW with an expiry_date in the past",
      passes: "not ACCEPTED in the CommandResponse, or not in the CommandResult",
      hint: "Refuse an expiry_date that is in the past."
    },
    { judge: carriedOut, anyRefusal: true, none: noFreeEvse("RESERVABLE") }
  ),
  wrongCommandCheck(
    ["an unknown reservation"],
    {
      id: "CMD-034",
      consequenceOf: ["CMD-020"],
      requires: () => [
        ...["CMD-001", "CMD-004"].map((check) => ({ check, unless: nothingStarted })),
        { check: "CMD-007", unless: hasReadableResult }
      ],
      versions: versionsWhere(({ commands }) => commands.includes("CANCEL_RESERVATION")),
      title: "CANCEL_RESERVATION: UNKNOWN_RESERVATION for an unknown reservation",
      strength: "should",
      reference: "mod_commands, CommandResultType enum",
      sends: "CANCEL_RESERVATION of an unknown reservation",
      passes: "CommandResult UNKNOWN_RESERVATION; or CommandResponse REJECTED or status_code 2xxx",
      hint: "Accept the command, then POST the CommandResult UNKNOWN_RESERVATION."
    },
    {
      judge: ofOffered((seen, evidence, step) => {
        const result = resultIn(callAt(evidence, resultStep(step)))
        const told = isAccepted(evidence, step)
          ? result === "UNKNOWN_RESERVATION"
          : isClientError(seen) || isWord("REJECTED")(seen)
        return unless(told, () => ({
          ...unexpectedAnswer(seen, "UNKNOWN_RESERVATION"),
          actual: legsOf(evidence, step)
        }))
      }),
      none: "CANCEL_RESERVATION was not answered",
      leavesOut: isNotOffered
    }
  )
]
