import { hash } from 'node:crypto'

/** What a program sends: `prosa_` + 16 bytes of user id and 16 of key id in base64url + `_` + the secret. */
export interface KeyText {
  userId: string
  keyId: string
  secret: string
}

const pattern = /^prosa_([\w-]{43})_([0-9a-f]{64})$/
const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
const idOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export const writeKey = ({ userId, keyId, secret }: KeyText): string =>
  `prosa_${Buffer.concat([bytesOf(userId), bytesOf(keyId)]).toString('base64url')}_${secret}`

/** Undefined for other text. */
export const readKey = (text: string): KeyText | undefined => {
  const [, ids, secret] = pattern.exec(text) ?? []
  if (ids === undefined || secret === undefined) return undefined
  const bytes = Buffer.from(ids, 'base64url')
  return { userId: idOf(bytes.subarray(0, 16)), keyId: idOf(bytes.subarray(16)), secret }
}

/** The secret has 256 bits, so a plain hash is enough. */
export const secretHashOf = (secret: string): string => hash('sha256', secret)
