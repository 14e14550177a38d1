/** The stages of a remote start, in order. */
import { textIn } from "../../party/json.ts"
import type { JourneyStage } from "../JourneyTemplate.ts"
import { awaitResult, refused, sessionNearMisses } from "./remoteStartAwaiting.ts"
import { catchUpOnSession, setOffByStart } from "./remoteStartCatchUp.ts"
import { expectsActive, expectsUpdate } from "./remoteStartExpected.ts"
import { ourSession, placeOf, referenceOf, tokenOf, tokenUidOf } from "./remoteStartFacts.ts"
import { readStartBack, readTokenBack } from "./remoteStartReadBack.ts"
import { commandRules, pushTokenRules, readLocationsRules } from "./remoteStartRules.ts"
import { hasGrown, sessionActiveRules, sessionUpdatesRules, wasActive } from "./remoteStartSessionRules.ts"
import { remoteStopStages } from "./remoteStopStages.ts"

export const remoteStartStages: ReadonlyArray<JourneyStage> = [
  {
    id: "read-locations",
    name: "Read locations",
    actor: "us",
    module: "locations",
    description:
      "Read where one can charge, and pick an EVSE that is AVAILABLE and REMOTE_START_STOP_CAPABLE.",
    timeoutSeconds: 30,
    act: {
      act: "exchange",
      sends: "GET locations",
      call: ({ inputs }) => {
        const named = textIn(inputs["locationId"])
        return {
          module: "locations",
          interfaceRole: "SENDER",
          operation: named === undefined ? "list" : "GET location",
          method: "GET",
          ...(named === undefined ? { query: { limit: "20" } } : { path: [named] })
        }
      }
    },
    writes: false,
    idempotent: true,
    optionalForLater: false,
    expect: readLocationsRules,
    stopsIf: (memory) => {
      const place = placeOf(memory)
      return "none" in place ? place.none : undefined
    }
  },
  {
    id: "push-token",
    name: "Push the token",
    actor: "us",
    module: "tokens",
    description:
      "Put the driver's token into the partner's list: an APP_USER token that is used in this run only.",
    timeoutSeconds: 30,
    act: {
      act: "exchange",
      sends: "PUT tokens",
      keeps: (memory) => [
        {
          module: "tokens",
          key: tokenUidOf(memory),
          side: "own",
          json: tokenOf(memory),
          lastUpdated: memory.createdAt
        }
      ],
      call: (memory) => ({
        module: "tokens",
        interfaceRole: "RECEIVER",
        operation: "PUT token",
        method: "PUT",
        path: [memory.us.countryCode, memory.us.partyId, tokenUidOf(memory)],
        query: { type: "APP_USER" },
        body: tokenOf(memory)
      }),
      readBack: readTokenBack
    },
    writes: true,
    idempotent: true,
    // A partner must take the token that comes with the command without looking it up.
    optionalForLater: true,
    expect: pushTokenRules
  },
  {
    id: "start-session",
    name: "Start the session",
    actor: "us",
    module: "commands",
    description: "Send START_SESSION for the chosen EVSE, with the token and an authorization_reference.",
    timeoutSeconds: 30,
    act: {
      act: "exchange",
      sends: "POST commands/START_SESSION",
      command: "START_SESSION",
      call: (memory, responseUrl) => {
        const place = placeOf(memory)
        if ("none" in place) return { unmet: place.none }
        return {
          module: "commands",
          interfaceRole: "RECEIVER",
          operation: "START_SESSION",
          method: "POST",
          path: ["START_SESSION"],
          body: {
            response_url: responseUrl,
            token: tokenOf(memory),
            location_id: place.locationId,
            evse_uid: place.evseUid,
            ...(place.connectorId === undefined ? {} : { connector_id: place.connectorId }),
            authorization_reference: referenceOf(memory)
          }
        }
      },
      readBack: readStartBack
    },
    writes: true,
    idempotent: false,
    optionalForLater: false,
    expect: commandRules("start-session"),
    stopsIf: refused("start-session")
  },
  awaitResult("start-result", "start-session", "The start's result"),
  {
    id: "session-active",
    name: "Session becomes active",
    actor: "partner",
    module: "sessions",
    description: "The partner pushes the session, and it becomes ACTIVE.",
    timeoutSeconds: 120,
    act: {
      act: "await",
      instruction: (memory) =>
        `The partner must PUT a session with authorization_reference ${referenceOf(memory)} and token ${tokenUidOf(memory)}, and set its status to ACTIVE.`,
      look: (memory) => ({
        found: wasActive(ourSession(memory)),
        nearMisses: sessionNearMisses(memory, "ACTIVE")
      }),
      expects: expectsActive
    },
    writes: false,
    idempotent: true,
    optionalForLater: false,
    expect: sessionActiveRules,
    setOffBy: setOffByStart,
    catchUp: catchUpOnSession,
    stopsIf: (memory) => (wasActive(ourSession(memory)) ? undefined : "No session of ours became ACTIVE")
  },
  {
    id: "session-updates",
    name: "Energy flows",
    actor: "partner",
    module: "sessions",
    description: "The partner updates the session while it charges.",
    timeoutSeconds: 180,
    act: {
      act: "await",
      instruction: (memory) =>
        `The partner must PATCH session ${ourSession(memory)?.id ?? ""} at least once with more kwh than before.`,
      look: (memory) => {
        const session = ourSession(memory)
        const over = session?.state["status"] === "COMPLETED"
        return { found: session !== undefined && (hasGrown(session) || over), nearMisses: [] }
      },
      expects: expectsUpdate()
    },
    writes: false,
    idempotent: true,
    optionalForLater: true,
    expect: sessionUpdatesRules,
    setOffBy: setOffByStart,
    catchUp: catchUpOnSession
  },
  ...remoteStopStages
]
