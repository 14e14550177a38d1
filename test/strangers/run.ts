/**
 * Conformant partners by the dozen: `npm run strangers -- --seeds 500`. Options: `--from 40` the first seed, `--suite core`,
 * `--suite credentials`, `transport` or `registration` with the checks that may end a registration, which the full suite leaves
 * out, `--suite hub` partners behind a hub of ours, `--drivers` EMSPs whose drivers act on what the run publishes,
 * `--seed 17` one seed with everything that was not judged,
 * `--plain 2.2.1-CPO` the plainest stranger, `--shrink` the plainest choices with which a false alarm still comes;
 * `--personas` the shapes of real systems, or `--persona fastapi` one of them with everything that it was told,
 * `--keep` writes what the reports say into `personas/told.json`, to be read before it is committed;
 * `--journeys 32` every journey with each of so many, and with the plainest ones; `--journey-faults` strangers with one fault each in
 * the journey that has to find it (`--rows start.,card.` those alone);
 * `--mutations 100` strangers with one fault each, `--mutations all` every fault once (`--after 40` without the first 40 of
 * them, `--most 40` no more than 40, `--rows paging.,envelope.html` those alone whose ids begin so), `--mutation paging.no-link`
 * that one in each version and role.
 */
import { writeFileSync } from "node:fs"
import { isDeepStrictEqual, parseArgs } from "node:util"
import fc from "fast-check"
import { type Drawn, differences, hubStrangerOf, plainStranger, strangerOf, strangers } from "./draw.ts"
import { plainScenes, playScene, seededScenes } from "./journeys.ts"
import { faultsOf, type MeetingOrder, type Met, meet } from "./meeting.ts"
import { drawnFaults, everyOnce, inEach, playAll } from "./mutations/playAll.ts"
import { playFaults } from "./mutations/playJourneyFault.ts"
import { strangerRoles, strangerVersions } from "./partner/Freedoms.ts"
import { expectationOf, findingsOf, meetPersona, type Told, toldOf } from "./personas/findings.ts"
import { personas } from "./personas/personas.ts"
import told from "./personas/told.json" with { type: "json" }

const text = { type: "string" } as const
const flag = { type: "boolean" } as const
// An option that there is not, or a value where none belongs, ends the command: it would be another run than was meant.
const { values } = parseArgs({
  options: {
    seeds: text,
    from: text,
    suite: text,
    drivers: flag,
    seed: text,
    plain: text,
    shrink: flag,
    personas: flag,
    persona: text,
    keep: flag,
    journeys: text,
    "journey-faults": flag,
    mutations: text,
    after: text,
    most: text,
    rows: text,
    mutation: text
  }
})
const suites = ["core", "hub", "full", "credentials", "transport", "registration"] as const
const suite = suites.find((part) => values.suite === part)
if (values.suite !== undefined && suite === undefined)
  throw new Error(`--suite is one of ${suites.join(", ")}`)
const order: MeetingOrder = {
  part: suite ?? "full",
  listenSeconds: suite === "hub" ? 90 : values.drivers === true ? 60 : 0,
  hasDrivers: values.drivers === true
}
const drawnOf = suite === "hub" ? hubStrangerOf : strangerOf
const say = (text: string) => process.stdout.write(`${text}\n`)

const wrongIn = (met: Met) => (met.broken === undefined ? faultsOf(met) : [`no run: ${met.broken}`])

/** The plainest choices with which something of that id is still said. */
const shrunk = async (seed: number, { role, version }: Drawn, id: string) => {
  const property = fc.asyncProperty(strangers({ role, version }), async (drawn) =>
    wrongIn(await meet(drawn, order)).every((line) => !line.startsWith(id))
  )
  const result = await fc.check(property, { seed, numRuns: 1, interruptAfterTimeLimit: 240_000 })
  const [plainest] = result.counterexample ?? []
  return plainest === undefined ? undefined : differences(plainest)
}

const totals = { strangers: 0, judged: 0, failed: 0, warned: 0, errors: 0, broken: 0 }
const alarms = new Map<string, Array<number>>()
/** Every check that was graded, and whether any of these partners has passed it. */
const everPassed = new Map<string, boolean>()

const play = async (name: string, drawn: Drawn, seed: number | undefined) => {
  const met = await meet(drawn, order)
  const lines = wrongIn(met)
  totals.strangers += 1
  totals.judged += met.assertions.filter(({ outcome }) => outcome === "passed").length
  totals.broken += met.broken === undefined ? 0 : 1
  totals.failed += met.assertions.filter(({ outcome }) => outcome === "failed").length
  totals.errors += met.assertions.filter(({ outcome }) => outcome === "error").length
  totals.warned += met.assertions.filter(
    ({ outcome, strength }) => outcome === "warned" && strength === "must"
  ).length
  const passed = met.assertions.filter(({ outcome }) => outcome === "passed").length
  for (const { id, outcome } of met.assertions)
    everPassed.set(id, outcome === "passed" || everPassed.get(id) === true)
  say(`${name} ${drawn.version} ${drawn.role}: ${lines.length} false alarms, ${passed} passed`)
  for (const line of lines) {
    say(`  ${line.slice(0, 600)}`)
    if (seed === undefined) continue
    const id = line.split(" ", 1)[0]!
    const known = alarms.get(id) ?? []
    alarms.set(id, [...known, seed])
    if (values.shrink === true && known.length === 0)
      say(`  shrunk: ${JSON.stringify(await shrunk(seed, drawn, id))}`)
  }
  if (lines.length > 0) say(`  drawn: ${JSON.stringify(differences(drawn))}`)
  if (values.seed !== undefined || values.plain !== undefined)
    for (const one of met.assertions.filter(({ outcome }) => outcome !== "passed"))
      say(`  ${one.outcome} ${one.id} ${one.strength}: ${one.message ?? one.reason}`.slice(0, 400))
}

