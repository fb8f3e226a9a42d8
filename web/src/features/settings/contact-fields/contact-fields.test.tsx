import type { ContactField } from '@prosa/contracts/http/contact-details'
import { refusals } from '@prosa/contracts/refusals'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../settings-page.tsx'

withProsaServer()

let stored: ContactField[] = []

beforeEach(() => {
  stored = [{ id: 'a', name: 'Cidade', variable: 'cidade', type: 'text' }]
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/contact-fields', () => HttpResponse.json(stored)),
    http.post('/api/contact-fields', async ({ request }) => {
      const body = (await request.json()) as Pick<ContactField, 'name' | 'type'>
      if (body.name === 'Cidade') return refuse('contact_field_name_taken')
      const field = { id: 'n', variable: 'nascimento', ...body }
      stored = [...stored, field]
      return HttpResponse.json(field, { status: 201 })
    }),
    http.patch('/api/contact-fields/:id', async ({ request }) => {
      const { name } = (await request.json()) as { name: string }
      stored = stored.map((field) => ({ ...field, name }))
      return HttpResponse.json(stored[0])
    }),
    http.delete('/api/contact-fields/:id', ({ params }) => {
      stored = stored.filter(({ id }) => id !== params.id)
      return HttpResponse.json({ id: params.id })
    }),
  )
})

const open = () => renderApp('/settings?secao=campos')
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Campos de contatos' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

describe('Campos de contatos', () => {
  it('shows each field with its type and its variable', async () => {
    open()
    expect(await rows()).toEqual(['CidadeTexto · {cidade}Por quê?'])
    expect(screen.getByText(/^1 campo de até 30\./)).toBeTruthy()
  })

  it('creates a field of a type, and says at its name why one is refused', async () => {
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Novo campo' }))
    await userEvent.type(screen.getByLabelText('Nome'), '123{Enter}')
    expect(await screen.findByText('Dê um nome ao campo.')).toBeTruthy()
    await userEvent.clear(screen.getByLabelText('Nome'))
    await userEvent.type(screen.getByLabelText('Nome'), 'Cidade{Enter}')
    expect(await screen.findByText(refusals.contact_field_name_taken.title)).toBeTruthy()
    await userEvent.clear(screen.getByLabelText('Nome'))
    await userEvent.type(screen.getByLabelText('Nome'), 'Nascimento')
    await userEvent.selectOptions(screen.getByLabelText('O que guarda'), 'Data')
    await userEvent.click(screen.getByRole('button', { name: 'Criar' }))
    await waitFor(async () => expect(await rows()).toContain('NascimentoData · {nascimento}Por quê?'))
  })

  it('renames a field, whose variable stays, and deletes one after asking', async () => {
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Mudar o nome de Cidade' }))
    await userEvent.clear(screen.getByLabelText('Nome'))
    await userEvent.type(screen.getByLabelText('Nome'), 'Município{Enter}')
    await waitFor(async () => expect(await rows()).toEqual(['MunicípioTexto · {cidade}Por quê?']))
    await userEvent.click(screen.getByRole('button', { name: 'Excluir Município' }))
    await userEvent.click(screen.getByRole('button', { name: 'Excluir' }))
    expect(await screen.findByText('Nenhum campo ainda')).toBeTruthy()
  })
})
