import { conversationWith } from '@prosa/automation/run/testing/conversation-with'
import { asks, nodeOf, rowOf, says, waits } from '@prosa/automation/run/testing/flow-of'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { foldOfLog } from '@prosa/kernel/consumers/testing/fold-of-log'
import { idOf, testLog } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { contactList } from '@prosa/projections/contact-list/projection'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const keyword = (word: string) =>
  nodeOf(`start ${word}`, 'trigger', { start: { kind: 'keyword', words: [word], match: 'equals' } })
const flows = {
  [idOf('asking')]: rowOf([keyword('pedido'), asks('q'), says('thanks')]),
  [idOf('delayed')]: rowOf([keyword('depois'), waits('rest', '300'), says('later')]),
  [idOf('transferring')]: rowOf([keyword('pessoa'), nodeOf('bye', 'handover', { message: 'Um momento.' })]),
  [idOf('finishing')]: rowOf([keyword('horário'), nodeOf('end', 'finish', { message: 'Das 8 às 18.' })]),
}

const happening = fc.oneof(
  fc.constantFrom('pedido', 'depois', 'pessoa', 'horário', 'oi').map((words) => ({ kind: 'writes', words }) as const),
  fc.constantFrom({ kind: 'accepts' } as const, { kind: 'finishes' } as const),
  fc.integer({ min: 1, max: 200_000 }).map((seconds) => ({ kind: 'passes', seconds }) as const),
)

const [tenant, contact, attendantId] = [idOf('tenant'), idOf('contact'), idOf('attendant')]

it('the queue shows the runs that go on, and who waits for a person, as automation decides them', () =>
  fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 30 }), async (all) => {
      const { store, codec, append } = testLog()
      let end: Position | undefined
      const record = async (category: string, event: AnyEvent) => {
        end = await append(tenant, `${category}-${contact}`, event)
      }
      const ana = conversationWith(flows)
      let status: 'waiting' | 'attending' | 'resolved' = 'waiting'
      let isAsked = false
      await record('contact', {
        type: 'ContactAdded',
        data: { name: 'Ana', phone: null, lid: null, origin: 'message' },
      })
      for (const each of all) {
        let found: readonly AnyEvent[] = []
        if (each.kind === 'passes') {
          const before = ana.events.length
          ana.passes(each.seconds)
          found = ana.events.slice(before)
        } else if (each.kind === 'writes') {
          if (status === 'resolved') await record('contact', { type: 'ConversationReopened', data: {} })
          if (status === 'resolved') status = 'waiting'
          // No flow starts while somebody attends.
          found = ana.writes(each.words, status === 'attending' ? { candidates: [] } : {})
        } else if (each.kind === 'accepts' && status === 'waiting') {
          await record('contact', { type: 'ConversationAccepted', data: { attendantId } })
          status = 'attending'
          isAsked = false
          found = ana.give({ type: 'EndRuns', data: { at: ana.now(), reason: 'accepted' } })
        } else if (each.kind === 'finishes' && status === 'attending') {
          await record('contact', { type: 'ConversationResolved', data: { attendantId } })
          status = 'resolved'
          found = ana.give({ type: 'ResumeFlows', data: { at: ana.now(), isFinished: true } })
        }
        for (const event of found) await record('flowRun', event)
        isAsked ||= found.some(({ type, data }) => type === 'FlowRunEnded' && data.reason === 'handed_over')
        const [row] = end ? await foldOfLog(contactList, { store, codec }, end) : []
        const { runs, handedOver } = ana.state()
        expect(row?.runs?.map(({ id }) => id).sort()).toEqual(runs.map(({ runId }) => runId).sort())
        expect(row?.botSince === null).toBe(runs.length === 0)
        expect(row?.personAskedAt !== null).toBe(isAsked)
        if (isAsked) expect(handedOver).not.toBeNull()
      }
    }),
    { numRuns: shortOrLong(30, 1000) },
  ))
