import { describe, expect, it } from 'vitest'
import { quickReplyTrigger } from './quick-reply-trigger.ts'

/** `|` is the caret. */
const triggerIn = (written: string) => quickReplyTrigger(written.replace('|', ''), written.indexOf('|'))

describe('a slash in a text', () => {
  it('at the beginning asks with all that follows, wherever the caret stands', () => {
    expect(triggerIn('/|')).toEqual({ search: '', from: 0, to: 1 })
    expect(triggerIn('/bom d|ia')).toEqual({ search: 'bom dia', from: 0, to: 8 })
    expect(triggerIn('/pix\n|')).toBeNull()
  })
  it('behind a blank or at the beginning of a line asks with the word up to the caret', () => {
    expect(triggerIn('Oi /pi| tudo')).toEqual({ search: 'pi', from: 3, to: 6 })
    expect(triggerIn('Oi\n/|')).toEqual({ search: '', from: 3, to: 4 })
    expect(triggerIn('/a\n/pix|')).toEqual({ search: 'pix', from: 3, to: 7 })
  })
  it.each(['10/2|', 'e/ou|', 'http://a|', 'Oi /pix |', 'Oi| /pix', ''])('in %j asks for nothing', (written) =>
    expect(triggerIn(written)).toBeNull(),
  )
})
