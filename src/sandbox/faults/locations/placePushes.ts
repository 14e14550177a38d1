/** Faults in how a CPO pushes its locations and tariffs, and in how it lists afterwards what it pushed. */

import { hourMillis } from "../../../../schema/fields/durations.ts"
import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"
import type { Push } from "../../../party/wire/PartnerQuirks.ts"
import { field, inEach } from "../edits.ts"
import { allVersions, cpo, type Fault, withRoles } from "../Fault.ts"
import { editPush } from "../pushes.ts"
import { aboutList, aboutModule, editData, editObjects, jsonOf, refused, when } from "../replies.ts"

const locations = { module: "locations", versions: allVersions, roles: cpo, strength: "must" } as const
const tariffs = { ...locations, module: "tariffs" } as const

const statusPush = (edit: (push: Push) => Push) => (push: Push) => [
  push.operation === "PATCH evse" ? edit(push) : push
]
/** One of the places of the seed. */
const isVanished = ({ city }: JsonObject) => city === "Utrecht"
const isSecond = (uid: unknown) => String(uid).endsWith("-2")

/** Faults in a CPO's pushes of EVSE statuses and tariffs, and in lists that disagree with those pushes. */
export const placePushesFaults: ReadonlyArray<Fault> = [
  {
    ...locations,
    id: "locations.status-in-lower-case",
    description: "Pushes the status of an EVSE in lower case",
    caughtBy: ["LOC-043"],
    behaviour: {
      push: statusPush((push) => ({
        ...push,
        body: field("status", (status) => String(status).toLowerCase())(push.body as Record<string, unknown>)
      }))
    }
  },
  {
    ...locations,
    id: "locations.status-without-stamp",
    description: "Pushes each status of an EVSE with one and the same last_updated",
    caughtBy: ["LOC-051"],
    behaviour: {
      push: statusPush((push) => ({
        ...push,
        body: field("last_updated", () => "2024-01-01T00:00:00Z")(push.body as Record<string, unknown>)
      }))
    }
  },
  {
    ...locations,
    id: "locations.pushed-ahead",
    description: "Pushes EVSEs with a later last_updated than in its list",
    caughtBy: ["LOC-045"],
    behaviour: {
      push: statusPush((push) => ({
        ...push,
        body: field("last_updated", (at) => dateTimeOf((dateTimeMillis(at) ?? 0) + hourMillis))(
          push.body as Record<string, unknown>
        )
      }))
    }
  },
  {
    ...locations,
    id: "locations.evse-vanishes",
    versions: withRoles,
    description: "Leaves EVSEs that it has pushed out of its locations",
    caughtBy: ["LOC-046"],
    behaviour: {
      reply: when(aboutModule("locations"), (request, reply) =>
        isSecond(request.path[3])
          ? refused(reply, 404)
          : editObjects(field("evses", (evses) => objectsIn(evses).filter(({ uid }) => !isSecond(uid))))(
              request,
              reply
            )
      )
    }
  },
  {
    ...locations,
    id: "locations.location-vanishes",
    strength: "should",
    description: "Leaves one location that it has pushed out of its list, and does not find it by its id",
    caughtBy: ["LOC-048"],
    behaviour: {
      reply: when(aboutModule("locations"), (request, reply) =>
        isVanished(objectIn(objectIn(jsonOf(reply))["data"]))
          ? refused(reply, 404)
          : when(
              aboutList("locations"),
              editData((data) => objectsIn(data).filter((location) => !isVanished(location)))
            )(request, reply)
      )
    }
  },
  {
    ...locations,
    id: "locations.new-uids",
    description: "Lists EVSEs under other uids than it pushed",
    caughtBy: ["LOC-047"],
    behaviour: {
      reply: when(
        aboutModule("locations"),
        editObjects(inEach("evses", (evse) => ({ ...evse, uid: `${String(evse["uid"])}-NEW` })))
      )
    }
  },
  {
    ...tariffs,
    id: "tariffs.pushed-in-part",
    description: "Leaves the currency out of the tariffs that it pushes",
    caughtBy: ["TAR-030"],
    behaviour: { push: editPush("tariffs", ({ currency: _, ...tariff }) => tariff) }
  },
  {
    ...tariffs,
    id: "tariffs.deleted-while-used",
    strength: "should",
    description: "Deletes tariffs that its connectors reference",
    caughtBy: ["TAR-031"],
    behaviour: {
      push: (push) =>
        push.operation === "PUT tariff"
          ? [push, { ...push, operation: "DELETE tariff", method: "DELETE", body: undefined }]
          : [push]
    }
  },
  {
    ...tariffs,
    id: "tariffs.pushed-otherwise",
    description: "Pushes tariffs with another currency than it lists",
    caughtBy: ["TAR-032"],
    behaviour: { push: editPush("tariffs", (tariff) => ({ ...tariff, currency: "CHF" })) }
  },
  {
    ...tariffs,
    id: "tariffs.pushed-late",
    strength: "should",
    description: "Pushes tariffs ten seconds after the locations that reference them",
    caughtBy: ["TAR-033"],
    behaviour: {
      push: (push) => [push.operation === "PUT tariff" ? { ...push, delayMillis: 10_000 } : push]
    }
  }
]
