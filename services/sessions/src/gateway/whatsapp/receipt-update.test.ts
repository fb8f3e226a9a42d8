import { expect, it } from 'vitest'
import { receiptUpdate } from './receipt-update.ts'

const me = { id: '5511900000001:1@s.whatsapp.net', lid: '1636:1@lid' }
const receipt = (attrs: Record<string, string>, ...items: string[]) => ({
  tag: 'receipt',
  attrs: { id: 'A', from: '1227@lid', ...attrs },
  content:
    items.length > 0
      ? [{ tag: 'list', attrs: {}, content: items.map((id) => ({ tag: 'item', attrs: { id } })) }]
      : undefined,
})

it('reads ticks of another person’s devices', () => {
  expect(receiptUpdate(receipt({}), me)).toEqual({ from: '1227@lid', messageIds: ['A'], status: 'delivered' })
  expect(receiptUpdate(receipt({ type: 'inactive' }), me)).toEqual({
    from: '1227@lid',
    messageIds: ['A'],
    status: 'delivered',
  })
  expect(receiptUpdate(receipt({ type: 'read' }, 'B', 'C'), me)).toEqual({
    from: '1227@lid',
    messageIds: ['A', 'B', 'C'],
    status: 'read',
  })
  expect(receiptUpdate(receipt({ type: 'played' }), me)).toEqual({
    from: '1227@lid',
    messageIds: ['A'],
    status: 'played',
  })
})

it('is silent about our own devices, groups, and what is no tick', () => {
  expect(receiptUpdate(receipt({ from: '1636@lid' }), me)).toBeUndefined()
  expect(receiptUpdate(receipt({ from: '5511900000001@s.whatsapp.net', type: 'read' }), me)).toBeUndefined()
  expect(receiptUpdate(receipt({ from: '1203@g.us', participant: '1227@lid' }), me)).toBeUndefined()
  for (const type of ['retry', 'sender', 'read-self', 'server-error', 'peer_msg', 'hist_sync'])
    expect(receiptUpdate(receipt({ type }), me)).toBeUndefined()
})
