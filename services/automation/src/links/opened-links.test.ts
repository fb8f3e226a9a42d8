import { decide, fold } from '@prosa/kernel/domain/decider'
import { expect, it } from 'vitest'
import { openedLinks } from './opened-links.ts'

const opened = (token: string) => ({ runId: 'r', flowId: 'f', version: 1, nodeId: 'n', token })
const open = (token: string) => ({ type: 'OpenLink', data: opened(token) }) as const

it('counts each link once, and no more of one contact than anybody reads', () => {
  let state = openedLinks.initial
  for (let each = 0; each < 10_000; each++) {
    expect(decide(openedLinks, state, open(`link ${each}`))).toHaveLength(1)
    state = fold(openedLinks, state, [{ type: 'FlowLinkOpened', data: opened(`link ${each}`) }])
  }
  expect(decide(openedLinks, state, open('link 7'))).toEqual([])
  expect(decide(openedLinks, state, open('one more'))).toEqual([])
})
