import { later } from '@prosa/kernel/clock'

type Name = 'ana' | 'bia' | 'caio'

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
      /** Counted from June. */
      month: number
    }
  | { type: 'move order'; order: string; user: Name }
  | { type: 'assign plan'; order: string; days: number }
  /** A plan gets the unnamed product. */
  | { type: 'name product' }
  /** Only addresses without an account. */
  | { type: 'erase address'; address: string }

const day = 24 * 3600 * 1000

export const untilOfStep = (month: number, days = 30): string =>
  later(`2026-${String(6 + month).padStart(2, '0')}-08T14:53:00.000Z`, days * day)

export const productOfOrder = (order: string): 'named' | 'unnamed' => (Number(order) > 2 ? 'unnamed' : 'named')

interface Account {
  address: string
  trialEnd: string
  isErased: boolean
}

interface Purchase {
  address: string
  subscription: string | null
  token: Name | null
  product: 'named' | 'unnamed'
  /** Null if no plan had the product then. */
  payments: { month: number; days: number | null }[]
  reportedDays: number | null
  assignedDays: number | null
  /** An administrator decided, not another order. */
  isDecided: boolean
  paidUntil: string | null
  isBack: boolean
  holder: Name | null
  /** The buyer may be somebody else. */
  isOfOther: boolean
  isErased: boolean
  /** Paid and not refunded. */
  wasPaidBeforeErasure: boolean
  isChargeOfErased: boolean
}

/**
 * Second implementation, from the specification: ten days once per account and address; orders by link, subscription, administrator (first)
 * or proved address; the latest date wins. Unnamed products grant nothing until a plan is known; a subscription shares the first known plan
 * or a later decision.
 */
