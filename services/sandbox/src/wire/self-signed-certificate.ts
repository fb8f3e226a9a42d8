import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** PEM. */
export interface Certificate {
  key: string
  cert: string
}

const DAY_MS = 24 * 3600 * 1000
const VALID_DAYS = 3650

const OID = {
  commonName: [0x55, 0x04, 0x03],
  subjectAltName: [0x55, 0x1d, 0x11],
  basicConstraints: [0x55, 0x1d, 0x13],
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
}

type Bytes = Uint8Array | readonly number[]

function der(tag: number, ...parts: Bytes[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content])
  const digits = content.length.toString(16)
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content])
}

const sequence = (...parts: Bytes[]) => der(0x30, ...parts)
const set = (...parts: Bytes[]) => der(0x31, ...parts)
const oid = (value: readonly number[]) => der(0x06, value)
const octets = (content: Bytes) => der(0x04, content)
const bitString = (content: Bytes) => der(0x03, [0], content)
const text = (value: string) => der(0x0c, Buffer.from(value))

/** `YYYYMMDDHHMMSSZ` */
const time = (at: number) => der(0x18, Buffer.from(`${new Date(at).toISOString().replace(/\D/g, '').slice(0, 14)}Z`))

const pem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END ${label}-----\n`

/** For 127.0.0.1 and localhost; self-issued. */
export function selfSignedCertificate(now = Date.now()): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const algorithm = sequence(oid(OID.ecdsaWithSha256))
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(8)])
  const common = createHash('sha256').update(spki).digest('hex').slice(0, 8)
  const name = sequence(set(sequence(oid(OID.commonName), text(`Prosa sandbox ${common}`))))
  const names = sequence(der(0x87, [127, 0, 0, 1]), der(0x82, Buffer.from('localhost')))
  const extensions = sequence(
    sequence(oid(OID.basicConstraints), der(0x01, [0xff]), octets(sequence(der(0x01, [0xff])))),
    sequence(oid(OID.subjectAltName), octets(names)),
  )
  const body = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, serial),
    algorithm,
    name,
    sequence(time(now - DAY_MS), time(now + VALID_DAYS * DAY_MS)),
    name,
    spki,
    der(0xa3, extensions),
  )
  const certificate = sequence(body, algorithm, bitString(sign('sha256', body, privateKey)))
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: pem('CERTIFICATE', certificate),
  }
}
