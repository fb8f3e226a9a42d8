import { expect, it } from 'vitest'
import { isSamePerson } from './same-person.ts'

const asked: string[] = []
const book = {
  getPNForLID: async (lid: string) => (lid === '77@lid' ? '551188776655:0@s.whatsapp.net' : null),
  async getLIDForPN(phone: string) {
    asked.push(phone)
    return phone === '5511977776666@s.whatsapp.net' ? '79@lid' : null
  },
}
const same = (one: string, other: string) => isSamePerson(one, other, book)

it('knows a person by any of their devices, with and without the ninth digit', async () => {
  expect(await same('77:4@lid', '77@lid')).toBe(true)
  expect(await same('77:99@hosted.lid', '77@lid')).toBe(true)
  expect(await same('5511988776655:2@s.whatsapp.net', '551188776655@s.whatsapp.net')).toBe(true)
})

it('knows a person by their LID and their number, once WhatsApp has reported that the two belong together', async () => {
  expect(await same('77:1@lid', '5511988776655@s.whatsapp.net')).toBe(true)
  expect(await same('551188776655@s.whatsapp.net', '77@lid')).toBe(true)
  expect(asked).toEqual([])
  expect(await same('79@lid', '5511977776666:1@s.whatsapp.net')).toBe(true)
  expect(asked).toEqual(['5511977776666@s.whatsapp.net'])
  expect(await same('78@lid', '5511988776655@s.whatsapp.net')).toBe(false)
  expect(await same('77@lid', '5511988776656@s.whatsapp.net')).toBe(false)
})

it('takes nobody for somebody else, and no group for anybody', async () => {
  expect(await same('77@lid', '78@lid')).toBe(false)
  expect(await same('5511988776655@s.whatsapp.net', '5521988776655@s.whatsapp.net')).toBe(false)
  expect(await same('120363@g.us', '120363@g.us')).toBe(false)
  expect(await same('', '')).toBe(false)
})
