import type { Clock } from '@prosa/kernel/clock'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AccountRules } from './plan-rules.ts'
import type { Entitlements } from './port.ts'

/** Each resolves once the entitlements reflect it. */
export interface EntitlementSubject {
  entitlements: Entitlements
  beginTrial(tenant: string, endsAt: string): Promise<void>
  pay(tenant: string, until: string): Promise<void>
  takeAway(tenant: string, at: string): Promise<void>
  withholdTrial(tenant: string, at: string): Promise<void>
  demandConfirmation(tenant: string, until: string): Promise<void>
  confirm(tenant: string): Promise<void>
  send(tenant: string): Promise<void>
  addConnection(tenant: string): Promise<{ remove(): Promise<void> }>
  newTenant(): string
  close?(): Promise<void>
}

export const contractRules: AccountRules = {
  limits: {
    free: { messages: 1, connections: 1 },
    pro: { messages: 2, connections: 3 },
    enterprise: { messages: null, connections: null },
  },
  afterEnd: 'ended',
  sendingNeedsConfirmedEmail: true,
}

/** Runs under `contractRules`. */
export const entitlementsContract = (adapter: string, open: (clock: Clock) => Promise<EntitlementSubject>): void => {
  describe(`what accounts may do, by ${adapter}`, () => {
    let now = ''
    let subject: EntitlementSubject
    let tenant: string
    beforeAll(async () => {
      subject = await open({ now: () => now })
    })
    afterAll(() => subject.close?.())
    beforeEach(() => {
      now = '2026-11-20T12:00:00.000Z'
      tenant = subject.newTenant()
    })
    const accessAt = async (moment: string) => {
      now = moment
      const { access, plan } = await subject.entitlements.of(tenant)
      return `${access} ${plan}`
    }

    it('is everything of the free period while nothing is known of an account', async () => {
      expect(await subject.entitlements.of(tenant)).toEqual({
        plan: 'pro',
        access: 'open',
        endsAt: null,
        graceEndsAt: null,
        afterEnd: 'ended',
        periodStart: '2026-11-01T03:00:00.000Z',
        messages: { used: 0, limit: 2 },
        connections: { used: 0, limit: 3 },
        limitsAfterEnd: { messages: 1, connections: 1 },
        isTrialWithheld: false,
        confirmEmailBy: null,
        mustConfirmEmail: false,
      })
    })

    it('begins over, without days of grace, where the address had its free period before, and opens with a payment', async () => {
      await subject.withholdTrial(tenant, '2026-11-20T12:00:00.000Z')
      expect(await accessAt('2026-11-20T12:00:00.000Z')).toBe('ended free')
      expect(await subject.entitlements.of(tenant)).toMatchObject({ isTrialWithheld: true })
      await subject.pay(tenant, '2026-12-24T12:00:00.000Z')
      expect(await accessAt('2026-11-20T12:00:01.000Z')).toBe('open pro')
      expect(await subject.entitlements.of(tenant)).toMatchObject({ isTrialWithheld: false })
    })

    it('is no sending from the moment on by which the address had to be confirmed, until it is', async () => {
      const until = '2026-12-04T12:00:00.000Z'
      await subject.beginTrial(tenant, '2026-12-24T12:00:00.000Z')
      await subject.demandConfirmation(tenant, until)
      now = '2026-12-04T11:59:59.999Z'
      expect(await subject.entitlements.of(tenant)).toMatchObject({ confirmEmailBy: until, mustConfirmEmail: false })
      now = until
      expect(await subject.entitlements.of(tenant)).toMatchObject({ confirmEmailBy: until, mustConfirmEmail: true })
      await subject.confirm(tenant)
      expect(await subject.entitlements.of(tenant)).toMatchObject({ confirmEmailBy: null, mustConfirmEmail: false })
    })

    it('ends three days after what was given or paid, and opens with the next payment', async () => {
      await subject.beginTrial(tenant, '2026-11-21T12:00:00.000Z')
      expect(await accessAt('2026-11-21T11:59:59.999Z')).toBe('open pro')
      expect(await accessAt('2026-11-21T12:00:00.000Z')).toBe('grace pro')
      expect(await accessAt('2026-11-24T11:59:59.999Z')).toBe('grace pro')
      expect(await accessAt('2026-11-24T12:00:00.000Z')).toBe('ended free')
      await subject.pay(tenant, '2026-12-24T12:00:00.000Z')
      expect(await accessAt('2026-11-24T12:00:00.000Z')).toBe('open pro')
      expect(await subject.entitlements.of(tenant)).toMatchObject({
        endsAt: '2026-12-24T12:00:00.000Z',
        graceEndsAt: '2026-12-27T12:00:00.000Z',
      })
    })

    it('ends at once where it was taken away, and opens with the next payment', async () => {
      await subject.beginTrial(tenant, '2026-11-29T12:00:00.000Z')
      await subject.takeAway(tenant, '2026-11-21T12:00:00.000Z')
      expect(await accessAt('2026-11-21T12:00:00.000Z')).toBe('ended free')
      await subject.pay(tenant, '2026-12-24T12:00:00.000Z')
      expect(await accessAt('2026-11-21T12:00:00.001Z')).toBe('open pro')
      expect(await accessAt('2026-12-24T12:00:00.000Z')).toBe('grace pro')
    })

    it('counts messages anew with each month of São Paulo', async () => {
      const used = async () => (await subject.entitlements.of(tenant)).messages.used
      now = '2026-12-01T02:59:59.999Z'
      await subject.send(tenant)
      await subject.send(tenant)
      expect(await used()).toBe(2)
      now = '2026-12-01T03:00:00.000Z'
      expect(await used()).toBe(0)
      await subject.send(tenant)
      expect(await used()).toBe(1)
    })

    it('counts the connections that are there', async () => {
      const used = async () => (await subject.entitlements.of(tenant)).connections.used
      const first = await subject.addConnection(tenant)
      await subject.addConnection(tenant)
      expect(await used()).toBe(2)
      await first.remove()
      expect(await used()).toBe(1)
    })

    it('is each account’s own', async () => {
      const other = subject.newTenant()
      await subject.beginTrial(other, '2026-11-01T12:00:00.000Z')
      await subject.send(other)
      await subject.addConnection(other)
      expect(await subject.entitlements.of(tenant)).toMatchObject({
        access: 'open',
        messages: { used: 0 },
        connections: { used: 0 },
      })
      expect(await subject.entitlements.of(other)).toMatchObject({ access: 'ended', messages: { used: 1, limit: 1 } })
    })
  })
}
