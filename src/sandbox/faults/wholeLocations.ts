import type { Behaviour } from "../../party/Behaviours.ts"
import type { EditObject } from "./edits.ts"
import { editPush } from "./pushes.ts"
import { aboutModule, editObjects, when } from "./replies.ts"

/** Changes every location that is told: in the list, by its id, and when it is PUT. What is told of an EVSE alone stays. */
export const wholeLocations = (edit: EditObject): Partial<Behaviour> => {
  const ifWhole: EditObject = (object) => ("coordinates" in object ? edit(object) : object)
  return {
    reply: when(aboutModule("locations"), editObjects(ifWhole)),
    push: editPush("locations", ifWhole)
  }
}
