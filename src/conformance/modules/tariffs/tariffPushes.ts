/** How a CPO tells us of its tariffs as they change (mod_tariffs, Receiver Interface on our side). */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding, given } from "../../../findings/finding.ts"
import { objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { toldOtherwise } from "../../../findings/objectDifferences.ts"
import { violations } from "../../../findings/violations/violations.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import { type Evidence, earlierCalls } from "../../model/Evidence.ts"
import { listedAfter } from "../locations/afterwardsProbes.ts"
import { onAllCalls } from "../shared/allCalls.ts"
import { tariffs } from "../shared/objects/ListedKind.ts"
import { baseOf } from "../shared/objects/objectRules.ts"
import {
  changedAt,
  noObject,
  type PushedObject,
  pushedObjects,
  strayPushes
} from "../shared/pushedObjects.ts"

const base = {
  ...baseOf(tariffs),
  mode: "OBS",
  reference: "mod_tariffs, Receiver Interface",
  sends: "no request: the check looks at the tariffs that the partner pushes to us",
  needs: () => ["inbound"]
} as const

const provoke = "the partner has pushed no tariff: edit one while the run goes on (listenSeconds)"

const inPush = ({ seen }: PushedObject, message: string, expected: string, actual: unknown): Finding =>
  finding(seen, message, { expected, actual: shown(actual) })

/** Judge how a CPO pushes tariffs, and what its lists say afterwards (mod_tariffs, Receiver Interface). */
export const tariffPushesChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TAR-030",
    title: "PUT of a tariff: a complete Tariff with the ids of its path",
    passes: "PUT of a full valid Tariff with the ids of its path; PATCH only where the version has it",
    hint: "Send the whole tariff by PUT whenever it changes.",
    lenient: () => true,
    judge: (evidence) => {
      const pushes = pushedObjects(evidence, "tariffs").filter(({ method }) => method !== "DELETE")
      const strays = strayPushes(evidence, "tariffs", ["PUT", "PATCH", "DELETE"])
      if (pushes.length + strays.length === 0) return inconclusive("unobservable", provoke)
      return noneOf(
        [...pushes.flatMap((push) => pushFlaws(push, evidence)), ...strays],
        `${pushes.length} pushes looked at`
      )
    }
  },
  {
    ...base,
    id: "TAR-031",
    title: "DELETE of a tariff: no connector names it any more",
    strength: "should",
    sends: "GET locations again after the pushes",
    passes: "no connector of the list names a tariff that was deleted",
    hint: "Remove the tariff from its connectors before you delete it.",
    needs: () => ["inbound", "locations.after"],
    judge: onAllCalls("inbound", ["tariffs"], (evidence) => {
      const deleted = lastPushes(evidence).filter(({ method }) => method === "DELETE")
      if (deleted.length === 0) return inconclusive("unobservable", "the partner has deleted no tariff")
      const named = namedTariffs(evidence)
      return noneOf(
        deleted
          .filter(({ ids: [id] }) => named.some((other) => sameId(other, id)))
          .map((push) =>
            inPush(
              push,
              `the tariff ${push.ids[0]} was deleted although connectors name it`,
              "no connector names it",
              push.ids[0]
            )
          ),
        `${deleted.length} deleted`
      )
    })
  },
  {
    ...base,
    id: "TAR-032",
    consequenceOf: ["TAR-031", "TAR-034", "PAGE-028"],
    title: "GET tariffs: the same tariffs as were pushed",
    sends: "GET tariffs again after the pushes",
    passes: "each tariff is listed as it was pushed last; a deleted one is gone",
    hint: "Push and list the same tariff: check that both come from the same data, and remove deleted tariffs from the list.",
    needs: () => ["inbound", "tariffs.after"],
    judge: onAllCalls("inbound", ["tariffs"], listedAsPushed)
  },
  {
    ...base,
    id: "TAR-033",
    title: "PUT of a tariff: before the first location that names it",
    strength: "should",
    reference: "mod_locations; mod_tariffs",
    passes: "the first push of a tariff comes before the first location that names it",
    hint: "Push tariffs before the locations that name them: until then the price at the connector is not known.",
    judge: tooLate
  }
]

