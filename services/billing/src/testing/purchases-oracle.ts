import { later } from '@prosa/kernel/clock'

type Name = 'ana' | 'bia' | 'caio'

/** What people, Kiwify and administrators do that bears on whose a purchase is. */
export type PurchaseStep =
  | { type: 'register'; user: Name; address: string }
  | { type: 'confirm'; user: Name; isElsewhere: boolean }
  | { type: 'move address'; user: Name; address: string }
  | { type: 'erase'; user: Name }
  | {
      type: 'report'
      order: string
      kind: 'order_approved' | 'order_refunded' | 'chargeback'
      address: string
      subscription: string | null
      token: Name | null
      /** From June on. */
      month: number
    }
  | { type: 'move order'; order: string; user: Name }

const day = 24 * 3600 * 1000

/** Thirty days from the payment on. */
export const untilOfStep = (month: number): string =>
  later(`2026-${String(6 + month).padStart(2, '0')}-08T14:53:00.000Z`, 30 * day)

interface Account {
  address: string
  trialEnd: string
  isErased: boolean
}

interface Purchase {
  address: string
  subscription: string | null
  token: Name | null
  paidUntil: string | null
  isBack: boolean
  holder: Name | null
  /** It is its holder's for another reason than the address: the buyer may be somebody else. */
  isOfOther: boolean
  isErased: boolean
}

/**
 * A second evaluation, from the words of the specification: an account has ten days once, and what was bought, by a link of its own,
 * by a subscription that is its own, or with an address that it proved and has not left. Access is the latest of these dates.
 */
export const purchasesByOracle = (start: string) => {
  const accounts = new Map<Name, Account>()
  const proved = new Map<string, Name>()
  /** Whose address was erased with them, and was proved by nobody since. */
  const erasedAddresses = new Set<string>()
  const subscriptions = new Map<string, Name>()
  const purchases = new Map<string, Purchase>()
  let minutes = 0

  const isErased = (name: Name) => accounts.get(name)?.isErased === true
  const isAlive = (name: Name) => accounts.get(name)?.isErased === false

  const erase = (purchase: Purchase) => {
    purchase.isErased = true
    purchase.token = null
  }

  const holdBy = (purchase: Purchase, name: Name, isByAddress = false) => {
    purchase.holder = name
    purchase.isOfOther ||= !isByAddress
    if (isErased(name) || (!isByAddress && erasedAddresses.has(purchase.address))) erase(purchase)
    if (purchase.subscription === null) return
    if (!subscriptions.has(purchase.subscription)) subscriptions.set(purchase.subscription, name)
    const payer = subscriptions.get(purchase.subscription)
    for (const other of purchases.values())
      if (payer && other.subscription === purchase.subscription && other.holder === null) holdBy(other, payer)
  }

  const settle = (purchase: Purchase) => {
    const payer = purchase.subscription === null ? undefined : subscriptions.get(purchase.subscription)
    if (purchase.holder) return holdBy(purchase, purchase.holder, !purchase.isOfOther)
    const ofLink = purchase.token ?? (payer && !isErased(payer) ? payer : undefined)
    const ofAddress = proved.get(purchase.address)
    const holder = ofLink ?? ofAddress ?? payer
    if (holder) holdBy(purchase, holder, !ofLink && ofAddress !== undefined)
    else if (erasedAddresses.has(purchase.address)) erase(purchase)
  }

  return {
    /** Identity and the administrators' panel let nothing else happen. */
    isPossible(step: PurchaseStep): boolean {
      const isTaken = (address: string) =>
        [...accounts.values()].some((account) => !account.isErased && account.address === address)
      switch (step.type) {
        case 'register':
          return !accounts.has(step.user) && !isTaken(step.address)
        case 'move address':
          return isAlive(step.user) && !isTaken(step.address)
        case 'confirm':
        case 'erase':
          return isAlive(step.user)
        case 'move order':
          return isAlive(step.user) && purchases.has(step.order)
        case 'report': {
          const known = purchases.get(step.order)
          const isOfOneSubscription = !known || step.subscription === null || known.subscription === step.subscription
          return isOfOneSubscription && (step.token === null || accounts.has(step.token))
        }
      }
    },

    take(step: PurchaseStep): void {
      minutes += 1
      switch (step.type) {
        case 'register': {
          const registeredAt = later(start, minutes * 60_000)
          accounts.set(step.user, { address: step.address, trialEnd: later(registeredAt, 10 * day), isErased: false })
          return
        }
        case 'confirm': {
          const address = accounts.get(step.user)?.address ?? ''
          if (step.isElsewhere) return
          proved.set(address, step.user)
          erasedAddresses.delete(address)
          for (const purchase of purchases.values())
            if (purchase.holder === null && purchase.address === address) holdBy(purchase, step.user, true)
          return
        }
        case 'move address': {
          const account = accounts.get(step.user)
          if (!account) return
          if (proved.get(account.address) === step.user) proved.delete(account.address)
          account.address = step.address
          return
        }
        case 'erase': {
          const account = accounts.get(step.user)
          if (!account) return
          account.isErased = true
          for (const purchase of purchases.values()) if (purchase.holder === step.user) erase(purchase)
          for (const [address, name] of proved)
            if (name === step.user) {
              proved.delete(address)
              erasedAddresses.add(address)
              for (const purchase of purchases.values())
                if (purchase.address === address && (purchase.holder === null || purchase.isOfOther)) erase(purchase)
            }
          return
        }
        case 'move order': {
          const purchase = purchases.get(step.order)
          if (!purchase || purchase.holder === step.user) return
          if (purchase.subscription !== null) subscriptions.set(purchase.subscription, step.user)
          holdBy(purchase, step.user)
          return
        }
        case 'report': {
          const known = purchases.get(step.order)
          const purchase: Purchase = known ?? {
            address: step.address,
            subscription: step.subscription,
            token: step.token,
            paidUntil: null,
            isBack: false,
            holder: null,
            isOfOther: false,
            isErased: false,
          }
          purchases.set(step.order, purchase)
          purchase.subscription ??= step.subscription
          if (!purchase.isErased) purchase.token ??= step.token
          const until = untilOfStep(step.month)
          if (step.kind !== 'order_approved') purchase.isBack = true
          else if (purchase.paidUntil === null || until > purchase.paidUntil) purchase.paidUntil = until
          settle(purchase)
        }
      }
    },

    /** Until when access lasts; undefined of whom that does not concern. */
    accessOf(name: Name): string | undefined {
      const account = accounts.get(name)
      if (!account || account.isErased) return undefined
      const paid = [...purchases.values()].flatMap(({ holder, isBack, paidUntil }) =>
        holder === name && !isBack && paidUntil !== null ? [paidUntil] : [],
      )
      return [account.trialEnd, ...paid].sort().at(-1)
    },

    /** Whether nothing of the buyer may be left of what was reported of an order. */
    isErased: ({ order }: { order: string }): boolean => purchases.get(order)?.isErased === true,
  }
}
