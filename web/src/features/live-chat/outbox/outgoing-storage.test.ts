import { beforeEach, expect, it } from 'vitest'
import type { Outgoing } from './outgoing.ts'
import { outgoingStorage } from './outgoing-storage.ts'

const key = 'prosa:outgoing'

const text = (id: string, over: Partial<Outgoing> = {}): Outgoing => ({
  id,
  contactId: 'rafaela',
  content: id,
  writtenAt: `2026-11-23T12:00:0${id.length % 10}.000Z`,
  state: 'sending',
  failure: null,
  ...over,
})
const media = {
  ...{ as: 'document' as const, mediaType: 'application/pdf', bytes: 10, fileName: 'a.pdf', seconds: null },
  ...{ width: null, height: null, waveform: null, preview: null, uploadedId: null },
}

const openTab = () => {
  const storage = outgoingStorage()
  let all = storage.getItem(key)
  return {
    ids: () => all.map(({ id }) => id),
    change(edit: (all: Outgoing[]) => Outgoing[]) {
      all = edit(all)
      storage.setItem(key, all)
    },
  }
}
const shared = () => (JSON.parse(localStorage.getItem(key) ?? '[]') as Outgoing[]).map(({ id }) => id)

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

it('keeps for every tab what can be sent without the page that wrote it, and nothing that the server has', () => {
  openTab().change(() => [text('a'), text('bb', { state: 'failed' }), text('ccc', { state: 'accepted' })])
  expect(shared()).toEqual(['a', 'bb'])
  sessionStorage.clear()
  expect(openTab().ids()).toEqual(['a', 'bb'])
})

it('leaves a file that is not there yet to the tab that has it', () => {
  openTab().change(() => [text('a', { media })])
  expect(shared()).toEqual([])
  expect(openTab().ids()).toEqual(['a'])
})

it('loses nothing that two tabs write without knowing of each other', () => {
  const [one, other] = [openTab(), openTab()]
  one.change((all) => [...all, text('a')])
  other.change((all) => [...all, text('bb')])
  one.change((all) => all.map((each) => ({ ...each, state: 'accepted' as const })))
  expect(shared()).toEqual(['bb'])
})

it('brings back nothing that another tab let go of', () => {
  const one = openTab()
  one.change(() => [text('a'), text('bb')])
  const other = openTab()
  other.change((all) => all.filter(({ id }) => id !== 'a'))
  one.change((all) => [...all, text('ccc')])
  expect(shared()).toEqual(['bb', 'ccc'])
})
