import { specify } from '@prosa/kernel/domain/specify'
import { describe, it } from 'vitest'
import { type EntitlementEvent, entitlement } from './entitlement.ts'

const given = specify(entitlement)
const [ana, bia] = ['0b7c8a7e-59b4-4a39-8d0a-6f2f5b0f8d11', '4d7ff6a3-7a52-4f7e-9d1b-1b7a3f0c9e22']
const claim = (userId: string) => ({ type: 'ClaimEntitlement', data: { userId } }) as const
const claimed = (userId: string): EntitlementEvent => ({ type: 'EntitlementClaimed', data: { userId } })
const release = (userId: string) => ({ type: 'ReleaseEntitlement', data: { userId } }) as const
const released = (userId: string): EntitlementEvent => ({ type: 'EntitlementReleased', data: { userId } })
const erase = (userId: string | null) => ({ type: 'EraseBuyer', data: { userId } }) as const
const erased: EntitlementEvent = { type: 'BuyerErased', data: {} }
const waiting: EntitlementEvent = { type: 'PurchaseWaiting', data: { orderId: 'o1' } }
const seen: EntitlementEvent = { type: 'BuyerDeliverySeen', data: { deliveryId: 'd1' } }

describe('what was bought with an address', () => {
  it('waits once for each order, and names each delivery once', () => {
    const wait = (orderId: string) => ({ type: 'AwaitBuyer', data: { orderId } }) as const
    const see = (deliveryId: string) => ({ type: 'SeeDelivery', data: { deliveryId } }) as const
    given().when(wait('o1')).then(waiting)
    given(waiting, seen, erased).when(wait('o1')).thenNothing()
    given(waiting)
      .when(wait('o2'))
      .then({ type: 'PurchaseWaiting', data: { orderId: 'o2' } })
    given().when(see('d1')).then(seen)
    given(seen, waiting).when(see('d1')).thenNothing()
    given(seen)
      .when(see('d2'))
      .then({ type: 'BuyerDeliverySeen', data: { deliveryId: 'd2' } })
  })

  it('is whose who proved the address last, until that account leaves it', () => {
    given(waiting).when(claim(ana)).then(claimed(ana))
    given(claimed(ana)).when(claim(ana)).thenNothing()
    given(claimed(ana)).when(claim(bia)).then(claimed(bia))
    given(claimed(ana)).when(release(ana)).then(released(ana))
    given(claimed(ana), claimed(bia)).when(release(ana)).thenNothing()
    given(claimed(ana), released(ana)).when(claim(ana)).then(claimed(ana))
    given().when(release(ana)).thenNothing()
  })
})

describe('an erasure of whoever has an address', () => {
  it('without an account happens once, also where nothing is known of them', () => {
    given().when(erase(null)).then(erased)
    given(waiting, seen).when(erase(null)).then(erased)
    given(waiting, erased).when(erase(null)).thenNothing()
    given(erased, waiting).when(erase(null)).thenNothing()
  })

  it('without an account touches nothing that an account has proved, and with one only its own', () => {
    given(waiting, claimed(ana)).when(erase(null)).thenNothing()
    given(claimed(ana)).when(erase(bia)).thenNothing()
    given().when(erase(ana)).thenNothing()
    given(waiting, claimed(ana)).when(erase(ana)).then(erased, released(ana))
    given(claimed(ana), released(ana)).when(erase(null)).then(erased)
  })

  it('ends when somebody proves the address, and can come again', () => {
    given(erased).when(claim(ana)).then(claimed(ana))
    given(erased, claimed(ana)).when(erase(ana)).then(erased, released(ana))
    given(erased, claimed(ana), released(ana)).when(erase(null)).then(erased)
    given(claimed(ana), erased, released(ana)).when(erase(ana)).thenNothing()
  })
})
