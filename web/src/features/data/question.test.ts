import { describe, expect, it } from 'vitest'
import { addressOfQuestion, boundsOf, faultOf, fileNameOf, pathOf, type Question, questionIn } from './question.ts'
import { snippetOf, tools } from './snippets.ts'

const anyQuestion = questionIn(new URLSearchParams())
const asked = (part: Partial<Question>): Question => ({ ...anyQuestion, ...part })
const type = 'prosa.contacts.message-received.v1'
const days = asked({ period: 'days', from: '2026-11-01', to: '2026-11-30' })

describe('a question', () => {
  it('stands in the address, and is read back from it', () => {
    const question: Question = {
      ...{ table: '', services: ['contacts', 'billing'], types: [type], period: 'days' },
      ...{ from: '2026-11-01', to: '2026-11-02', after: 'a+b/c', format: 'csv', personal: true },
    }
    expect(questionIn(new URLSearchParams(addressOfQuestion(question).toString()))).toEqual(question)
    expect(addressOfQuestion(anyQuestion).toString()).toBe('')
  })

  it('of an address that means nothing is the whole log', () => {
    expect(questionIn(new URLSearchParams('periodo=nunca&de=ontem&formato=exe&pessoais=1'))).toEqual(anyQuestion)
  })

  it('asks for whole local days, the last one included', () => {
    const { since, until } = boundsOf(days)
    expect(since).toBe(new Date(2026, 10, 1).toISOString())
    expect(until).toBe(new Date(2026, 11, 1).toISOString())
    expect(boundsOf({ ...days, period: 'all' })).toEqual({ since: undefined, until: undefined })
  })

  it('names a service and a type each as often as there are', () => {
    expect(pathOf(asked({ services: ['contacts', 'billing'], types: [type] }))).toBe(
      `/api/streams/events?service=contacts&service=billing&type=${type}`,
    )
    expect(pathOf(asked({ period: 'position', after: ' x ', format: 'csv', personal: true }))).toBe(
      '/api/streams/events?after=x&format=csv&personal=true',
    )
    expect(pathOf(asked({ after: 'of another choice' }))).toBe('/api/streams/events')
  })

  it('says what is missing', () => {
    expect(faultOf(anyQuestion)).toBeNull()
    expect(faultOf(days)).toBeNull()
    expect(faultOf(asked({ period: 'days' }))).toMatch('pelo menos um dos dias')
    expect(faultOf({ ...days, from: '2026-12-01' })).toMatch('vem depois do último')
    expect(faultOf(asked({ period: 'position', after: ' ' }))).toMatch('posição')
  })

  it('names its file, whatever the address says', () => {
    expect(fileNameOf(days)).toBe('eventos-2026-11-01-2026-11-30.ndjson')
    expect(fileNameOf(asked({ types: [type], format: 'parquet' }))).toBe('contacts-message-received.parquet')
    expect(fileNameOf(asked({ table: '"; rm -rf ~; $(x)' }))).toMatch(/^[\w-]+\.ndjson$/)
  })
})

describe('a command', () => {
  it('has the key in a variable, and never personal fields', () => {
    for (const tool of tools) {
      const text = snippetOf(tool, { ...days, personal: true }, 'https://prosa.example')
      expect([tool, text]).toEqual([tool, expect.stringContaining('https://prosa.example')])
      expect(text).not.toMatch('personal')
      if (tool !== 'replay') expect(text).toMatch('PROSA_KEY')
    }
  })

  it('keeps what an address brings inside quotes', () => {
    const hostile = asked({ services: ["'; rm -rf ~ #"], types: ['$(rm -rf ~)'] })
    expect(snippetOf('curl', hostile, 'https://prosa.example')).toMatch(/'https:[^']*'/)
    expect(snippetOf('replay', hostile, 'https://prosa.example')).toContain(String.raw`--service ''\''; rm -rf ~ #'`)
  })
})
