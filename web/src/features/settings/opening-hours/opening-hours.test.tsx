import { type OpeningHoursShown, unsetOpeningHours } from '@prosa/contracts/http/opening-hours'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'
import { openingSentence } from './hours-words.ts'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../settings-page.tsx'

withProsaServer()

const day = [{ from: '08:00', to: '18:00' }]
const office: OpeningHoursShown = {
  ...unsetOpeningHours,
  isSet: true,
  week: [[], day, day, day, day, [{ from: '18:00', to: '24:00' }], []],
}

let stored = office
let asked: unknown[] = []

beforeEach(() => {
  stored = office
  asked = []
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/opening-hours', () => HttpResponse.json(stored)),
    http.put('/api/opening-hours', async ({ request }) => {
      const body = (await request.json()) as Partial<OpeningHoursShown>
      asked.push(body)
      stored = { ...stored, ...body, isSet: true }
      return HttpResponse.json(stored)
    }),
    http.patch('/api/opening-hours/reply', async ({ request }) => {
      const body = (await request.json()) as Partial<OpeningHoursShown['reply']>
      asked.push(body)
      stored = { ...stored, reply: { ...stored.reply, ...body } }
      return HttpResponse.json(stored)
    }),
  )
})

const open = () => renderApp('/settings?secao=horarios')
const toasts = () => within(screen.getByLabelText('Avisos (F8)'))
const dayOf = async (name: string) => within(await screen.findByRole('group', { name }))

describe('Horários', () => {
  it('shows the week as it was saved, a closed day as closed, and midnight as clocks show it', async () => {
    open()
    const monday = await dayOf('Segunda-feira')
    expect(monday.getByLabelText<HTMLInputElement>('Das').value).toBe('08:00')
    expect((await dayOf('Sexta-feira')).getByLabelText<HTMLInputElement>('Até').value).toBe('00:00')
    expect((await dayOf('Domingo')).getByText('Fechado')).toBeTruthy()
    expect(screen.getByLabelText<HTMLSelectElement>('Fuso horário').value).toBe('America/Sao_Paulo')
  })

  it('offers the usual week to who has none, and saves nothing of it by itself', async () => {
    stored = unsetOpeningHours
    open()
    expect((await dayOf('Segunda-feira')).getAllByLabelText('Das')).toHaveLength(2)
    expect(screen.getByText('Seus horários ainda não foram definidos.')).toBeTruthy()
    expect(screen.getByLabelText('Responder a quem escreve fora do horário')).toHaveProperty('disabled', true)
    expect(asked).toEqual([])
    await userEvent.click(screen.getByText('Salvar horários'))
    expect(await toasts().findByText('Horários salvos com sucesso!')).toBeTruthy()
    await waitFor(() =>
      expect(screen.getByLabelText('Responder a quem escreve fora do horário')).toHaveProperty('disabled', false),
    )
  })

  it('takes times out and in, repeats Monday until Friday, and saves holidays', async () => {
    open()
    const monday = await dayOf('Segunda-feira')
    await userEvent.click(monday.getByText('Adicionar intervalo'))
    expect(monday.getAllByLabelText('Das')).toHaveLength(2)
    await userEvent.click(monday.getByLabelText('Tirar o 2º intervalo'))
    await userEvent.click(monday.getByText('Repetir até sexta'))
    await userEvent.click(screen.getByText('Adicionar feriado'))
    await userEvent.type(screen.getByLabelText('Data'), '2026-12-25')
    await userEvent.type(screen.getByLabelText('Nome'), 'Natal')
    await userEvent.selectOptions(screen.getByLabelText('Fuso horário'), 'America/Manaus')
    await userEvent.click(screen.getByText('Salvar horários'))
    expect(await toasts().findByText('Horários salvos com sucesso!')).toBeTruthy()
    expect(asked).toEqual([
      {
        timeZone: 'America/Manaus',
        week: [[], day, day, day, day, day, []],
        holidays: [{ date: '2026-12-25', name: 'Natal', intervals: [] }],
      },
    ])
  })

  it('puts what the server refuses at its field, keeps what was written, and goes there', async () => {
    const message = 'O fim precisa ser depois do início.'
    prosaServer.use(
      http.put('/api/opening-hours', () => refuse('invalid_request', [{ field: 'week.1.0.to', message }])),
    )
    open()
    const monday = await dayOf('Segunda-feira')
    await userEvent.clear(monday.getByLabelText('Até'))
    await userEvent.type(monday.getByLabelText('Até'), '07:00')
    await userEvent.click(screen.getByText('Salvar horários'))
    expect(await monday.findByText(message)).toBeTruthy()
    const end = monday.getByLabelText<HTMLInputElement>('Até')
    expect([end.value, end.getAttribute('aria-invalid')]).toEqual(['07:00', 'true'])
    await waitFor(() => expect(document.activeElement).toBe(end))
  })

  it('turns the reply on at once, and saves its words when asked', async () => {
    open()
    await userEvent.click(await screen.findByLabelText('Responder a quem escreve fora do horário'))
    expect(await toasts().findByText('Resposta automática salva com sucesso!')).toBeTruthy()
    expect(asked).toEqual([{ isOn: true }])
    await userEvent.clear(screen.getByLabelText('Mensagem'))
    await userEvent.type(screen.getByLabelText('Mensagem'), 'Voltamos às 8h.')
    await userEvent.click(screen.getByText('Salvar mensagem'))
    await waitFor(() => expect(asked).toEqual([{ isOn: true }, { text: 'Voltamos às 8h.' }]))
  })

  it('says so when it cannot be read, and reads again when asked', async () => {
    prosaServer.use(http.get('/api/opening-hours', () => refuse('unexpected'), { once: true }))
    open()
    await userEvent.click(await screen.findByText('Tentar de novo'))
    expect(await dayOf('Segunda-feira')).toBeTruthy()
  })
})

it.each([
  ['2026-11-23T12:00:00.000Z', 'Aberto agora.'],
  ['2026-11-23T21:00:00.000Z', 'Fechado agora. Abre terça-feira, 24/11, às 08:00.'],
])('whether it is open at %s: %s', (instant, sentence) => expect(openingSentence(office, instant)).toBe(sentence))

describe('a reply that names the company', () => {
  it('has the field for a missing name beside it, which saves the name and nothing else', async () => {
    const company = {
      name: '',
      email: 'a@b.c',
      phone: '',
      website: '',
      address: '',
      notifications: false,
      analytics: true,
    }
    const named: unknown[] = []
    prosaServer.use(
      http.get('/api/company', () => HttpResponse.json(company)),
      http.put('/api/company', async ({ request }) => {
        named.push(await request.json())
        return HttpResponse.json({ ...company, name: 'Padaria Sol' })
      }),
    )
    open()
    const text = await screen.findByLabelText('Mensagem')
    expect(screen.queryByLabelText('Nome da empresa')).toBeNull()
    await userEvent.clear(text)
    await userEvent.type(text, 'A {{empresa} abre às 8h.')
    await userEvent.type(await screen.findByLabelText('Nome da empresa'), 'Padaria Sol{Enter}')
    await waitFor(() =>
      expect(named).toEqual([{ name: 'Padaria Sol', email: 'a@b.c', phone: '', website: '', address: '' }]),
    )
    expect(asked).toEqual([])
  })

  it('says beside its switch which of a flow and the reply speaks', async () => {
    open()
    expect(await screen.findByText(/cada mensagem tem uma resposta só/)).toBeTruthy()
  })
})
