/**
 * Holds the official examples against our schemas: `npx tsx test/schema/ocpi/support/officialExamples.ts <clone of ocpi/ocpi>`.
 * Prints what breaks a strict schema, by version and section; docs/official-examples.md keeps the findings with the reason
 * of each. The examples themselves stay where they are: their licence does not let us carry changed copies.
 */
import { execFileSync } from "node:child_process"
import type { ObjectName } from "../../../../schema/ocpi/VersionProfile.ts"
import { profileOf, versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { violations } from "../../../../src/findings/violations/violations.ts"

const repository = process.argv[2] ?? "."
const git = (...args: ReadonlyArray<string>) =>
  execFileSync("git", ["-C", repository, ...args], { encoding: "utf8", maxBuffer: 1e8 })

interface Example {
  readonly place: string
  readonly text: string
}

/** A field that only one object has, the first that fits decides. */
const marks: ReadonlyArray<readonly [string, ObjectName]> = [
  ["terminal_id", "Terminal"],
  ["eft_data", "FinancialAdviceConfirmation"],
  ["expiry_date", "RESERVE_NOW"],
  ["cdr_location", "CDR"],
  ["stop_date_time", "CDR"],
  ["kwh", "Session"],
  ["start_datetime", "Session"],
  ["charging_periods", "Session"],
  ["elements", "Tariff"],
  ["allowed", "AuthorizationInfo"],
  ["whitelist", "Token"],
  ["connectors", "EVSE"],
  ["standard", "Connector"],
  ["tariff_ids", "Connector"],
  ["coordinates", "Location"],
  ["evses", "Location"],
  ["endpoints", "VersionDetails"],
  ["roles", "Credentials"],
  ["business_details", "Credentials"],
  ["charging_rate_unit", "ChargingProfile"],
  ["version", "Version"],
  ["timeout", "CommandResponse"],
  ["evse_uids", "LocationReferences"],
  ["session_id", "STOP_SESSION"]
]

/** Examples of a part: the field of an object that they stand for, null for the object itself. */
const parts: ReadonlyArray<readonly [string, ObjectName, string | null]> = [
  ["twentyfourseven", "Location", "opening_times"],
  ["is_green_energy", "Location", "energy_mix"],
  ["energy_mix", "Location", null],
  ["opening_times", "Location", null],
  ["name", "Location", null],
  ["status", "EVSE", null],
  ["tariff_id", "Connector", null],
  ["total_cost", "Session", null],
  ["valid", "Token", null],
  ["customer_reference", "Terminal", null],
  ["location_ids", "Terminal", null],
  ["capture_status_code", "FinancialAdviceConfirmation", null]
]

const nameOf = (json: object): ObjectName | undefined => {
  if ("charging_profile" in json)
    return "response_url" in json ? "SetChargingProfile" : "ActiveChargingProfile"
  if ("status" in json && "role" in json) return "ClientInfo"
  return marks.find(([field]) => field in json)?.[1]
}

const blocksOf = (file: string, text: string): ReadonlyArray<Example> => {
  const found: Array<Example> = []
  let section = ""
  let open: Array<string> | undefined
  for (const line of text.split("\n")) {
    if (open === undefined && /^(#+|=+) /.test(line)) section = line.replace(/[#=_*]+/g, "").trim()
    if (/^(```|----|~~~)/.test(line)) {
      if (open !== undefined) found.push({ place: `${file}, ${section}`, text: open.join("\n") })
      open = open === undefined ? [] : undefined
    } else open?.push(line)
  }
  return found
}

const examplesOf = (branch: string): ReadonlyArray<Example> =>
  git("ls-tree", "-r", "--name-only", branch)
    .split("\n")
    .filter((file) => /^(examples\/.*\.json|[a-z_]+\.(md|asciidoc))$/.test(file))
    .flatMap((file) => {
      const text = git("show", `${branch}:${file}`)
      return file.endsWith(".json") ? [{ place: file, text }] : blocksOf(file, text)
    })

const objectsIn = (json: unknown): ReadonlyArray<object> => {
  if (Array.isArray(json)) return json.flatMap(objectsIn)
  if (typeof json !== "object" || json === null) return []
  return "data" in json && "status_code" in json ? objectsIn(json.data) : [json]
}

let seen = 0
let fitting = 0
for (const version of versionNumbers) {
  const { objects } = profileOf(version)
  for (const { place, text } of examplesOf(`release-${version}-bugfixes`)) {
    // HTTP examples have their head before the body.
    const body = /[[{][\s\S]*/.exec(text)?.[0]
    if (body === undefined || !/^[[{]\s*["{\]}]/.test(body)) continue
    let json: unknown
    try {
      json = JSON.parse(body)
    } catch {
      if (/"\w+":/.test(body)) print(version, place, "no JSON", [])
      continue
    }
    for (const found of objectsIn(json)) {
      const whole = nameOf(found)
      const part = whole === undefined ? parts.find(([field]) => field in found) : undefined
      const name = whole ?? part?.[1]
      const object = part?.[2] == null ? found : { [part[2]]: found }
      const schema = name === undefined ? undefined : objects[name]
      if (schema === undefined) {
        print(version, place, `not placed: ${Object.keys(object).join(" ")}`, [])
        continue
      }
      seen += 1
      const partial = part !== undefined || /patch/i.test(place)
      const flaws = violations(schema, object).filter(
        ({ message, pointer }) => !(partial && / is missing$/.test(message) && !/\/.*\//.test(pointer ?? ""))
      )
      if (flaws.length === 0) fitting += 1
      else print(version, place, `${name}`, flaws)
    }
  }
}
process.stdout.write(`${fitting} of ${seen} fit\n`)

function print(version: string, place: string, what: string, flaws: ReturnType<typeof violations>): void {
  const lines = flaws.map(({ message, pointer }) => `    ${pointer}: ${message}\n`)
  process.stdout.write(`${version} ${place}: ${what}\n${lines.join("")}`)
}
