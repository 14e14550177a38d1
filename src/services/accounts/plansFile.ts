/** Reads PLANS_FILE: the plans, and the plan of each account. */
import { FileSystem } from "@effect/platform"
import { Data, Effect, Schema } from "effect"
import { Capability } from "../../../schema/Account.ts"
import { firstIssueOf } from "../../../schema/fields/issues.ts"
import { traced } from "../../telemetry/traced.ts"
import { defaultPlans, type PlansConfig } from "./Plans.ts"

/** PLANS_FILE cannot be read, is not JSON, or has a wrong field; `message` says which and where. */
class PlansFileInvalid extends Data.TaggedError("PlansFileInvalid")<{ readonly message: string }> {}

/** The content of PLANS_FILE, with defaults filled in. */
export interface PlansFile {
  readonly config: PlansConfig
  /** Plan of accounts that are not in `accounts`. */
  readonly defaultPlan: string
  /** Account name -> plan. */
  readonly accounts: Readonly<Record<string, string>>
}

const File = Schema.Struct({
  default: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  accounts: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.NonEmptyString }), {
    exact: true
  }),
  plans: Schema.optionalWith(
    Schema.Array(
      Schema.Struct({
        name: Schema.NonEmptyString,
        capabilities: Schema.Array(Capability),
        ownConnections: Schema.optionalWith(Schema.NonNegativeInt, { exact: true })
      })
    ),
    { exact: true }
  )
})

/** Without a file every account has plan `unlimited`. Fails with PlansFileInvalid. */
export const readPlansFile = traced("readPlansFile")(function* (path: string | undefined) {
  if (path === undefined) {
    const none: PlansFile = { config: defaultPlans, defaultPlan: "unlimited", accounts: {} }
    return none
  }
  const refuse = (why: string) =>
    new PlansFileInvalid({ message: `PLANS_FILE is ${JSON.stringify(path)}: ${why}` })
  const files = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(files.readFileString(path), () => refuse("the file cannot be read"))
  const file = yield* Effect.mapError(Schema.decodeUnknown(Schema.parseJson(File))(text), (error) => {
    const { message, path } = firstIssueOf(error)
    return refuse(`at ${path.join(".") || "the top"}: ${message}`)
  })
  const plans: PlansFile = {
    config: file.plans === undefined ? defaultPlans : { plans: file.plans },
    defaultPlan: file.default ?? "unlimited",
    accounts: file.accounts ?? {}
  }
  const known = plans.config.plans.map(({ name }) => name)
  const unknown = [plans.defaultPlan, ...Object.values(plans.accounts)].find((name) => !known.includes(name))
  if (unknown !== undefined)
    return yield* refuse(`there is no plan ${JSON.stringify(unknown)}; there are ${known.join(", ")}`)
  return plans
})
