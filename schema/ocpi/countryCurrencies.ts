/** ISO 3166-1 alpha-3 → the ISO 4217 codes in use there, for the countries with the most chargers. Data, no rules. */
export const countryCurrencies: Readonly<Record<string, ReadonlyArray<string>>> = {
  ...Object.fromEntries(
    `AND AUT BEL BGR CYP DEU ESP EST FIN FRA GRC HRV IRL ITA LTU LUX LVA MCO MLT MNE NLD PRT SMR SVK SVN VAT XKX`
      .split(" ")
      .map((country) => [country, ["EUR"]])
  ),
  ALB: ["ALL"],
  AUS: ["AUD"],
  BGR: ["BGN", "EUR"],
  BIH: ["BAM"],
  BRA: ["BRL"],
  CAN: ["CAD"],
  CHE: ["CHF"],
  CHN: ["CNY"],
  CZE: ["CZK"],
  DNK: ["DKK"],
  GBR: ["GBP"],
  HRV: ["EUR", "HRK"],
  HUN: ["HUF"],
  IND: ["INR"],
  ISL: ["ISK"],
  ISR: ["ILS"],
  JPN: ["JPY"],
  KOR: ["KRW"],
  LIE: ["CHF"],
  MEX: ["MXN"],
  MKD: ["MKD"],
  NOR: ["NOK"],
  NZL: ["NZD"],
  POL: ["PLN"],
  ROU: ["RON"],
  SRB: ["RSD"],
  SWE: ["SEK"],
  TUR: ["TRY"],
  UKR: ["UAH"],
  USA: ["USD"],
  ZAF: ["ZAR"]
}
