import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openLiveChat } from '../testing/open-live-chat.ts'
import { mariana, minutesAgo } from '../testing/people.ts'

vi.setConfig({ testTimeout: 20_000 })

const origin = 'http://127.0.0.1:3000'
const path = `${origin}/api/whatsapp/contacts/:id`

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(680)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const flow = (name: string, status: string) => ({
  ...{ id: `flow ${name}`, name, folderId: null, status, version: 1, nodeCount: 2 },
  ...{ createdAt: minutesAgo(9), updatedAt: minutesAgo(9) },
})

const open = async (refusal: string | null = null) => {
  const rendered = openLiveChat({ contacts: [mariana()] }, '/live-chat?contato=mariana')
  const { server, state, user } = rendered
  const asked: unknown[] = []
  server.use(
    http.get(`${origin}/api/flows`, () =>
      HttpResponse.json([flow('Boas-vindas', 'active'), flow('Antigo', 'inactive')]),
    ),
    http.post(`${path}/bot-pause`, async ({ request }) => {
      const body = (await request.json()) as { hours: number | null }
      asked.push(body)
      state.contacts = [{ ...mariana(), botPause: { since: minutesAgo(0), until: null } }]
      return HttpResponse.json({ id: 'mariana', until: null })
    }),
    http.delete(`${path}/bot-pause`, () => {
      asked.push('resumed')
      state.contacts = [mariana()]
      return HttpResponse.json({ id: 'mariana' })
    }),
    http.post(`${path}/flow-runs`, async ({ request }) => {
      asked.push(await request.json())
      if (refusal !== null)
        return HttpResponse.json(
          { type: 'flow_running', title: refusal, status: 409, correlationId: 'x' },
          { status: 409 },
        )
      return HttpResponse.json({ id: 'run', contactId: 'mariana', flowId: 'flow', version: 1 }, { status: 201 })
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Detalhes do contato' }))
  await screen.findByRole('heading', { name: 'Robô' })
  return { ...rendered, asked }
}

describe('the robot of one contact', () => {
  it('is paused for so long, which details and header show, and resumed', async () => {
    const { user, asked } = await open()
    expect(screen.getByText('Nenhum fluxo fala com este contato agora.')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Pausar robô' }))
    expect(screen.getByText(/O fluxo em andamento para agora/)).toBeDefined()
    await user.click(screen.getByRole('menuitem', { name: 'Por 4 horas' }))
    expect(await screen.findByText(/^Pausado até alguém retomar/)).toBeDefined()
    expect(screen.getByText('Robô pausado')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Retomar robô' }))
    expect(await screen.findByRole('button', { name: 'Pausar robô' })).toBeDefined()
    expect(asked).toEqual([{ hours: 4 }, 'resumed'])
  })

  it('starts a flow that is on, chosen by its name', async () => {
    const { user, asked } = await open()
    await user.click(screen.getByRole('button', { name: 'Começar fluxo' }))
    const menu = await screen.findByRole('menu', { name: 'Começar fluxo' })
    await user.click(await within(menu).findByRole('menuitem', { name: 'Boas-vindas' }))
    expect(within(menu).queryByText('Antigo')).toBeNull()
    await waitFor(() => expect(asked).toEqual([{ flowId: 'flow Boas-vindas' }]))
  })

  it('says why a flow cannot start', async () => {
    const { user } = await open(
      'Este contato já está neste fluxo, ou responde a outro agora. Comece de novo quando terminar.',
    )
    await user.click(screen.getByRole('button', { name: 'Começar fluxo' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Boas-vindas' }))
    expect(await screen.findByText('O fluxo não começou')).toBeDefined()
    expect(screen.getByText(/já está neste fluxo/)).toBeDefined()
  })

  it('is no longer paused once the time is over', async () => {
    const { state, push } = await open()
    state.contacts = [{ ...mariana(), botPause: { since: minutesAgo(9), until: minutesAgo(1) } }]
    push('whatsapp:contact_update', { contactId: 'mariana', position: '1' })
    await waitFor(() => expect(screen.queryByText('Robô pausado')).toBeNull())
    expect(screen.getByRole('button', { name: 'Pausar robô' })).toBeDefined()
  })
})
