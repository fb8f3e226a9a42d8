import { userId } from '@prosa/contracts/values/ids'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'

const purpose = 'purchase link'

/** Kiwify returns it with every report of the order. */
const tokenParameter = 'sck'

/** Serves only to assign a purchase. */
export const purchaseTokenOf = (box: Pick<SecretBox, 'encrypt'>, user: string): string =>
  box.encrypt(Buffer.from(user), purpose).toString('base64url')

/** Undefined for other texts: buyers may edit the address. */
export const accountOfToken = (box: Pick<SecretBox, 'decrypt'>, token: string): string | undefined => {
  try {
    return userId.safeParse(box.decrypt(Buffer.from(token, 'base64url'), purpose).toString()).data
  } catch {
    return undefined
  }
}

export const purchaseLinkOf = (box: Pick<SecretBox, 'encrypt'>, link: string, user: string): string => {
  const url = new URL(link)
  const others = url.search.slice(1).split('&')
  const remaining = others.filter((pair) => pair !== '' && pair.split('=', 1)[0] !== tokenParameter)
  url.search = [...remaining, `${tokenParameter}=${purchaseTokenOf(box, user)}`].join('&')
  return url.href
}
