/** Looking into JSON that somebody else wrote: the readers of the floor below, under the name that this room knows. */
export {
  isObject,
  type JsonObject,
  objectIn,
  objectsIn,
  sameId,
  textIn
} from "../findings/json.ts"
