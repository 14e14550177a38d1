/** What journeys do to the registration of the connection that they are played with. */
import type { Data } from "../../client/plugfest.ts"

type Catalogue = Data<"testing.journeys">
type Template = Catalogue["templates"][number]

/** By our requests or by those of the partner. A journey that begins without a registration has none to lose. */
const changesIt = ({ begins, stages }: Template): boolean =>
  begins === undefined &&
  stages.some(({ actor, module, writes }) => module === "credentials" && (writes || actor === "partner"))

/** The journeys of a template or pack that replace the tokens of a registration, or end it. */
export function registrationChanges(
  { packs, templates }: Pick<Catalogue, "packs" | "templates">,
  id: string | undefined
): ReadonlyArray<Template> {
  const ids = packs.find((pack) => pack.id === id)?.templateIds ?? [id]
  return templates.filter((template) => ids.includes(template.id) && changesIt(template))
}
