/** Faults of a sandbox EMSP, and the assertions of each template in which we are the CPO that they break. */

import { type JsonObject, objectIn } from "../../../src/findings/json.ts"
import type { Behaviour } from "../../../src/party/wire/PartnerQuirks.ts"
import { aboutList, aboutModule, editData, editObjects, when } from "../../../src/sandbox/faults/replies.ts"
import { faultyRegistrants } from "./faultyRegistrants.ts"
import type { Played } from "./sandboxJourney.ts"

export interface FaultyEmsp extends Played {
  /** What it does wrong. */
  readonly name: string
  /** Ids of the assertions that fail or warn: these and no others. */
  readonly breaks: ReadonlyArray<string>
}

type Scene = Omit<FaultyEmsp, "templateId" | "role">

const playSession: ReadonlyArray<Scene> = [
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
  {
    name: "refuses to change sessions, so that its copy is the first one",
    version: "2.2.1",
    deviation: {
      reply: when(
        (request) => request.method === "PATCH" && aboutModule("sessions")(request),
        (_, reply) => ({ ...reply, httpStatus: 405, body: null })
      )
    },
    breaks: ["update-session.taken"]
  },
  {
    name: "answers GET of a session with a list",
    version: "2.2.1",
    deviation: {
      reply: when(
        (request) => request.method === "GET" && aboutModule("sessions")(request),
        editData((data) => [data])
      )
    },
    breaks: ["read-session.same"]
  },
  { name: "refuses every CDR", version: "2.2", faults: ["cdrs.new-refused"], breaks: ["send-cdr.taken"] },
  {
    name: "does not say where a CDR is kept",
    version: "2.2.1",
    faults: ["cdrs.without-address"],
    breaks: ["send-cdr.address"]
  },
  {
    name: "rounds the energy of CDRs",
    version: "2.2.1",
    faults: ["cdrs.rounds-energy"],
    breaks: ["read-cdr.same"]
  }
]

const pushLocation: ReadonlyArray<Scene> = [
  {
    name: "loses the city of locations",
    version: "2.1.1",
    faults: ["locations.forgets-city"],
    breaks: ["read-location.same"]
  },
  {
    name: "loses the evse_id when a status is patched",
    version: "2.2.1",
    faults: ["locations.status-forgets"],
    breaks: ["read-evse.same"]
  },
  {
    name: "goes on with EVSEs that are removed",
    version: "2.3.0",
    faults: ["locations.removed-stays"],
    breaks: ["read-removed.gone"]
  }
]

const pushTariff: ReadonlyArray<Scene> = [
  {
    name: "refuses new tariffs",
    version: "2.2",
    faults: ["tariffs.new-refused"],
    breaks: ["push-tariff.taken"]
  },
  {
    name: "refuses to delete tariffs",
    version: "2.3.0",
    faults: ["tariffs.never-deleted"],
    breaks: ["delete-tariff.taken"]
  },
  {
    name: "keeps prices with one decimal",
    version: "2.2.1",
    faults: ["tariffs.rounds-prices"],
    breaks: ["read-tariff.same"]
  },
  {
    name: "keeps a text that the last PUT does not have",
    version: "2.1.1",
    deviation: {
      reply: when(
        ({ method, path }) => method === "GET" && path[1] === "tariffs",
        editObjects((tariff) =>
          JSON.stringify(tariff).includes('"price":0.5')
            ? { ...tariff, tariff_alt_text: [{ language: "en", text: "Dearer" }] }
            : tariff
        )
      )
    },
    breaks: ["read-changed.same"]
  }
]

/** Changes the body of what it sends of its own accord. */
const pushes = (operation: string, edit: (body: JsonObject) => JsonObject): Partial<Behaviour> => ({
  push: (push) => (push.operation === operation ? [{ ...push, body: edit(objectIn(push.body)) }] : [push])
})

const partnerStarts: ReadonlyArray<Scene> = [
  {
    name: "leaves the issuer out of the tokens in its commands",
    version: "2.1.1",
    faults: ["commands.token-in-part"],
    inputs: { waitSeconds: 10 },
    breaks: ["serve-start.came"]
  },
  {
    name: "starts for a token of another EMSP",
    version: "2.2.1",
    faults: ["commands.foreign-token"],
    inputs: { waitSeconds: 10 },
    breaks: ["serve-start.token"]
  },
  {
    name: "stops another session than ours",
    version: "2.3.0",
    faults: ["commands.stops-another-session"],
    inputs: { waitSeconds: 10 },
    breaks: ["serve-stop.came"]
  }
]

