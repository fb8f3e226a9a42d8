import { userId } from '@prosa/contracts/values/ids'
import type { SecretBox } from './secret-box.ts'

const purpose = 'purchase link'

/** The parameter of a Kiwify checkout that comes back with every report of the order. */
const tokenParameter = 'sck'

/** What the purchase links of one account carry: opaque to whoever sees it, and of no use but to attach a purchase. */
export const purchaseTokenOf = (box: Pick<SecretBox, 'seal'>, user: string): string =>
  box.seal(Buffer.from(user), purpose).toString('base64url')

/** The account whose link was used; undefined for what we did not make: the buyer may edit the address of the checkout. */
export const accountOfToken = (box: Pick<SecretBox, 'open'>, token: string): string | undefined => {
  try {
    return userId.safeParse(box.open(Buffer.from(token, 'base64url'), purpose).toString()).data
  } catch {
    return undefined
  }
}

/** A purchase link with the token of an account; every other parameter stays as it was written. */
export const purchaseLinkOf = (box: Pick<SecretBox, 'seal'>, link: string, user: string): string => {
  const url = new URL(link)
  const others = url.search.slice(1).split('&')
  const kept = others.filter((pair) => pair !== '' && pair.split('=', 1)[0] !== tokenParameter)
  url.search = [...kept, `${tokenParameter}=${purchaseTokenOf(box, user)}`].join('&')
  return url.href
}
