/** A web server with TLS whose certificate expired years ago, as hosts of pictures have. */
import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"

/** DER: tag, length, contents. */
const der = (tag: number, ...parts: ReadonlyArray<Buffer>): Buffer => {
  const body = Buffer.concat(parts)
  const length =
    body.length < 128
      ? Buffer.from([body.length])
      : body.length < 256
        ? Buffer.from([0x81, body.length])
        : Buffer.from([0x82, body.length >> 8, body.length & 255])
  return Buffer.concat([Buffer.from([tag]), length, body])
}
const sequence = (...parts: ReadonlyArray<Buffer>) => der(0x30, ...parts)
const utcTime = (text: string) => der(0x17, Buffer.from(text, "ascii"))
/** ecdsa-with-SHA256 (1.2.840.10045.4.3.2). */
const algorithm = sequence(der(0x06, Buffer.from("2a8648ce3d040302", "hex")))
/** CN=localhost. */
const name = sequence(
  der(0x31, sequence(der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from("localhost"))))
)

/** A certificate that signs itself, and was valid in January 2020 (RFC 5280, 4.1). */
const certificateOf = (publicKey: KeyObject, privateKey: KeyObject): string => {
  const body = sequence(
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(utcTime("200101000000Z"), utcTime("200131000000Z")),
    name,
    publicKey.export({ type: "spki", format: "der" })
  )
  const signature = createSign("sha256").update(body).sign(privateKey)
  const whole = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature))
  return `-----BEGIN CERTIFICATE-----\n${whole.toString("base64").replace(/(.{64})/g, "$1\n")}\n-----END CERTIFICATE-----\n`
}

/** Starts one on a free port of 127.0.0.1. */
export const startExpiredHost = async (): Promise<{ readonly url: string; readonly close: () => void }> => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  const server = createServer(
    { key: privateKey.export({ type: "pkcs8", format: "pem" }), cert: certificateOf(publicKey, privateKey) },
    (_, response) => {
      response.writeHead(200, { "Content-Type": "image/png" })
      response.end()
    }
  )
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
