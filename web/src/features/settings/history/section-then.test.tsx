import type { RecordThen } from '@prosa/contracts/http/past/moments'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { anUser, prosaServer, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../settings-page.tsx'

withProsaServer()

const marks = [30, 31].map((minute) => ({ em: `token-${minute}`, at: `2026-11-12T14:${minute}:00.000Z` }))
let changes: string[] = []

const momentOf = (request: Request) => new URL(request.url).searchParams.get('em')

beforeEach(() => {
  changes = []
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/records/:kind/:id', ({ request, params }) => {
      expect(params).toEqual({ kind: expect.stringMatching(/^(labels|company|openingHours)$/), id: anUser.id })
      const em = momentOf(request)
      const values = [{ label: 'Fiel', value: em === 'token-30' ? 'azul' : 'vermelho' }]
      const current = marks.findIndex((mark) => mark.em === em)
      return HttpResponse.json({ values, marks, current, latest: 'token-31' } satisfies RecordThen)
    }),
    http.get('/api/labels', ({ request }) => {
      const em = momentOf(request)
      const name = em === null ? 'Hoje' : em === 'token-30' ? 'Antes' : 'Depois'
      return HttpResponse.json([{ id: 'l1', name, colour: 'blue' }])
    }),
    http.get('/api/company', ({ request }) =>
      HttpResponse.json({
        name: momentOf(request) === 'token-30' ? 'Padaria Antiga' : 'Padaria Nova',
        ...{ email: '', phone: '', website: '', address: '', notifications: true, analytics: true },
      }),
    ),
    http.all('/api/*', ({ request }) => {
      if (request.method !== 'GET') changes.push(request.url)
      return undefined
    }),
  )
})

it('shows a section as it was in the same screen, with nothing to press, from change to change', async () => {
  renderApp('/settings?secao=etiquetas&em=token-30')
  expect(await screen.findByText('Antes')).toBeTruthy()
  const shown = within(screen.getByRole('region', { name: 'Etiquetas' }))
  for (const button of shown.queryAllByRole('button', { hidden: true })) expect(button.matches(':disabled')).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Próxima mudança' }))
  expect(await screen.findByText('Depois')).toBeTruthy()
  expect(screen.getByText(/^Você está vendo 12\/11\/2026 \d\d:31$/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Mudança anterior' }))
  await screen.findByText('Antes')
  await userEvent.click(screen.getByRole('button', { name: 'O que mudou desde então' }))
  expect(await screen.findByRole('table', { name: '1 valor mudou' })).toBeTruthy()
  await userEvent.click(screen.getByRole('link', { name: 'Voltar para agora' }))
  expect(await screen.findByText('Hoje')).toBeTruthy()
  expect(screen.queryByText(/^Você está vendo/)).toBeNull()
})

it('a form of then has the values of then, and cannot be written in or sent', async () => {
  renderApp('/settings?secao=empresa&em=token-30')
  const name = (await screen.findByDisplayValue('Padaria Antiga')) as HTMLInputElement
  expect(name.matches(':disabled')).toBe(true)
  await userEvent.type(name, 'x')
  expect(name.value).toBe('Padaria Antiga')
  await userEvent.click(screen.getByRole('button', { name: 'Próxima mudança' }))
  expect(await screen.findByDisplayValue('Padaria Nova')).toBeTruthy()
  await waitFor(() => expect(changes).toEqual([]))
})