if (values.journeys !== undefined) {
  const first = Number(values.from ?? 0)
  const seeded = Array.from({ length: Number(values.journeys) }, (_, index) => seededScenes(first + index))
  let alarmed = 0
  const scenes = [...plainScenes, ...seeded.flat()]
  for (const scene of scenes) {
    const met = await playScene(scene)
    const lines = wrongIn(met)
    if (lines.length > 0) alarmed += 1
    const passed = met.assertions.filter(({ outcome }) => outcome === "passed").length
    say(`${scene.name}: ${lines.length} false alarms, ${passed} passed`)
    for (const line of lines) say(`  ${line.slice(0, 600)}`)
    if (lines.length > 0) say(`  drawn: ${JSON.stringify(differences(scene.drawn))}`)
  }
  say(`${scenes.length} journeys, ${alarmed} with a false alarm`)
  process.exit(alarmed === 0 ? 0 : 1)
}

if (values["journey-faults"] === true)
  process.exit((await playFaults(values.rows?.split(",") ?? [], Number(values.from ?? 0), say)) ? 0 : 1)

const faults = values.mutations
const named = values.mutation
if (faults !== undefined || named !== undefined) {
  const from = Number(values.from ?? 0)
  const starts = values.rows?.split(",") ?? []
  const chosen =
    named === undefined
      ? faults === "all"
        ? everyOnce(from)
            .filter(
              ({ mutation: { id } }) => starts.length === 0 || starts.some((start) => id.startsWith(start))
            )
            .slice(Number(values.after ?? 0))
            .slice(0, Number(values.most ?? Number.POSITIVE_INFINITY))
        : drawnFaults(from, Number(faults))
      : inEach(named, from)
  process.exit((await playAll(chosen, order.part, say)) ? 0 : 1)
}

const persona = values.persona
if (persona !== undefined || values.personas === true) {
  let others = 0
  const kept: Record<string, Told> = { ...told }
  for (const one of personas.filter(({ id }) => persona === undefined || id === persona)) {
    const met = await meetPersona(one)
    const known: Readonly<Record<string, Told>> = told
    const found = { ...findingsOf(met, one.expects), told: toldOf(met) }
    const expected = { ...expectationOf(one.expects), told: known[one.id] }
    if (values.keep === true) kept[one.id] = found.told
    const isAsExpected = isDeepStrictEqual(found, expected)
    others += isAsExpected ? 0 : 1
    say(`${one.id} ${one.version} ${one.role} ${one.suite}: ${isAsExpected ? "as expected" : "OTHERWISE"}`)
    if (!isAsExpected) say(`  expected ${JSON.stringify(expected)}\n  found ${JSON.stringify(found)}`)
    if (persona !== undefined)
      for (const { attribution, blockedBy, id, message, outcome, partnerSaid, reason } of met.assertions)
        if (["failed", "warned", "error"].includes(outcome) || blockedBy !== undefined)
          say(
            `  ${outcome} ${id} (${attribution}): ${message ?? reason}${partnerSaid === undefined ? "" : `; the partner says: ${partnerSaid}`}`.slice(
              0,
              400
            )
          )
  }
  if (values.keep === true)
    writeFileSync(new URL("./personas/told.json", import.meta.url), `${JSON.stringify(kept, null, 2)}\n`)
  process.exit(others === 0 ? 0 : 1)
}

const plain = values.plain
const seed = values.seed
if (plain !== undefined) {
  for (const version of strangerVersions)
    for (const role of strangerRoles)
      if (
        (plain === "all" || plain === `${version}-${role}`) &&
        !(order.part === "hub" && version === "2.1.1")
      )
        await play("plain", plainStranger(version, role), undefined)
} else {
  const first = Number(seed ?? values.from ?? 0)
  const count = seed === undefined ? Number(values.seeds ?? 40) : 1
  for (let next = first; next < first + count; next += 1) await play(`seed ${next}`, drawnOf(next), next)
}
say(
  `${totals.strangers} strangers, ${totals.judged} checks passed, ${totals.failed} failed, ${totals.warned} warned on must rules, ${totals.errors} errors of ours, ${totals.broken} without a run`
)
const never = [...everPassed].flatMap(([id, hasPassed]) => (hasPassed ? [] : [id])).toSorted()
say(`  of ${everPassed.size} checks ${never.length} were passed by none of them: ${never.join(" ")}`)
for (const [id, seeds] of alarms) say(`  ${id}: ${seeds.length} (seeds ${seeds.slice(0, 8).join(", ")})`)
process.exit(alarms.size === 0 && totals.broken === 0 ? 0 : 1)
