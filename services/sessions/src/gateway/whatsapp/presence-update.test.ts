import { expect, it } from 'vitest'
import { presenceUpdate } from './presence-update.ts'

const from = '1227:3@lid'
const jid = '1227@lid'
const chatstate = (tag: string, attrs: Record<string, string> = {}) => ({
  tag: 'chatstate',
  attrs: { from },
  content: [{ tag, attrs }],
})

it('distinguishes who is there, who writes, who records and who has stopped', () => {
  expect(presenceUpdate({ tag: 'presence', attrs: { from } })).toEqual({ jid, state: 'available' })
  expect(presenceUpdate({ tag: 'presence', attrs: { from, type: 'unavailable' } })).toEqual({
    jid,
    state: 'unavailable',
  })
  expect(presenceUpdate(chatstate('composing'))).toEqual({ jid, state: 'typing' })
  expect(presenceUpdate(chatstate('composing', { media: 'audio' }))).toEqual({ jid, state: 'recording' })
  expect(presenceUpdate(chatstate('paused'))).toEqual({ jid, state: 'paused' })
})

it('is silent about groups, and about what it does not know', () => {
  expect(presenceUpdate({ tag: 'presence', attrs: { from: '1203@g.us' } })).toBeUndefined()
  const inGroup = { ...chatstate('composing'), attrs: { from: '1203@g.us', participant: from } }
  expect(presenceUpdate(inGroup)).toBeUndefined()
  expect(presenceUpdate(chatstate('dancing'))).toBeUndefined()
  expect(presenceUpdate({ tag: 'chatstate', attrs: { from } })).toBeUndefined()
})
