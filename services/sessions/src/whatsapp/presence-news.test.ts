import { expect, it } from 'vitest'
import { presenceNews } from './presence-news.ts'

const from = '1227:3@lid'
const jid = '1227@lid'
const chatstate = (tag: string, attrs: Record<string, string> = {}) => ({
  tag: 'chatstate',
  attrs: { from },
  content: [{ tag, attrs }],
})

it('tells who is there, who writes, who records and who has stopped', () => {
  expect(presenceNews({ tag: 'presence', attrs: { from } })).toEqual({ jid, state: 'available' })
  expect(presenceNews({ tag: 'presence', attrs: { from, type: 'unavailable' } })).toEqual({ jid, state: 'unavailable' })
  expect(presenceNews(chatstate('composing'))).toEqual({ jid, state: 'typing' })
  expect(presenceNews(chatstate('composing', { media: 'audio' }))).toEqual({ jid, state: 'recording' })
  expect(presenceNews(chatstate('paused'))).toEqual({ jid, state: 'paused' })
})

it('is silent about groups, and about what it does not know', () => {
  expect(presenceNews({ tag: 'presence', attrs: { from: '1203@g.us' } })).toBeUndefined()
  const inGroup = { ...chatstate('composing'), attrs: { from: '1203@g.us', participant: from } }
  expect(presenceNews(inGroup)).toBeUndefined()
  expect(presenceNews(chatstate('dancing'))).toBeUndefined()
  expect(presenceNews({ tag: 'chatstate', attrs: { from } })).toBeUndefined()
})
