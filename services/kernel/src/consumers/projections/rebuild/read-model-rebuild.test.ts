import { describe, it } from 'vitest'
import { specify } from '../../../domain/specify.ts'
import { idOf } from '../../testing/test-log.ts'
import { type ReadModelRebuildCommand, type ReadModelRebuildEvent, readModelRebuild } from './read-model-rebuild.ts'

const given = specify(readModelRebuild)
const readModel = 'contact-list'
const [first, second] = [idOf('first rebuild'), idOf('second rebuild')]
const request = (rebuildId: string): ReadModelRebuildCommand => ({
  type: 'RequestRebuild',
  data: { rebuildId, readModel },
})
const finish = (rebuildId: string): ReadModelRebuildCommand => ({
  type: 'FinishRebuild',
  data: { rebuildId, readModel },
})
const requested = (rebuildId: string): ReadModelRebuildEvent => ({
  type: 'ReadModelRebuildRequested',
  data: { rebuildId, readModel },
})
const rebuilt = (rebuildId: string): ReadModelRebuildEvent => ({
  type: 'ReadModelRebuilt',
  data: { rebuildId, readModel },
})

describe('a read model', () => {
  it('is asked to be rebuilt', () => given().when(request(first)).then(requested(first)))
  it('is asked once while that is under way, whoever asks again', () =>
    given(requested(first)).when(request(second)).thenNothing())
  it('may be asked again afterwards', () =>
    given(requested(first), rebuilt(first)).when(request(second)).then(requested(second)))
  it('is rebuilt', () => given(requested(first)).when(finish(first)).then(rebuilt(first)))
  it('is rebuilt once, however often that is reported', () =>
    given(requested(first), rebuilt(first)).when(finish(first)).thenNothing())
  it('is not done because an earlier rebuild was', () =>
    given(requested(first), rebuilt(first), requested(second)).when(finish(first)).thenNothing())
})
