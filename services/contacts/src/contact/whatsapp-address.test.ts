import { describe, expect, it } from 'vitest'
import { addressesOf, jidOf } from './whatsapp-address.ts'

describe('WhatsApp addresses', () => {
  it('are read from LID and number in whichever order they come', () => {
    const both = { phone: '5511988776655', lid: '163640653162923' }
    expect(addressesOf('163640653162923@lid', '5511988776655@s.whatsapp.net')).toEqual(both)
    expect(addressesOf('5511988776655@s.whatsapp.net', '163640653162923@lid')).toEqual(both)
  })
  it('are read without the device', () =>
    expect(addressesOf('5511988776655:12@s.whatsapp.net', null)).toEqual({ phone: '5511988776655', lid: null }))
  it('may be a LID alone, when the contact hides its number', () =>
    expect(addressesOf('1636@lid', null)).toEqual({ phone: null, lid: '1636' }))
  it.each(['0', '1234567', '12345678901234567'])('are not found in digits that are no phone number: %s', (digits) => {
    expect(addressesOf(`${digits}@s.whatsapp.net`, null)).toEqual({ phone: null, lid: null })
    expect(addressesOf('1636@lid', `${digits}@s.whatsapp.net`)).toEqual({ phone: null, lid: '1636' })
  })
  it('are not found in groups and broadcasts', () =>
    expect(addressesOf('120363@g.us', 'status@broadcast')).toEqual({ phone: null, lid: null }))
  it('write to the LID as soon as it is known', () => {
    expect(jidOf({ phone: '5511988776655', lid: '1636' })).toBe('1636@lid')
    expect(jidOf({ phone: '5511988776655', lid: null })).toBe('5511988776655@s.whatsapp.net')
  })
})
