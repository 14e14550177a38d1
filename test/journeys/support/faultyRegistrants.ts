/** Faults of a sandbox partner that registers, of either role, and the assertions that they break. */
import type { Role } from "../../../schema/ocpi/Role.ts"
import { type JsonObject, objectIn, objectsIn } from "../../../src/findings/json.ts"
import type { OcpiCall } from "../../../src/ocpi/OcpiClient.ts"
import type { Behaviour } from "../../../src/party/wire/PartnerQuirks.ts"
import { aboutModule, editData, refused, when } from "../../../src/sandbox/faults/replies.ts"
import type { Played } from "./sandboxJourney.ts"

export interface FaultyRegistrant extends Played {
  readonly role: Role
  /** What it does wrong. */
  readonly name: string
  /** Ids of the assertions that fail or warn: these and no others. */
  readonly breaks: ReadonlyArray<string>
}

type Scene = Omit<FaultyRegistrant, "templateId" | "role">

/** Changes who it says it is when it renews: each of its roles, or itself in versions without roles. */
const renewedAs =
  (edit: (self: JsonObject) => JsonObject) =>
  (call: OcpiCall): OcpiCall => {
    if (call.module !== "credentials" || call.method !== "PUT") return call
    const body = objectIn(call.body)
    return {
      ...call,
      body: "roles" in body ? { ...body, roles: objectsIn(body["roles"]).map(edit) } : edit(body)
    }
  }

/** Answers or comes with credentials that name another role than its own. */
const otherRole = (body: unknown) => {
  const credentials = objectIn(body)
  return { ...credentials, roles: objectsIn(credentials["roles"]).map((role) => ({ ...role, role: "NSP" })) }
}
const answersAs = (method: string): Partial<Behaviour> => ({
  reply: when(
    (request) => request.method === method && aboutModule("credentials")(request),
    editData(otherRole)
  )
})

const registering: ReadonlyArray<Scene> = [
  {
    name: "answers in a role that it has not",
    version: "2.2.1",
    deviation: answersAs("POST"),
    breaks: ["register.role"]
  },
  {
    name: "registers without looking at our versions",
    version: "2.1.1",
    faults: ["registration.no-call-back"],
    breaks: ["register.looked"]
  },
  {
    name: "answers without its credentials",
    version: "2.2",
    faults: ["registration.empty-answer"],
    breaks: ["register.taken"]
  },
  {
    name: "has no name",
    version: "2.2.1",
    faults: ["registration.nameless"],
    breaks: ["register.valid"]
  },
  {
    name: "goes on taking Token A",
    version: "2.3.0",
    faults: ["credentials.old-token-lives"],
    breaks: ["register.over"]
  }
]

const inviting: ReadonlyArray<Scene> = [
  {
    name: "comes in a role that it has not",
    version: "2.3.0",
    deviation: {
      call: (call) =>
        call.module === "credentials" && call.method === "POST"
          ? { ...call, body: otherRole(call.body) }
          : call
    },
    breaks: ["partner-registers.role"]
  },
  {
    name: "leaves its business out of what it comes with",
    version: "2.1.1",
    faults: ["registration.sends-incomplete"],
    inputs: { waitSeconds: 10 },
    breaks: ["partner-registers.came"]
  },
  {
    name: "comes without having looked at our versions",
    version: "2.2",
    faults: ["registration.unseeing"],
    breaks: ["partner-registers.looked"]
  },
  {
    name: "tells another versions URL later",
    version: "2.2.1",
    faults: ["credentials.other-url"],
    breaks: ["read-credentials.same"]
  },
  {
    name: "does not know the token that it handed over",
    version: "2.3.0",
    deviation: {
      reply: when(
        (request) => request.method === "GET" && aboutModule("credentials")(request),
        (_, reply) => refused(reply, 401)
      )
    },
    breaks: ["read-credentials.answered"]
  }
]

