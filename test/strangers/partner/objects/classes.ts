/**
 * The fields of OCPI's object classes, one a line: name, cardinality (`1` required, `?` optional, `*` list, `+` list of one
 * or more), kind, and the versions if not all. Kinds: `s<n>` string, `ci<n>` CiString, `dt` DateTime, `url`, `num`, `int`,
 * `bool`, `enum:` and a name of `words`, or the name of a class.
 */
import type { StrangerVersion } from "../Freedoms.ts"

const text: Readonly<Record<string, string>> = {
  Credentials: `
    token 1 s64
    url 1 url
    business_details 1 BusinessDetails 2.1.1
    party_id 1 ci3 2.1.1
    country_code 1 ci2 2.1.1
    roles + CredentialsRole 2.2+
    hub_party_id ? ci5 2.3.0`,
  CredentialsRole: `
    role 1 enum:Role
    business_details 1 BusinessDetails
    party_id 1 ci3
    country_code 1 ci2`,
  BusinessDetails: `
    name 1 s100
    website ? url
    logo ? Image`,
  Image: `
    url 1 url
    thumbnail ? url
    category 1 enum:ImageCategory
    type 1 ci4
    width ? int
    height ? int`,
  DisplayText: `
    language 1 s2
    text 1 s512`,
  Location: `
    country_code 1 ci2 2.2+
    party_id 1 ci3 2.2+
    id 1 ci39
    type 1 enum:LocationType 2.1.1
    publish 1 bool 2.2+
    publish_allowed_to * PublishTokenType 2.2+
    name ? s255
    address 1 s255
    city 1 s45
    postal_code 1 s10 2.1.1
    postal_code ? s10 2.2+
    state ? s45 2.2+
    country 1 s3
    coordinates 1 GeoLocation
    related_locations * AdditionalGeoLocation
    parking_type ? enum:ParkingType 2.2+
    evses * EVSE
    parking_places * Parking 2.3.0
    directions * DisplayText
    operator ? BusinessDetails
    suboperator ? BusinessDetails
    owner ? BusinessDetails
    facilities * enum:Facility
    time_zone ? s255 2.1.1
    time_zone 1 s255 2.2+
    opening_times ? Hours
    charging_when_closed ? bool
    images * Image
    energy_mix ? EnergyMix
    help_phone ? ci25 2.3.0
    last_updated 1 dt`,
  PublishTokenType: `
    uid ? ci36
    type ? enum:TokenType
    visual_number ? s64
    issuer ? s64
    group_id ? ci36`,
  GeoLocation: `
    latitude 1 latitude
    longitude 1 longitude`,
  AdditionalGeoLocation: `
    latitude 1 latitude
    longitude 1 longitude
    name ? DisplayText`,
  EVSE: `
    uid 1 ci39
    evse_id ? ci48
    status 1 enum:Status
    status_schedule * StatusSchedule
    capabilities * enum:Capability
    connectors + Connector
    floor_level ? s4
    coordinates ? GeoLocation
    physical_reference ? s16
    directions * DisplayText
    parking_restrictions * enum:ParkingRestriction
    parking * EVSEParking 2.3.0
    images * Image
    accepted_service_providers * s50 2.3.0
    last_updated 1 dt`,
  StatusSchedule: `
    period_begin 1 dt
    period_end ? dt
    status 1 enum:Status`,
  EVSEParking: `
    parking_id 1 ci36
    evse_position ? enum:EVSEPosition`,
  Parking: `
    id 1 ci36
    physical_reference ? s12
    vehicle_types + enum:VehicleType
    max_vehicle_weight ? num
    max_vehicle_height ? num
    max_vehicle_length ? num
    max_vehicle_width ? num
    parking_space_length ? num
    parking_space_width ? num
    dangerous_goods_allowed ? bool
    direction ? enum:ParkingDirection
    drive_through ? bool
    restricted_to_type 1 bool
    reservation_required 1 bool
    time_limit ? num
    roofed ? bool
    images * Image
    lighting ? bool
    refrigeration_outlet ? bool
    standards * ci36
    apds_reference ? ci255`,
  Connector: `
    id 1 ci36
    standard 1 enum:ConnectorType
    format 1 enum:ConnectorFormat
    power_type 1 enum:PowerType
    voltage 1 int 2.1.1
    amperage 1 int 2.1.1
    max_voltage 1 int 2.2+
    max_amperage 1 int 2.2+
    max_electric_power ? int 2.2+
    tariff_id ? s36 2.1.1
    tariff_ids * ci36 2.2+
    terms_and_conditions ? url
    capabilities * enum:ConnectorCapability 2.3.0
    last_updated 1 dt`,
  Hours: `
    twentyfourseven ? bool 2.1.1
    twentyfourseven 1 bool 2.2+
    regular_hours * RegularHours
    exceptional_openings * ExceptionalPeriod
    exceptional_closings * ExceptionalPeriod`,
  RegularHours: `
    weekday 1 int
    period_begin 1 s5
    period_end 1 s5`,
  ExceptionalPeriod: `
    period_begin 1 dt
    period_end 1 dt`,
  EnergyMix: `
    is_green_energy 1 bool
    energy_sources * EnergySource
    environ_impact * EnvironmentalImpact
    supplier_name ? s64
    energy_product_name ? s64`,
  EnergySource: `
    source 1 enum:EnergySourceCategory
    percentage 1 num`,
  EnvironmentalImpact: `
    source 1 enum:EnvironmentalImpactCategory 2.1.1
    category 1 enum:EnvironmentalImpactCategory 2.2+
    amount 1 num`,
  Tariff: `
    country_code 1 ci2 2.2+
    party_id 1 ci3 2.2+
    id 1 ci36
    currency 1 s3
    type ? enum:TariffType 2.2+
    tariff_alt_text * DisplayText
    tariff_alt_url ? url
    min_price ? Price 2.2,2.2.1
    max_price ? Price 2.2,2.2.1
    min_price ? PriceLimit 2.3.0
    max_price ? PriceLimit 2.3.0
    preauthorize_amount ? num 2.3.0
    elements + TariffElement
    tax_included 1 enum:TaxIncluded 2.3.0
    start_date_time ? dt 2.2+
    end_date_time ? dt 2.2+
    energy_mix ? EnergyMix
    last_updated 1 dt`,
  Price: `
    excl_vat 1 num 2.2,2.2.1
    incl_vat ? num 2.2,2.2.1
    before_taxes 1 num 2.3.0
    taxes * TaxAmount 2.3.0`,
  PriceLimit: `
    before_taxes 1 num
    after_taxes ? num`,
  TaxAmount: `
    name 1 s255
    account_number ? s255
    percentage ? num
    amount 1 num`,
  TariffElement: `
    price_components + PriceComponent
    restrictions ? TariffRestrictions`,
  PriceComponent: `
    type 1 enum:TariffDimensionType
    price 1 num
    vat ? num 2.2+
    step_size 1 int`,
  TariffRestrictions: `
    start_time ? s5
    end_time ? s5
    start_date ? s10
    end_date ? s10
    min_kwh ? num
    max_kwh ? num
    min_current ? num 2.2+
    max_current ? num 2.2+
    min_power ? num
    max_power ? num
    min_duration ? int
    max_duration ? int
    day_of_week * enum:DayOfWeek
    reservation ? enum:ReservationRestrictionType 2.2+`,
  Token: `
    country_code 1 ci2 2.2+
    party_id 1 ci3 2.2+
    uid 1 ci36
    type 1 enum:TokenType
    auth_id 1 s36 2.1.1
    contract_id 1 ci36 2.2+
    visual_number ? s64
    issuer 1 s64
    group_id ? ci36 2.2+
    valid 1 bool
    whitelist 1 enum:WhitelistType
    language ? s2
    default_profile_type ? enum:ProfileType 2.2+
    energy_contract ? EnergyContract 2.2+
    last_updated 1 dt`,
  EnergyContract: `
    supplier_name 1 s64
    contract_id ? s64`,
  LocationReferences: `
    location_id 1 ci39
    evse_uids * ci39
    connector_ids * s36 2.1.1`,
  Session: `
    country_code 1 ci2 2.2+
    party_id 1 ci3 2.2+
    id 1 ci36
    start_datetime 1 dt 2.1.1
    end_datetime ? dt 2.1.1
    start_date_time 1 dt 2.2+
    end_date_time ? dt 2.2+
    kwh 1 num
    auth_id 1 s36 2.1.1
    cdr_token 1 CdrToken 2.2+
    auth_method 1 enum:AuthMethod
    authorization_reference ? ci36 2.2+
    location 1 Location 2.1.1
    location_id 1 ci36 2.2+
    evse_uid 1 ci36 2.2+
    connector_id 1 ci36 2.2+
    meter_id ? s255
    currency 1 s3
    charging_periods * ChargingPeriod
    total_cost ? num 2.1.1
    total_cost ? Price 2.2+
    status 1 enum:SessionStatus
    last_updated 1 dt`,
  CdrToken: `
    country_code 1 ci2 2.2.1+
    party_id 1 ci3 2.2.1+
    uid 1 ci36
    type 1 enum:TokenType
    contract_id 1 ci36`,
  ChargingPeriod: `
    start_date_time 1 dt
    dimensions + CdrDimension
    tariff_id ? ci36 2.2+`,
  CdrDimension: `
    type 1 enum:CdrDimensionType
    volume 1 num`,
  CDR: `
    country_code 1 ci2 2.2+
    party_id 1 ci3 2.2+
    id 1 ci39
    start_date_time 1 dt
    stop_date_time 1 dt 2.1.1
    end_date_time 1 dt 2.2+
    session_id ? ci36 2.2+
    auth_id 1 s36 2.1.1
    cdr_token 1 CdrToken 2.2+
    auth_method 1 enum:AuthMethod
    authorization_reference ? ci36 2.2+
    location 1 Location 2.1.1
    cdr_location 1 CdrLocation 2.2+
    meter_id ? s255
    currency 1 s3
    tariffs * Tariff
    charging_periods + ChargingPeriod
    signed_data ? SignedData 2.2+
    total_cost 1 num 2.1.1
    total_cost 1 Price 2.2+
    total_fixed_cost ? Price 2.2+
    total_energy 1 num
    total_energy_cost ? Price 2.2+
    total_time 1 num
    total_time_cost ? Price 2.2+
    total_parking_time ? num
    total_parking_cost ? Price 2.2+
    total_reservation_cost ? Price 2.2+
    remark ? s255
    invoice_reference_id ? ci39 2.2+
    credit ? bool 2.2+
    credit_reference_id ? ci39 2.2+
    home_charging_compensation ? bool 2.2.1+
    last_updated 1 dt`,
  CdrLocation: `
    id 1 ci36
    name ? s255
    address 1 s255
    city 1 s45
    postal_code 1 s10 2.2
    postal_code ? s10 2.2.1+
    state ? s20 2.2.1+
    country 1 s3
    coordinates 1 GeoLocation
    evse_uid 1 ci36
    evse_id 1 ci48
    connector_id 1 ci36
    connector_standard 1 enum:ConnectorType
    connector_format 1 enum:ConnectorFormat
    connector_power_type 1 enum:PowerType`,
  SignedData: `
    encoding_method 1 ci36
    encoding_method_version ? int
    public_key ? s512
    signed_values + SignedValue
    url ? s512`,
  SignedValue: `
    nature 1 ci32
    plain_data 1 s5000
    signed_data 1 s5000`,
  START_SESSION: `
    response_url 1 url
    token 1 Token
    location_id 1 ci39
    evse_uid ? ci39
    connector_id ? ci36 2.2.1+
    authorization_reference ? ci36 2.2+`,
  STOP_SESSION: `
    response_url 1 url
    session_id 1 ci36`,
  RESERVE_NOW: `
    response_url 1 url
    token 1 Token
    expiry_date 1 dt
    reservation_id 1 int 2.1.1
    reservation_id 1 ci36 2.2+
    location_id 1 ci39
    evse_uid ? ci39
    authorization_reference ? ci36 2.2+`,
  CANCEL_RESERVATION: `
    response_url 1 url
    reservation_id 1 ci36`,
  UNLOCK_CONNECTOR: `
    response_url 1 url
    location_id 1 ci39
    evse_uid 1 ci39
    connector_id 1 ci36`,
  ChargingPreferences: `
    profile_type 1 enum:ProfileType
    departure_time ? dt
    energy_need ? num
    discharge_allowed ? bool`,
  SetChargingProfile: `
    charging_profile 1 ChargingProfile
    response_url 1 url`,
  ChargingProfile: `
    start_date_time ? dt
    duration ? int
    charging_rate_unit 1 enum:ChargingRateUnit
    min_charging_rate ? num
    charging_profile_period * ChargingProfilePeriod`,
  ChargingProfilePeriod: `
    start_period 1 int
    limit 1 num`,
  ActiveChargingProfile: `
    start_date_time 1 dt
    charging_profile 1 ChargingProfile`,
  CommandResponse: `
    result 1 enum:CommandResponse
    timeout 1 int 2.2+
    message * DisplayText 2.2+`,
  ProfileResponse: `
    result 1 enum:ProfileResponse
    timeout 1 int`,
  AuthorizationInfo: `
    allowed 1 enum:Allowed
    token 1 Token 2.2+
    location ? LocationReferences
    authorization_reference ? ci36 2.2+
    info ? DisplayText`,
  CommandResult: `
    result 1 enum:CommandResult
    message * DisplayText 2.2+`,
  ProfileResult: `
    result 1 enum:ProfileResult
    profile ? ActiveChargingProfile`,
  Terminal: `
    terminal_id 1 ci36
    customer_reference ? ci36
    party_id ? ci3
    country_code ? ci2
    address ? ci45
    city ? ci45
    postal_code ? ci10
    state ? ci20
    country ? ci3
    coordinates ? GeoLocation
    invoice_base_url ? url
    invoice_creator ? enum:InvoiceCreator
    reference ? ci36
    location_ids * ci36
    evse_uids * ci36
    last_updated 1 dt`,
  FinancialAdviceConfirmation: `
    id 1 ci36
    authorization_reference 1 ci36
    total_costs 1 Price
    currency 1 ci3
    eft_data + ci255
    capture_status_code 1 enum:CaptureStatusCode
    capture_status_message ? ci255
    last_updated 1 dt`,
  ClientInfo: `
    party_id 1 ci3
    country_code 1 ci2
    role 1 enum:Role
    status 1 enum:ConnectionStatus
    last_updated 1 dt`
}

