import { starterFlow } from '@prosa/contracts/flows/new-node'
import { expect, it } from 'vitest'
import { maxDocumentBytes, requireSmall } from './faults.ts'

it('a flow may be as large as the limit, and no larger', () => {
  const document = starterFlow()
  const message = document.nodes.find((node) => node.type === 'message')
  if (!message) throw new Error('the starter flow has no message')
  message.data.message = ''
  const rest = maxDocumentBytes - Buffer.byteLength(JSON.stringify(document))
  message.data.message = 'x'.repeat(rest)
  expect(() => requireSmall(document)).not.toThrow()
  message.data.message += 'x'
  expect(() => requireSmall(document)).toThrow('Este fluxo é grande demais')
})
