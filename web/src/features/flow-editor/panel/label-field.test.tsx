import type { Label } from '@prosa/contracts/http/labels'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { prosaServer, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderPart } from '../testing/flow-part.tsx'
import { LabelField } from './label-field.tsx'

withProsaServer()

let stored: Label[]
beforeEach(() => {
  stored = [{ id: 'vip', name: 'VIP', colour: 'red' }]
  prosaServer.use(
    http.get('/api/labels', () => HttpResponse.json(stored)),
    http.post('/api/labels', async ({ request }) => {
      const label = { id: 'new', ...((await request.json()) as Omit<Label, 'id'>) }
      stored = [...stored, label]
      return HttpResponse.json(label, { status: 201 })
    }),
  )
})

const Field = () => {
  const [labelId, setLabelId] = useState<string | null>(null)
  return <LabelField labelId={labelId} onChange={setLabelId} />
}

it('creates the label that a step puts on, and chooses it', async () => {
  renderPart(<Field />)
  await userEvent.click(await screen.findByRole('button', { name: 'Nova etiqueta' }))
  await userEvent.type(await screen.findByLabelText('Nome'), 'Orçamento{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(stored[1]).toEqual({ id: 'new', name: 'Orçamento', colour: 'orange' })
  await waitFor(() => expect(screen.getByLabelText('Etiqueta')).toHaveProperty('value', 'new'))
})