function pushFlaws(push: PushedObject, { profile }: Evidence): ReadonlyArray<Finding> {
  const { body, ids, method, seen } = push
  const own = { exchangeId: seen.exchange.id }
  if (method === "PATCH" && !profile.tariffPatch)
    return [inPush(push, "a tariff was changed by PATCH", "PUT of the whole tariff", "PATCH")]
  const unreadable = noObject(seen)
  if (unreadable.length > 0) return unreadable
  const schema = profile.objects.Tariff
  const flaws = schema === undefined ? [] : violations(schema, seen.json)
  // What a PATCH leaves out is not wrong; only what it has.
  const counted = flaws.filter(
    ({ pointer }) => method === "PUT" || ((pointer ?? "").split("/")[1] ?? "") in body
  )
  const wanted: Readonly<Record<string, string>> = {
    id: ids[0],
    ...(profile.ownerFields ? { country_code: push.country, party_id: push.party } : {})
  }
  return [
    ...counted.map((flaw) => ({ ...flaw, ...own })),
    ...Object.entries(wanted)
      .filter(([name, value]) => body[name] !== undefined && !sameId(body[name], value))
      .map(([name, value]) => inPush(push, `${name} is not the one of the path`, value, body[name]))
  ]
}

/** The last PUT or DELETE of each tariff. */
function lastPushes(evidence: Evidence): ReadonlyArray<PushedObject> {
  const pushes = pushedObjects(evidence, "tariffs").filter(({ method }) => method !== "PATCH")
  return pushes.filter((push) => pushes.findLast(({ ids: [id] }) => sameId(id, push.ids[0])) === push)
}

/** Tariffs that connectors of the list name. */
function namedTariffs(evidence: Evidence): ReadonlyArray<string> {
  return listedAfter(evidence, "locations").flatMap(({ json }) => tariffsIn(json, evidence))
}

function tariffsIn(
  location: Readonly<Record<string, unknown>>,
  { profile }: Evidence
): ReadonlyArray<string> {
  return objectsIn(location["evses"])
    .flatMap((evse) => objectsIn(evse["connectors"]))
    .flatMap((connector) => [connector[profile.connectorNames.tariffs]].flat())
    .flatMap((id) => textIn(id) ?? [])
}

function listedAsPushed(evidence: Evidence): Judgement {
  const last = lastPushes(evidence)
  if (last.length === 0) return inconclusive("unobservable", provoke)
  const listed = listedAfter(evidence, "tariffs")
  const [page] = evidence.answered("tariffs.after")
  return noneOf(
    last.flatMap((push): ReadonlyArray<Finding> => {
      const [id] = push.ids
      const item = listed.find(({ json }) => sameId(json["id"], id))
      if (push.method === "DELETE")
        return given(item, (item) =>
          at(item.seen, item.pointer, `the tariff ${id} was deleted but is still listed`, {
            expected: "absent",
            actual: id
          })
        )
      if (item === undefined)
        return given(page, (page) =>
          at(page, "/data", `the tariff ${id} was pushed but is not listed`, {
            expected: id,
            actual: "absent"
          })
        )
      const [then, now] = [changedAt(push), dateTimeMillis(item.json["last_updated"])]
      // Changed since: then the two need not be the same.
      if (then !== undefined && now !== undefined && now > then) return []
      return toldOtherwise(evidence.profile, "Tariff", push.body, item.json).map(
        ({ actual, expected, pointer }) =>
          at(item.seen, `${item.pointer}${pointer}`, `the listed tariff ${id} differs from what was pushed`, {
            expected: shown(expected),
            actual
          })
      )
    }),
    `${last.length} tariffs compared`
  )
}

function tooLate(evidence: Evidence): Judgement {
  const puts = pushedObjects(evidence, "tariffs").filter(({ method }) => method === "PUT")
  const uses = pushedObjects(evidence, "locations").flatMap((push) =>
    push.ids.length === 1 ? tariffsIn(push.body, evidence).map((id) => ({ push, id })) : []
  )
  const calls = evidence.seen("inbound")
  const before = calls.filter(({ exchange }) => exchange.startedAt < evidence.startedAt)
  // Of more calls before the run only the newest are known: a tariff that is older may have been pushed before them.
  const from =
    before.length < earlierCalls ? Number.NEGATIVE_INFINITY : Date.parse(before[0]!.exchange.startedAt)
  const pairs = puts.flatMap((put) => {
    const first =
      (changedAt(put) ?? 0) >= from && puts.find(({ ids: [id] }) => sameId(id, put.ids[0])) === put
    const use = uses.find(({ id }) => sameId(id, put.ids[0]))
    return first && use !== undefined ? [{ put, use }] : []
  })
  if (pairs.length === 0)
    return inconclusive(
      "unobservable",
      "the partner has pushed no tariff together with a location that names it"
    )
  return noneOf(
    pairs
      // A tariff that changed after the location came may also have been pushed before the run began.
      .filter(({ put, use }) => put.came > use.push.came && (changedAt(put) ?? 0) <= use.push.came)
      .map(({ put, use }) =>
        inPush(
          put,
          `the tariff ${use.id} came after the location ${use.push.ids[0]} that names it`,
          "before it",
          use.id
        )
      ),
    `${pairs.length} tariffs looked at`
  )
}
