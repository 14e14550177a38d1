import type { Behaviour } from "../../../party/wire/PartnerQuirks.ts"
import { type EditObject, inEach } from "../edits.ts"
import { editPush } from "../pushes.ts"
import { aboutModule, editObjects, when } from "../replies.ts"

const told = (edit: EditObject): Partial<Behaviour> => ({
  reply: when(aboutModule("locations"), editObjects(edit)),
  push: editPush("locations", edit)
})

const isLocation = (object: object) => "address" in object || "evses" in object
const isEvse = (object: object) => "connectors" in object
const isConnector = (object: object) => "standard" in object

/** Changes each whole location: in the list, in the answer by its id, and in a PUT. EVSEs on their own are left unchanged. */
export const wholeLocations = (edit: EditObject): Partial<Behaviour> =>
  told((object) => (isLocation(object) ? edit(object) : object))

/** Changes each whole EVSE: in its location, and in the answer by its uid. */
export const wholeEvses = (edit: EditObject): Partial<Behaviour> =>
  told((object) =>
    isLocation(object) ? inEach("evses", edit)(object) : isEvse(object) ? edit(object) : object
  )

/** Changes each whole connector: in its EVSE, and in the answer by its id. */
export const wholeConnectors = (edit: EditObject): Partial<Behaviour> => {
  const inEvse = inEach("connectors", edit)
  return told((object) => {
    if (isLocation(object)) return inEach("evses", inEvse)(object)
    return isEvse(object) ? inEvse(object) : isConnector(object) ? edit(object) : object
  })
}
