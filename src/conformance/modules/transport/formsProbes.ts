/** Repeats requests in other allowed forms: case of ids, routing headers, a trailing slash, ways to write a DateTime. */
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { joinUrl, withoutEndSlashes } from "../../../ocpi/urls.ts"
import { counterpartOf } from "../../../party/wire/routing.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Probe, type ProbeRequest, withheld } from "../../model/Probe.ts"
import { middleOf } from "../paging/pagingProbes.ts"
import { besideOcpi } from "../shared/besideOcpi.ts"
import { firstPage, listsOf } from "../shared/lists.ts"
import { objectsOf } from "../shared/objects/listedObjects.ts"
import { hasLetters, inOtherCase } from "../shared/otherCase.ts"

/** A party that does not exist: both codes are reserved for private use. */
export const nobodysParty = { countryCode: "XX", partyId: "ZZZ" } as const

/** The first list that the partner serves: one list is enough for these requests. */
export const firstList = ({ party, profile }: Evidence): string | undefined =>
  listsOf(profile, party.counterpart.role)[0]

const onFirstList = (
  id: string,
  asks: (list: string, evidence: Evidence) => ReturnType<Extract<Probe, { asks: unknown }>["asks"]>
): Probe => ({
  id,
  asks: (evidence) => {
    const list = firstList(evidence)
    return list === undefined
      ? withheld("not_applicable", "the partner serves no list")
      : asks(list, evidence)
  }
})

const lower = (text: string) => text.toLowerCase()

/** Requests in other allowed forms: case of ids, headers, slashes and times. */
export const formProbes: ReadonlyArray<Probe> = [
  onFirstList("routing.unknown-recipient", (list, evidence) => [
    {
      ...firstPage(list, evidence),
      operation: "list, to an unknown party",
      wrongOnPurpose: { headers: "the recipient does not exist" },
      headers: {
        "OCPI-to-country-code": nobodysParty.countryCode,
        "OCPI-to-party-id": nobodysParty.partyId
      }
    }
  ]),
  onFirstList("routing.lower-case", (list, evidence) => {
    const { identity } = evidence.party
    const to = counterpartOf(evidence.party)
    return to === undefined
      ? withheld("not_tested", "the partner's parties are not known")
      : [
          {
            ...firstPage(list, evidence),
            operation: "list, routed in lower case",
            headers: {
              "ocpi-to-country-code": lower(to.countryCode),
              "ocpi-to-party-id": lower(to.partyId),
              "ocpi-from-country-code": lower(identity.countryCode),
              "ocpi-from-party-id": lower(identity.partyId)
            }
          }
        ]
  }),
  {
    id: "flipped-id",
    after: ["locations.list"],
    asks: (evidence) => {
      const id = objectsOf(evidence, "locations")
        .map(({ json }) => json["id"])
        .find((one): one is string => typeof one === "string" && hasLetters(one))
      return id === undefined
        ? withheld("not_tested", "no location has letters in its id")
        : [
            {
              module: "locations",
              interfaceRole: "SENDER",
              operation: "GET location in other letters",
              path: [inOtherCase(id)],
              about: id
            }
          ]
    }
  },
  {
    id: "trailing-slash",
    asks: (evidence) => {
      const { endpoints, role } = evidence.party.counterpart
      const asks = listsOf(evidence.profile, role).flatMap((list): ReadonlyArray<ProbeRequest> => {
        const endpoint = endpoints.find(
          (one) => one.identifier === list && (one.role === null || one.role === "SENDER")
        )
        if (endpoint === undefined || !URL.canParse(endpoint.url)) return []
        const url = new URL(endpoint.url)
        const isSlashed = url.pathname.endsWith("/")
        url.pathname = isSlashed ? withoutEndSlashes(url.pathname) : `${url.pathname}/`
        const { query, ...asking } = firstPage(list, evidence)
        return [
          {
            ...asking,
            wrongOnPurpose: { target: "the endpoint with a slash more or less" },
            operation: isSlashed ? besideOcpi.slashTaken : besideOcpi.slashAdded,
            url: joinUrl(url.href, [], query),
            asIs: true
          }
        ]
      })
      return asks.length === 0 ? withheld("not_applicable", "the partner serves no list") : asks
    }
  }
]

/** Ways to write one instant. */
const forms = (second: string) => [`${second}Z`, second, `${second}.1Z`, `${second}.123Z`]

const inForm = (module: string, evidence: Evidence, date_from: string): ProbeRequest => ({
  ...firstPage(module, evidence, { date_from }),
  about: `date_from=${date_from}`
})

/** What is asked in the forms; undefined when the objects have no two instants. */
const formsFor = (module: string, evidence: Evidence): ReadonlyArray<string> | undefined => {
  const middle = middleOf(evidence, module)
  return middle === undefined ? undefined : forms(dateTimeOf(middle.millis - 5_000).replace(/Z$/, ""))
}

/**
 * GET with the same `date_from` in every form; no object was updated within its second. At last the first one once more: what
 * it brings then that it did not bring before, or no longer, has moved.
 */
export const dateFormProbe = (module: string): Probe => ({
  id: `${module}.date-forms`,
  after: [`${module}.list`, `${module}.crawl`],
  asks: (evidence) =>
    formsFor(module, evidence)?.map((form) => inForm(module, evidence, form)) ??
    withheld("not_tested", `${module}: fewer than two objects with different last_updated`),
  next: (seen, evidence) => {
    const all = formsFor(module, evidence) ?? []
    return seen.length === all.length && all[0] !== undefined
      ? { ...inForm(module, evidence, all[0]), again: true }
      : undefined
  }
})
