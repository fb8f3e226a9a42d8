import { phone } from '@prosa/contracts/values/phone'
import { expect, it } from 'vitest'
import { personJidOf } from './person-jid.ts'

it('is the address of a person, whichever device of theirs it names', () => {
  expect(personJidOf('5511900000002:7@s.whatsapp.net')).toBe('5511900000002@s.whatsapp.net')
  expect(personJidOf('122791454297318:7@lid')).toBe('122791454297318@lid')
  expect(personJidOf('1@lid')).toBe('1@lid')
})

it('is never a number that nobody could be stored under, such as the one from which WhatsApp itself writes', () => {
  for (const user of ['0', '1234567', '12345678', '1'.repeat(15), '1'.repeat(16)]) {
    const jid = `${user}@s.whatsapp.net`
    expect(personJidOf(jid)).toBe(phone.safeParse(user).success ? jid : undefined)
  }
  expect(personJidOf('0@s.whatsapp.net')).toBeUndefined()
})

it('is no group, no channel, no status post and nothing else', () => {
  const others = ['120363@g.us', 'status@broadcast', '120363@newsletter', '5511900000002@hosted', 'ana@lid', '', null]
  for (const jid of others) expect(personJidOf(jid)).toBeUndefined()
})
