/** The deliveries of requests by a balancer, which names them in a header (docs/proxy). */
import type { Delivery } from "../../party/wire/Request.ts"

/** The name of a delivery. It is no part of what the partner sent. */
export const deliveryHeader = "plugfest-delivery"
/** Unix time, in milliseconds or in seconds with three decimals, and what is unique at the balancer. */
const deliveryForm = /^(\d{10})\.?(\d{3})-[\w-]{16,64}$/

/**
 * The delivery that a header names; undefined if it names none. A partner may have written the header itself where no balancer replaces
 * it. It cannot foresee the digest, so it finds no two requests that would be one exchange.
 */
export const makeDeliveryOf =
  (digest: (text: string) => string) =>
  (header: string | ReadonlyArray<string> | undefined): Delivery | undefined => {
    if (typeof header !== "string") return undefined
    const [text, seconds, millis] = deliveryForm.exec(header) ?? []
    return text === undefined ? undefined : { beganAt: Number(`${seconds}${millis}`), name: digest(text) }
  }
