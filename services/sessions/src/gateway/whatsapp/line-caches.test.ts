import { DEFAULT_CACHE_TTLS } from '@whiskeysockets/baileys'
import { expect, it } from 'vitest'
import { lineCaches } from './line-caches.ts'

const kinds = ['msgRetryCounterCache', 'placeholderResendCache', 'callOfferCache', 'userDevicesCache'] as const

it.each(kinds)('%s of one line shows nothing of another, and nothing of its earlier sockets', (kind) => {
  const ofLine = lineCaches(() => 0)
  const [ana, bia] = [ofLine()[kind], ofLine()[kind]]
  ana.set('5511900000001', 'of Ana')
  bia.set('5511900000001', 'of Bia')
  expect(ana.get('5511900000001')).toBe('of Ana')
  expect(bia.get('5511900000001')).toBe('of Bia')
  expect(ofLine()[kind].get('5511900000001')).toBeUndefined()

  ana.del('5511900000001')
  expect(ana.get('5511900000001')).toBeUndefined()
  expect(bia.get('5511900000001')).toBe('of Bia')
})

it('forgets everything of one line when that is asked, and of no other', () => {
  const ofLine = lineCaches(() => 0)
  const [ana, bia] = [ofLine().userDevicesCache, ofLine().userDevicesCache]
  ana.set('carla', 1)
  bia.set('carla', 2)
  ana.flushAll()
  expect(ana.get('carla')).toBeUndefined()
  expect(bia.get('carla')).toBe(2)
})

it('keeps what it was given for as long as Baileys would, counted from when it was set', () => {
  let now = 0
  const { userDevicesCache: devices } = lineCaches(() => now)()
  devices.set('carla', ['0'])
  now = DEFAULT_CACHE_TTLS.USER_DEVICES * 1000 - 1
  expect(devices.get('carla')).toEqual(['0'])
  now += 1
  expect(devices.get('carla')).toBeUndefined()
})

it('holds no more than its bound for all lines together, and lets go of what was used longest ago', () => {
  const ofLine = lineCaches(() => 0)
  const [quiet, old, busy] = [ofLine().callOfferCache, ofLine().callOfferCache, ofLine().callOfferCache]
  quiet.set('call', 'used again and again')
  old.set('call', 'used never again')
  for (let call = 0; call < 2500; call++) {
    busy.set(`call ${call}`, call)
    quiet.get('call')
  }
  expect(old.get('call')).toBeUndefined()
  expect(busy.get('call 0')).toBeUndefined()
  expect(busy.get('call 2499')).toBe(2499)
  expect(quiet.get('call')).toBe('used again and again')
})
