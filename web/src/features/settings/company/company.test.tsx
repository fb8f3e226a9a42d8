import { type Company, unknownCompany } from '@prosa/contracts/http/accounts/company'
import { type OpeningHoursShown, unsetOpeningHours } from '@prosa/contracts/http/opening-hours'
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

let stored: Company = unknownCompany
let hours: OpeningHoursShown = unsetOpeningHours
let asked: unknown[] = []

beforeEach(() => {
  stored = unknownCompany
  hours = { ...unsetOpeningHours, isSet: true }
  asked = []
  const keep = async (request: Request) => {
    const body = (await request.json()) as Partial<Company>
    asked.push(body)
    stored = { ...stored, ...body }
    return HttpResponse.json(stored)
  }
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/company', () => HttpResponse.json(stored)),
    http.put('/api/company', ({ request }) => keep(request)),
    http.patch('/api/company/choices', ({ request }) => keep(request)),
    http.get('/api/opening-hours', () => HttpResponse.json(hours)),
    http.patch('/api/opening-hours/reply', async ({ request }) => {
      const body = (await request.json()) as Partial<OpeningHoursShown['reply']>
      asked.push(body)
      hours = { ...hours, reply: { ...hours.reply, ...body } }
      return HttpResponse.json(hours)
    }),
  )
})

const open = () => renderApp('/settings?secao=empresa')
const toasts = () => within(screen.getByLabelText('Avisos (F8)'))

describe('Empresa', () => {
  it('is reached from the menu, and keeps what is written down', async () => {
    renderApp('/settings')
    await userEvent.click(await screen.findByRole('link', { name: 'Empresa' }))
    await userEvent.type(await screen.findByLabelText('Nome da empresa'), 'Padaria Sol')
    await userEvent.type(screen.getByLabelText('Telefone'), '(11) 3333-4444')
    await userEvent.click(screen.getByText('Salvar dados'))
    expect(await toasts().findByText('Dados da empresa salvos com sucesso!')).toBeTruthy()
    expect(asked).toEqual([{ name: 'Padaria Sol', email: '', phone: '(11) 3333-4444', website: '', address: '' }])
  })

  it('puts what the server refuses at its field, and goes there', async () => {
    const message = 'Informe o nome da empresa.'
    prosaServer.use(http.put('/api/company', () => refuse('invalid_request', [{ field: 'name', message }])))
    open()
    await userEvent.click(await screen.findByText('Salvar dados'))
    expect(await screen.findByText(message)).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Nome da empresa')))
  })

  it('follows what is changed in another browser, but not over what was begun here', async () => {
    stored = { ...stored, name: 'Padaria Sol' }
    const { queries } = open()
    const name = await screen.findByLabelText('Nome da empresa')
    const elsewhere = async (changed: Partial<Company>) => {
      stored = { ...stored, ...changed }
      await queries.invalidateQueries({ queryKey: ['company'] })
    }
    await elsewhere({ name: 'Padaria Lua' })
    await waitFor(() => expect(name).toHaveProperty('value', 'Padaria Lua'))
    await userEvent.type(name, ' Nova')
    await elsewhere({ name: 'Padaria Mar' })
    expect(name).toHaveProperty('value', 'Padaria Lua Nova')
  })

  it('has three switches, each of which holds at once', async () => {
    open()
    await waitFor(() =>
      expect(screen.getByLabelText('Respostas automáticas fora do horário')).toHaveProperty('disabled', false),
    )
    await userEvent.click(screen.getByLabelText('Respostas automáticas fora do horário'))
    await waitFor(() => expect(asked).toEqual([{ isOn: true }]))
    await userEvent.click(screen.getByLabelText('Notificações'))
    await waitFor(() => expect(asked).toEqual([{ isOn: true }, { notifications: true }]))
    await waitFor(() => expect(screen.getByLabelText('Estatísticas')).toHaveProperty('disabled', false))
    await userEvent.click(screen.getByLabelText('Estatísticas'))
    await waitFor(() => expect(asked).toEqual([{ isOn: true }, { notifications: true }, { analytics: false }]))
  })

  it('leads to the hours where none are set: nothing is out of them yet', async () => {
    hours = unsetOpeningHours
    open()
    expect(await screen.findByText(/Defina antes quando você atende/)).toBeTruthy()
    expect(screen.getByLabelText('Respostas automáticas fora do horário')).toHaveProperty('disabled', true)
  })

  it('says so when it cannot be read, and reads again when asked', async () => {
    prosaServer.use(http.get('/api/company', () => refuse('unexpected'), { once: true }))
    open()
    await userEvent.click(await screen.findByText('Tentar de novo'))
    expect(await screen.findByLabelText('Nome da empresa')).toBeTruthy()
  })
})
