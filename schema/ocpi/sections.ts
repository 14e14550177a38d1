/** Document and section that define each OCPI object and class; the names are the same in every version. */
import { Option, type Schema, SchemaAST } from "effect"

const objects = (document: string, ...names: ReadonlyArray<string>) =>
  names.map((name) => [name, `${document}, ${name} Object`] as const)
const classes = (document: string, ...names: ReadonlyArray<string>) =>
  names.map((name) => [name, `${document}, ${name} class`] as const)

/** By the identifier of a schema: `mod_locations, EVSE Object`. */
export const sections: ReadonlyMap<string, string> = new Map([
  ...classes("version_information_endpoint", "Version"),
  ["VersionDetails", "version_information_endpoint, Version details endpoint, Data"],
  ["OcpiEndpoint", "version_information_endpoint, Endpoint class"],
  ...objects("credentials", "Credentials"),
  ...classes("credentials", "CredentialsRole"),
  ...objects("mod_locations", "Location", "EVSE", "Connector", "Parking"),
  ...classes(
    "mod_locations",
    "AdditionalGeoLocation",
    "BusinessDetails",
    "EnergyMix",
    "EnergySource",
    "EnvironmentalImpact",
    "EVSEParking",
    "ExceptionalPeriod",
    "GeoLocation",
    "Hours",
    "Image",
    "PublishTokenType",
    "RegularHours",
    "StatusSchedule"
  ),
  ...objects("mod_sessions", "Session", "ChargingPreferences"),
  ...objects("mod_cdrs", "CDR"),
  ...classes(
    "mod_cdrs",
    "CdrDimension",
    "CdrLocation",
    "CdrToken",
    "ChargingPeriod",
    "SignedData",
    "SignedValue"
  ),
  ...objects("mod_tariffs", "Tariff"),
  ...classes("mod_tariffs", "PriceComponent", "PriceLimit", "TariffElement", "TariffRestrictions"),
  ...objects("mod_tokens", "AuthorizationInfo", "Token"),
  ...classes("mod_tokens", "EnergyContract", "LocationReferences"),
  ...objects(
    "mod_commands",
    "CancelReservation",
    "CommandResponse",
    "ReserveNow",
    "StartSession",
    "StopSession",
    "UnlockConnector"
  ),
  ["OcpiCommandResult", "mod_commands, CommandResult Object"],
  ...objects(
    "mod_charging_profiles",
    "ChargingProfileResponse",
    "ActiveChargingProfileResult",
    "ChargingProfileResult",
    "ClearProfileResult",
    "SetChargingProfile"
  ),
  ...classes("mod_charging_profiles", "ActiveChargingProfile", "ChargingProfile", "ChargingProfilePeriod"),
  ...objects("mod_hub_client_info", "ClientInfo"),
  ...objects("mod_payments", "Terminal"),
  ["FinancialAdviceConfirmation", "mod_payments, Financial Advice Confirmation Object"],
  ...classes("types", "DisplayText", "Price", "TaxAmount")
])

/**
 * The section that defines a place inside a value of the schema: that of the innermost object on the path.
 * `path` holds field names and list positions; undefined when no object on the path is in the table.
 */
export const sectionAt = (
  schema: Schema.Schema.AnyNoContext,
  path: ReadonlyArray<string>
): string | undefined => {
  let found: string | undefined
  let asts = meant([schema.ast])
  for (let depth = 0; ; depth++) {
    const named = asts.flatMap((ast) => sectionOf(ast) ?? [])
    if (named[0] !== undefined) found = named[0]
    const step = path[depth]
    if (step === undefined || asts.length === 0) return found
    asts = meant(asts.flatMap((ast) => below(ast, step)))
  }
}

function sectionOf(ast: SchemaAST.AST): string | undefined {
  return sections.get(Option.getOrElse(SchemaAST.getIdentifierAnnotation(ast), () => ""))
}

/** Replaces unions by their members, because "or null" is no step of the path. */
function meant(asts: ReadonlyArray<SchemaAST.AST>): ReadonlyArray<SchemaAST.AST> {
  return asts.flatMap((ast) =>
    SchemaAST.isUnion(ast) && sectionOf(ast) === undefined ? meant(ast.types) : [ast]
  )
}

function below(ast: SchemaAST.AST, step: string): ReadonlyArray<SchemaAST.AST> {
  switch (ast._tag) {
    case "Refinement":
    case "Transformation":
      return below(ast.from, step)
    case "Union":
      return ast.types.flatMap((type) => below(type, step))
    case "TupleType":
      return ast.rest.map(({ type }) => type)
    case "TypeLiteral":
      return ast.propertySignatures.flatMap(({ name, type }) => (String(name) === step ? [type] : []))
    default:
      return []
  }
}
