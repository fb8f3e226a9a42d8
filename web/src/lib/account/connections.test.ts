import { describe, expect, it } from 'vitest'
import { aConnection } from '../../../test/prosa-server.ts'
import { withConnection } from './connections.ts'

const later = { serverTime: '2026-11-21T14:32:05.000Z' }

describe('a pushed connection', () => {
  it('takes its own place in the list', () => {
    const other = aConnection({ id: 'b3d1a0f2-1111-4a4e-8b5d-2f0d9b6a1c33' })
    const pushed = aConnection({ status: 'connected', ...later })
    expect(withConnection([aConnection(), other], pushed)).toEqual([pushed, other])
  })

  it('joins the list when it is new', () => expect(withConnection([], aConnection())).toEqual([aConnection()]))

  it('changes nothing when it is older than what is shown', () => {
    const shown = aConnection({ status: 'connected', ...later })
    expect(withConnection([shown], aConnection())).toEqual([shown])
  })
})