const authorizeToken: ReadonlyArray<Scene> = [
  {
    name: "answers with a word that OCPI does not know",
    version: "2.1.1",
    faults: ["tokens.unknown-verdict"],
    breaks: ["authorize.valid"]
  },
  {
    name: "allows tokens that it does not know",
    version: "2.1.1",
    faults: ["tokens.strangers-allowed"],
    breaks: ["authorize-unknown.refused"]
  },
  {
    name: "allows tokens that it lists as invalid",
    version: "2.3.0",
    faults: ["tokens.everybody-allowed"],
    breaks: ["authorize-invalid.refused"]
  }
]

const tokenSync: ReadonlyArray<Scene> = [
  {
    name: "lists its tokens within an object",
    version: "2.2.1",
    deviation: {
      reply: when(
        aboutList("tokens"),
        editData((items) => ({ items }))
      )
    },
    breaks: ["read-tokens.answered"]
  },
  {
    name: "leaves the newest out of what has changed",
    version: "2.1.1",
    faults: ["paging.changes-left-out"],
    breaks: ["delta.complete"]
  },
  {
    name: "overlooks date_to",
    version: "2.2.1",
    faults: ["paging.date-to-ignored"],
    breaks: ["window.older"]
  },
  {
    name: "counts offsets wrongly",
    version: "2.3.0",
    faults: ["paging.offset-off"],
    breaks: ["first-page.part"]
  }
]

const tokenPush: ReadonlyArray<Scene> = [
  {
    name: "pushes tokens under the uid of another one",
    version: "2.2.1",
    faults: ["tokens.other-uid-in-body"],
    inputs: { waitSeconds: 10 },
    breaks: ["token-pushed.received"]
  },
  {
    name: "pushes tokens with another issuer than it lists",
    version: "2.1.1",
    deviation: pushes("PUT token", (body) => ({ ...body, issuer: "Somebody" })),
    breaks: ["read-changed.same"]
  },
  {
    name: "leaves the newest out of what has changed",
    version: "2.3.0",
    faults: ["paging.changes-left-out"],
    breaks: ["read-changed.same"]
  }
]

/** Changes the query of what it reads. */
const reads = (edit: (query: URLSearchParams) => void): Partial<Behaviour> => ({
  call: (call) => {
    const url = new URL(call.url)
    if (call.method === "GET") edit(url.searchParams)
    return { ...call, url: url.href }
  }
})

const partnerReads: ReadonlyArray<Scene> = [
  {
    name: "reads the first page again and again",
    version: "2.1.1",
    deviation: reads((query) => query.delete("offset")),
    inputs: { waitSeconds: 10 },
    breaks: ["lists-read.pages"]
  },
  {
    name: "reads everything",
    version: "2.2.1",
    deviation: reads((query) => query.delete("date_from")),
    inputs: { waitSeconds: 10 },
    breaks: ["lists-read.delta"]
  }
]

const chargingPreferences: ReadonlyArray<Scene> = [
  {
    name: "sends preferences without profile_type",
    version: "2.2",
    deviation: pushes("PUT charging_preferences", () => ({})),
    inputs: { waitSeconds: 10 },
    breaks: ["preferences-set.received"]
  },
  {
    name: "wants it green and says no more",
    version: "2.3.0",
    deviation: pushes("PUT charging_preferences", () => ({ profile_type: "GREEN" })),
    breaks: ["preferences-set.complete"]
  }
]

const of = (templateId: string, scenes: ReadonlyArray<Scene>): ReadonlyArray<FaultyEmsp> =>
  scenes.map((scene) => ({ ...scene, templateId, role: "EMSP" }))

export const faultyEmsps: ReadonlyArray<FaultyEmsp> = [
  ...of("play-session", playSession),
  ...of("push-location", pushLocation),
  ...of("push-tariff", pushTariff),
  ...of("partner-starts", partnerStarts),
  ...of("authorize-token", authorizeToken),
  ...of("token-sync", tokenSync),
  ...of("token-push", tokenPush),
  ...of("partner-reads", partnerReads),
  ...of("charging-preferences", chargingPreferences),
  ...faultyRegistrants("EMSP")
]
