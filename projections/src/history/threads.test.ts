import type { Stored } from '@prosa/kernel/event-store/codec'
import { expect, it } from 'vitest'
import { samplesIn } from './threads.ts'

const event = (id: string, stream: string, type: string, data: object) =>
  ({ id, stream, type, data }) as unknown as Stored
const folder = (id: string, isSample = true) => event(id, `flowFolder-${id}`, 'FlowFolderCreated', { isSample })
const flow = (id: string, origin = 'sample') => event(id, `flow-${id}`, 'FlowCreated', { origin })
const draft = (id: string) => event(`draft ${id}`, `flow-${id}`, 'FlowDraftKept', {})

it('folds what a new account gets into its first event, drafts of the samples too', () => {
  const registered = event('user', 'user-1', 'UserRegistered', {})
  const events = [registered, folder('a'), flow('b'), draft('b'), folder('c'), flow('d'), flow('e')]
  const [first, { text, others }] = [...samplesIn(events)][0] ?? ['', { text: '', others: new Set<string>() }]
  expect([first, text]).toEqual(['a', 'A conta recebeu 2 pastas e 3 fluxos de exemplo'])
  expect([...others]).toEqual(['b', 'draft b', 'c', 'd', 'e'])
})

it('leaves alone what people make, and a sample by itself', () => {
  expect(samplesIn([folder('a', false), flow('b', 'new'), draft('b'), flow('c', 'copy')]).size).toBe(0)
  expect(samplesIn([folder('a')]).size).toBe(0)
})