export const purchasesByOracle = (start: string) => {
  const accounts = new Map<Name, Account>()
  const proved = new Map<string, Name>()
  /** Nobody proved these addresses since. */
  const erasedAddresses = new Set<string>()
  const subscriptions = new Map<string, Name>()
  const decided = new Set<string>()
  const purchases = new Map<string, Purchase>()
  const firstHolders = new Map<string, Name>()
  let isNamed = false
  let minutes = 0

  const now = () => later(start, minutes * 60_000)
  const hadTrialBefore = (address: string, name: Name) => {
    const first = firstHolders.get(address) ?? name
    firstHolders.set(address, first)
    return first !== name
  }

  const daysOf = ({ assignedDays, reportedDays }: Purchase) => assignedDays ?? reportedDays

  /** Counted payments are never taken back. */
  const count = (purchase: Purchase) => {
    for (const { month, days } of purchase.payments) {
      const counted = days ?? daysOf(purchase)
      if (counted === null) continue
      const until = untilOfStep(month, counted)
      if (purchase.paidUntil === null || until > purchase.paidUntil) purchase.paidUntil = until
    }
  }

  const follow = (purchase: Purchase, days: number | null) => {
    if (days === null || daysOf(purchase) !== null) return
    purchase.assignedDays = days
    count(purchase)
  }

  const siblingsOf = (purchase: Purchase) =>
    [...purchases.values()].filter(
      (each) =>
        each !== purchase &&
        purchase.subscription !== null &&
        each.subscription === purchase.subscription &&
        each.product === purchase.product,
    )

  const share = (purchase: Purchase) => {
    const siblings = siblingsOf(purchase)
    const own = daysOf(purchase)
    if (own !== null) for (const sibling of siblings) follow(sibling, own)
    else follow(purchase, siblings.map(daysOf).findLast((days) => days !== null) ?? null)
  }

  const isErased = (name: Name) => accounts.get(name)?.isErased === true
  const isAlive = (name: Name) => accounts.get(name)?.isErased === false

  const erase = (purchase: Purchase) => {
    if (!purchase.isErased) purchase.wasPaidBeforeErasure = purchase.payments.length > 0 && !purchase.isChargeOfErased
    purchase.isErased = true
    purchase.token = null
  }

  const charge = (purchase: Purchase) => {
    if (purchase.payments.length > 0 && !purchase.isBack && !purchase.wasPaidBeforeErasure)
      purchase.isChargeOfErased = true
  }

  const holdBy = (purchase: Purchase, name: Name, isByAddress = false) => {
    purchase.holder = name
    purchase.isOfOther ||= !isByAddress
    if (isErased(name)) charge(purchase)
    if (isErased(name) || (!isByAddress && erasedAddresses.has(purchase.address))) erase(purchase)
    if (purchase.subscription === null) return
    if (!subscriptions.has(purchase.subscription)) subscriptions.set(purchase.subscription, name)
    const payer = subscriptions.get(purchase.subscription)
    for (const other of purchases.values())
      if (payer && other.subscription === purchase.subscription && other.holder === null)
        holdBy(other, payer, proved.get(other.address) === payer)
  }

  const settle = (purchase: Purchase) => {
    const payer = purchase.subscription === null ? undefined : subscriptions.get(purchase.subscription)
    if (purchase.holder) return holdBy(purchase, purchase.holder, !purchase.isOfOther)
    const alive = payer && !isErased(payer) ? payer : undefined
    const ofDecision = purchase.subscription !== null && decided.has(purchase.subscription) ? alive : undefined
    const ofLink = ofDecision ?? purchase.token ?? alive
    const ofAddress = proved.get(purchase.address)
    const holder = ofLink ?? ofAddress ?? payer
    if (holder) holdBy(purchase, holder, !ofLink && ofAddress !== undefined)
    else if (erasedAddresses.has(purchase.address)) {
      charge(purchase)
      erase(purchase)
    }
  }

  return {
    /** Excludes what identity and the panel prevent. */
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
        case 'assign plan':
          return purchases.has(step.order)
        case 'name product':
          return !isNamed
        case 'erase address':
          return !isTaken(step.address) && !proved.has(step.address)
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
          const trialEnd = hadTrialBefore(step.address, step.user) ? now() : later(now(), 10 * day)
          accounts.set(step.user, { address: step.address, trialEnd, isErased: false })
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
          if (hadTrialBefore(step.address, step.user) && account.trialEnd > now()) account.trialEnd = now()
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
          if (purchase.subscription !== null) {
            subscriptions.set(purchase.subscription, step.user)
            decided.add(purchase.subscription)
          }
          holdBy(purchase, step.user)
          return
        }
        case 'name product':
          isNamed = true
          return
        case 'assign plan': {
          const purchase = purchases.get(step.order)
          if (!purchase || purchase.reportedDays !== null) return
          purchase.assignedDays = step.days
          purchase.isDecided = true
          count(purchase)
          for (const other of siblingsOf(purchase))
            if (other.reportedDays === null && !other.isDecided) {
              other.assignedDays = step.days
              count(other)
            }
          return
        }
        case 'erase address': {
          erasedAddresses.add(step.address)
          for (const purchase of purchases.values())
            if (purchase.address === step.address && (purchase.holder === null || purchase.isOfOther)) erase(purchase)
          return
        }
        case 'report': {
          const known = purchases.get(step.order)
          const purchase: Purchase = known ?? {
            address: step.address,
            subscription: step.subscription,
            token: step.token,
            product: productOfOrder(step.order),
            payments: [],
            reportedDays: null,
            assignedDays: null,
            isDecided: false,
            paidUntil: null,
            isBack: false,
            holder: null,
            isOfOther: false,
            isErased: false,
            wasPaidBeforeErasure: false,
            isChargeOfErased: false,
          }
          purchases.set(step.order, purchase)
          purchase.subscription ??= step.subscription
          if (!purchase.isErased) purchase.token ??= step.token
          const days = isNamed || purchase.product === 'named' ? 30 : null
          purchase.reportedDays ??= days
          if (step.kind === 'order_approved') purchase.payments.push({ month: step.month, days })
          else purchase.isBack = true
          count(purchase)
          share(purchase)
          settle(purchase)
        }
      }
    },

    accessOf(name: Name): string | undefined {
      const account = accounts.get(name)
      if (!account || account.isErased) return undefined
      const paid = [...purchases.values()].flatMap(({ holder, isBack, paidUntil }) =>
        holder === name && !isBack && paidUntil !== null ? [paidUntil] : [],
      )
      return [account.trialEnd, ...paid].sort().at(-1)
    },

    isErased: ({ order }: { order: string }): boolean => purchases.get(order)?.isErased === true,

    chargesOfErased: (): string[] => [...purchases].flatMap(([order, each]) => (each.isChargeOfErased ? [order] : [])),
  }
}