/** A field of a class in one version. */
export interface Field {
  readonly name: string
  readonly cardinality: "1" | "?" | "*" | "+"
  readonly kind: string
}

const order: ReadonlyArray<StrangerVersion> = ["2.1.1", "2.2", "2.2.1", "2.3.0"]

/** Is the version among those that `span` names: `2.2+`, `2.2,2.2.1`; all when it is absent? */
export const isIn = (version: StrangerVersion, span: string | undefined): boolean =>
  span === undefined ||
  span
    .split(",")
    .some((one) =>
      one.endsWith("+")
        ? order.indexOf(version) >= order.indexOf(one.slice(0, -1) as StrangerVersion)
        : one === version
    )

const known = new Map<string, ReadonlyArray<Field>>()

/** The fields of a class in a version; undefined when there is no such class. */
export const fieldsOf = (name: string, version: StrangerVersion): ReadonlyArray<Field> | undefined => {
  const lines = text[name]
  if (lines === undefined) return undefined
  const key = `${name} ${version}`
  const fields =
    known.get(key) ??
    lines
      .trim()
      .split("\n")
      .flatMap((line): ReadonlyArray<Field> => {
        const [field, cardinality, kind, span] = line.trim().split(" ")
        return isIn(version, span)
          ? [{ name: field!, cardinality: cardinality as Field["cardinality"], kind: kind! }]
          : []
      })
  known.set(key, fields)
  return fields
}
