/** What an EMSP can act upon that knows of us only what OCPI tells it: our connection holds nothing before the run. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { PartnerCalls } from "../../../src/party/outbound/PartnerCalls.ts"
import { push } from "../../../src/party/simulation/engine/pushes.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { gradedQuickly, type Happening } from "../../support/parties/quickWorld.ts"
import { askForProfile } from "../support/askForProfile.ts"

const checks = [
  "CP-101",
  "CP-102",
  "CP-103",
  "CMD-101",
  "CMD-104",
  "CMD-105",
  "CMD-106",
  "CMD-107",
  "CMD-112"
]

/** The EMSP waits until it was told of a location, then starts, reserves and sets a profile there. */
const acts =
  (change: object = {}): Happening =>
  ({ partner }) =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      const received = (module: string) =>
        Effect.map(store.objects(partner.id, module, "received", { offset: 0, limit: 100 }), ({ items }) =>
          // JSON of any shape.
          items.map(({ json }) => json as any).filter(({ id }) => String(id).includes("-SITE"))
        )
      yield* Effect.repeat(Effect.sleep("1 second"), {
        until: () => Effect.map(received("sessions"), (found) => found.length > 0)
      })
      const [location] = yield* received("locations")
      const [session] = yield* received("sessions")
      const { items } = yield* store.objects(partner.id, "tokens", "own", { offset: 0, limit: 1 })
      const token = items[0]?.json
      const evse = location.evses.find(({ status }: any) => status === "AVAILABLE")
      const place = { location_id: location.id, evse_uid: evse.uid }
      const connector_id = evse.connectors[0].id
      for (const [name, body] of [
        ["START_SESSION", { token, ...place, connector_id, ...change }],
        ["RESERVE_NOW", { token, reservation_id: "R1", expiry_date: "2099-01-01T00:00:00Z", ...place }]
      ] as const) {
        const response_url = yield* (yield* PartnerCalls).expectResult(partner, name, `of-${name}`)
        const what = { module: "commands", operation: name, method: "POST" } as const
        yield* push(
          partner,
          { ...what, body: { ...body, response_url } },
          { path: [name], interfaceRole: "RECEIVER" },
          "correlation-1"
        )
      }
      const profile = { charging_rate_unit: "W", charging_profile_period: [{ start_period: 0, limit: 3600 }] }
      for (const request of [
        { request: "set", profile },
        { request: "read", durationSeconds: 600 },
        { request: "clear" }
      ] as const) {
        yield* askForProfile(partner, session.id, request, `profile-${request.request}`)
      }
    })

const run = (meanwhile: Happening, faults: ReadonlyArray<string> = []) =>
  gradedQuickly({
    ...{ version: "2.2.1", role: "EMSP", isBare: true },
    ...{ checks, listenSeconds: 60, meanwhile, faults }
  })

const outcomes = (assertions: ReadonlyArray<{ readonly id: string; readonly outcome: string }>) =>
  Object.fromEntries(assertions.map(({ id, outcome }) => [id, outcome]))

describe("the site that a run publishes", () => {
  it.live(
    "lets an EMSP be judged that starts, reserves and sets profiles there",
    () =>
      Effect.map(run(acts()), ({ assertions, events }) => {
        assert.deepStrictEqual(outcomes(assertions), Object.fromEntries(checks.map((id) => [id, "passed"])))
        const last = events.flatMap((event) =>
          event.type === "exchange.completed" && event.exchange.module === "locations"
            ? [event.exchange.request.body ?? ""]
            : []
        )
        assert.include(last.at(-1), "REMOVED")
      }),
    300_000
  )

  it.live("lets an EMSP be caught that starts without a connector_id", () =>
    Effect.map(run(acts({ connector_id: undefined })), ({ assertions }) =>
      assert.strictEqual(outcomes(assertions)["CMD-105"], "failed")
    )
  )

  it.live.each([
    ["chargingprofiles.results-with-data", "CP-101"],
    ["chargingprofiles.set-without-unit", "CP-103"],
    ["commands.cancellation-refused", "CMD-112"]
  ] as const)("lets %s be caught by %s", ([fault, check]) =>
    Effect.map(run(acts(), [fault]), ({ assertions }) =>
      assert.strictEqual(outcomes(assertions)[check], "failed")
    )
  )
})