const rotating: ReadonlyArray<Scene> = [
  {
    name: "renews in a role that it has not",
    version: "2.2",
    deviation: answersAs("PUT"),
    breaks: ["rotate.role"]
  },
  {
    name: "refuses to renew credentials",
    version: "2.1.1",
    faults: ["credentials.put-refused"],
    breaks: ["rotate.taken"]
  },
  {
    name: "hands over a new token that it does not take",
    version: "2.2",
    faults: ["credentials.new-token-wrong"],
    breaks: ["rotate.works"]
  },
  {
    name: "renews without looking at our versions",
    version: "2.3.0",
    faults: ["registration.no-call-back"],
    breaks: ["rotate.looked"]
  }
]

const renewing: ReadonlyArray<Scene> = [
  {
    name: "renews of itself in a role that it has not",
    version: "2.2.1",
    deviation: { call: renewedAs((self) => ({ ...self, role: "NSP" })) },
    breaks: ["partner-renews.role"]
  },
  {
    name: "refuses the token that it hands over until it is answered",
    version: "2.1.1",
    faults: ["registration.opens-late"],
    inputs: { waitSeconds: 10 },
    breaks: ["partner-renews.came"]
  },
  {
    name: "renews in the name of another party",
    version: "2.1.1",
    deviation: { call: renewedAs((self) => ({ ...self, party_id: "OTH" })) },
    breaks: ["partner-renews.same-party"]
  },
  {
    name: "tells another versions URL later",
    version: "2.2",
    faults: ["credentials.other-url"],
    breaks: ["read-credentials.same"]
  },
  {
    name: "renews with credentials that lack its business",
    version: "2.2.1",
    deviation: { call: renewedAs(({ business_details: _, ...self }) => self) },
    inputs: { waitSeconds: 10 },
    breaks: ["partner-renews.came"]
  },
  {
    name: "renews all its roles in the name of another party",
    version: "2.3.0",
    deviation: { call: renewedAs((self) => ({ ...self, party_id: "OTH" })) },
    breaks: ["partner-renews.same-party"]
  },
  {
    name: "does not know the token that it handed over anew",
    version: "2.3.0",
    deviation: {
      reply: when(
        (request) => request.method === "GET" && aboutModule("credentials")(request),
        (_, reply) => refused(reply, 401)
      )
    },
    breaks: ["read-credentials.answered"]
  }
]

const upgrading: ReadonlyArray<Scene> = [
  {
    name: "refuses the credentials at the other version",
    version: "2.2.1",
    faults: ["credentials.put-refused"],
    breaks: ["go-over.taken"]
  },
  {
    name: "hands over a token for the other version that it does not take there",
    version: "2.1.1",
    faults: ["credentials.new-token-wrong"],
    breaks: ["go-over.works"]
  },
  {
    name: "offers no other version that can be used",
    version: "2.2",
    deviation: {
      reply: when(
        (request) => request.path.length === 1 && request.path[0] === "2.3.0",
        editData((data) => ({ ...objectIn(data), endpoints: [] }))
      )
    },
    breaks: ["go-over.taken"]
  }
]

const parting: ReadonlyArray<Scene> = [
  {
    name: "refuses to end the registration",
    version: "2.2",
    faults: ["credentials.delete-refused"],
    breaks: ["unregister.taken"]
  },
  {
    name: "goes on taking the token after the end",
    version: "2.3.0",
    faults: ["credentials.old-token-lives"],
    breaks: ["unregister.over"]
  }
]

const of = (template: string, scenes: ReadonlyArray<Scene>, role: Role): ReadonlyArray<FaultyRegistrant> =>
  scenes.map((scene) => ({ ...scene, templateId: `${template}-${role.toLowerCase()}`, role }))

/** The same for both roles: what goes on is the same. */
export const faultyRegistrants = (role: Role): ReadonlyArray<FaultyRegistrant> => [
  ...of("register-with", registering, role),
  ...of("invite", inviting, role),
  ...of("rotate-tokens-with", rotating, role),
  ...of("renewed-by", renewing, role),
  ...of("upgrade-with", upgrading, role),
  ...of("unregister-from", parting, role)
]
