import { later } from '@prosa/kernel/clock'
import { deriveId } from '@prosa/kernel/derive-id'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { conversationWith } from './testing/conversation-with.ts'
import { nodeOf, rowOf } from './testing/flow-of.ts'

const label = deriveId('a label')
const byWord = (word: string) =>
  nodeOf('start', 'trigger', { start: { kind: 'keyword', words: [word], match: 'contains' } })
const says = nodeOf('hi', 'message', { message: 'Olá!' })
const flows = {
  [deriveId('calls')]: rowOf([byWord('pessoa'), nodeOf('person', 'handover', { message: 'Já chamo alguém.' })]),
  [deriveId('asks')]: rowOf([byWord('bolo'), nodeOf('q', 'question', { question: 'Que sabor?', variable: 'q' })]),
  [deriveId('rests')]: rowOf([byWord('depois'), nodeOf('rest', 'delay', { delay: '86400' }), says]),
  [deriveId('labels')]: rowOf([nodeOf('start', 'trigger', { start: { kind: 'label_set', labelId: label } }), says]),
  [deriveId('greets')]: rowOf([nodeOf('start', 'trigger'), says]),
}
const limits = { starts: 1000, messages: 1000 }

const happening = fc.record({
  what: fc.constantFrom(
    'writes',
    'writes',
    'labelled',
    'finished',
    'merged',
    'merged',
    'separated',
    'no robot',
    'passes',
  ),
  text: fc.constantFrom('oi', 'pessoa', 'pessoa', 'bolo', 'depois'),
  one: fc.nat(3),
  other: fc.nat(3),
  skew: fc.integer({ min: -90_000, max: 90_000 }),
})

it('no flow starts, and none goes on, with whoever waits for a person, whatever is merged and separated meanwhile', () => {
  let withheld = 0
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 40, size: 'max' }), (happenings) => {
      const contacts = [0, 1, 2, 3].map(() => conversationWith(flows, { limits }))
      const behind = new Map<number, number>()
      /** Reference implementation. */
      const waiting = new Set<number>()
      const survivorOf = (one: number) => behind.get(one) ?? one
      const at = (one: number) => {
        const found = contacts[one]
        if (!found) throw new Error('there are four')
        return found
      }
      for (const { what, text, one, other, skew } of happenings) {
        for (const each of contacts) each.passes(1)
        const id = survivorOf(one)
        const before = at(id).events.length
        const isWaiting = waiting.has(id)
        if (what === 'writes') at(id).writes(text)
        else if (what === 'labelled') at(id).isLabelled(label)
        else if (what === 'passes') for (const each of contacts) each.passes(100_000)
        else if (what === 'no robot')
          at(id).give({ type: 'ResumeFlows', data: { at: at(id).now(), isFinished: false } })
        else if (what === 'finished') {
          at(id).give({ type: 'ResumeFlows', data: { at: later(at(id).now(), skew), isFinished: true } })
          waiting.delete(id)
        } else if (what === 'merged' && survivorOf(other) !== id) {
          const into = survivorOf(other)
          for (const each of [id, ...[...behind].flatMap(([who, whom]) => (whom === id ? [who] : []))]) {
            const { recent, paused, handedOver } = at(each).state()
            at(each).give({ type: 'MoveRunsAway', data: { to: `contact ${into}` } })
            const runs = at(each)
              .state()
              .moved.flatMap(({ to, run }) => (to === `contact ${into}` ? [run] : []))
            const mergedAt = at(into).now()
            const data = { from: `contact ${each}`, runs, at: mergedAt, recent, paused, botPause: null, limits }
            at(into).give({ type: 'TakeRunsOver', data: { ...data, handedOverAt: handedOver && mergedAt } })
            if (waiting.has(each)) waiting.add(into)
            behind.set(each, into)
          }
        } else if (what === 'separated') behind.delete(one)
        const added = at(id).events.slice(before)
        if (isWaiting && (what === 'writes' || what === 'labelled')) {
          expect(added.filter(({ type }) => type !== 'FlowStartWithheld')).toEqual([])
          withheld += added.length
        }
        if (added.some(({ type, data }) => type === 'FlowRunEnded' && data.reason === 'handed_over')) waiting.add(id)
        for (const each of [0, 1, 2, 3]) {
          const { handedOver, runs } = at(each).state()
          expect([each, handedOver !== null]).toEqual([each, waiting.has(each)])
          if (handedOver) expect(runs).toEqual([])
        }
      }
    }),
    { numRuns: shortOrLong(100, 20_000) },
  )
  expect(withheld).toBeGreaterThan(10)
})
