import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { someFile, standInForMedia } from '../../../../test/browser-media.ts'
import { anUser } from '../../../../test/prosa-server.ts'
import { connectionsQuery } from '../../../lib/account/connections.ts'
import { becomeUser } from '../../../lib/account/current-user.ts'
import { claimPersonalStorage } from '../../../lib/browser/personal-storage.ts'
import { anewEachTest } from '../testing/anew-each-test.ts'
import { openLiveChat } from '../testing/open-live-chat.ts'
import { composer, heading, mariana, rafaela, row } from '../testing/people.ts'
import { renderLiveChat } from '../testing/render-live-chat.tsx'

vi.setConfig({ testTimeout: 30_000 })
anewEachTest()

const address = '/live-chat?contato=rafaela'
const log = () => screen.findByRole('log')

const asksBeforeClosing = () => {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}

const goOffline = (isOffline: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(!isOffline)
  act(() => void window.dispatchEvent(new Event(isOffline ? 'offline' : 'online')))
}

describe('without a line to WhatsApp', () => {
  it('goes on writing in mid-sentence, hands the message over, and shows that it waits', async () => {
    const { user, state, queries } = openLiveChat({ contacts: [rafaela()] }, address)
    await user.type(await composer(), 'Seu bolo ')
    state.line = 'recovering'
    await act(() => queries.invalidateQueries({ queryKey: connectionsQuery.queryKey }))
    expect(await screen.findByText(/^Aguardando a conexão/)).toBeDefined()
    await user.keyboard('está pronto')
    expect((await composer()).value).toBe('Seu bolo está pronto')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(state.sent.map(({ message }) => message)).toEqual(['Seu bolo está pronto']))
  })

  it('keeps the box and the text while somebody is writing, also where every number is gone', async () => {
    const { user, state, queries } = openLiveChat({ contacts: [rafaela()] }, address)
    await user.type(await composer(), 'Seu bolo ')
    state.line = 'unused'
    await act(() => queries.invalidateQueries({ queryKey: connectionsQuery.queryKey }))
    const box = await screen.findByPlaceholderText<HTMLTextAreaElement>('Conecte o WhatsApp para enviar mensagens')
    await user.keyboard('está pronto{Enter}')
    expect([box.disabled, box.value]).toEqual([false, 'Seu bolo está pronto'])
    expect(screen.getByText(/O que você escreveu fica aqui/)).toBeDefined()
    expect(state.sent).toEqual([])
    await user.clear(box)
    expect(box.disabled).toBe(false)
    await user.click(screen.getByRole('tab', { name: /Aguardando/ }))
    expect(box.disabled).toBe(true)
  })
})

describe('when the session ends while a message is sent', () => {
  const endsWhileSending = async () => {
    claimPersonalStorage(anUser.id)
    const scene = openLiveChat({ contacts: [rafaela()], user: anUser }, address)
    let refused = 0
    scene.server.use(
      http.post(
        '*/api/whatsapp/send-message',
        () => {
          refused += 1
          return HttpResponse.json({ type: 'not_signed_in', title: 'Entre de novo.', status: 401 }, { status: 401 })
        },
        { once: true },
      ),
    )
    await scene.user.type(await composer(), 'Pode buscar às 16h{Enter}')
    await waitFor(() => expect(refused).toBe(1))
    await waitFor(() => expect(scene.queries.getQueryData(['auth', 'user'])).toBeNull())
    expect(screen.queryByText(/Erro ao enviar/)).toBeNull()
    scene.unmount()
    return scene
  }

  it('leaves once the same person has signed in again', async () => {
    const { queries, state } = await endsWhileSending()
    becomeUser(queries, anUser)
    renderLiveChat(address, anUser)
    await waitFor(() => expect(state.sent.map(({ message }) => message)).toEqual(['Pode buscar às 16h']))
    expect(await within(await log()).findAllByText('Pode buscar às 16h')).toHaveLength(1)
  })

  it('is nobody else’s', async () => {
    const { queries, state } = await endsWhileSending()
    const other = { ...anUser, id: 'somebody-else' }
    becomeUser(queries, other)
    renderLiveChat(address, other)
    await screen.findByText('Nenhuma mensagem ainda')
    expect(state.sent).toEqual([])
    expect(localStorage.getItem('prosa:outgoing') ?? '').not.toContain('Pode buscar')
  })
})

describe('closing the tab', () => {
  it('is asked about while a message waits for the internet; it leaves when Prosa is opened again', async () => {
    const { user, state, unmount } = openLiveChat({ contacts: [rafaela()], user: anUser }, address)
    await screen.findByText('Nenhuma mensagem ainda')
    expect(asksBeforeClosing()).toBe(false)
    goOffline(true)
    await user.type(await composer(), 'Anotado{Enter}')
    expect(await within(await log()).findByTitle('aguardando a conexão')).toBeDefined()
    expect(asksBeforeClosing()).toBe(true)
    unmount()
    sessionStorage.clear()
    renderLiveChat(address, anUser)
    await screen.findByText('Anotado')
    goOffline(false)
    await waitFor(() => expect(new Set(state.sent.map(({ message }) => message))).toEqual(new Set(['Anotado'])))
    expect(new Set(state.sent.map(({ messageId }) => messageId)).size).toBe(1)
    await waitFor(() => expect(asksBeforeClosing()).toBe(false))
  })

  it('is asked about while a file is attached and not sent', async () => {
    standInForMedia()
    openLiveChat({ contacts: [rafaela()] }, address)
    const place = (await composer()).form?.parentElement as HTMLElement
    const dropped = createEvent.drop(place)
    const files = [someFile('exame.pdf', 'application/pdf')]
    Object.defineProperty(dropped, 'dataTransfer', { value: { types: ['Files'], files } })
    fireEvent(place, dropped)
    await screen.findByRole('group', { name: 'Arquivos para enviar' })
    expect(asksBeforeClosing()).toBe(true)
  })
})

describe('a recording', () => {
  const record = async () => {
    standInForMedia()
    const attended = { ...mariana(), serviceStatus: 'attending' as const, waitingSince: null }
    const scene = openLiveChat({ contacts: [rafaela(), attended] }, address)
    await scene.user.click(await screen.findByRole('tab', { name: /Atendendo/ }))
    await scene.user.click(await composer())
    await scene.user.keyboard('{Control>}m{/Control}')
    await waitFor(() => expect(screen.getByRole('timer').textContent).not.toBe('00:00'))
    expect(asksBeforeClosing()).toBe(true)
    await scene.user.click(await row(/Mariana/))
    await heading('Mariana')
    return scene
  }

  it('waits in its conversation when another one is opened, and goes to its contact', async () => {
    const { user, state } = await record()
    expect(await screen.findByText('A gravação ficou guardada')).toBeDefined()
    expect(screen.queryByRole('group', { name: 'Gravação guardada' })).toBeNull()
    expect(asksBeforeClosing()).toBe(true)
    await user.click(await row(/Rafaela/))
    await user.click(await screen.findByRole('button', { name: 'Enviar gravação' }))
    await waitFor(() => expect(state.sent).toHaveLength(1))
    expect(state.sent[0]).toMatchObject({ contactId: 'rafaela', media: { as: 'voice' } })
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Gravação guardada' })).toBeNull())
  })

  it('is thrown away only by whoever asks for it', async () => {
    const { user, state } = await record()
    await user.click(await row(/Rafaela/))
    await user.click(await screen.findByRole('button', { name: 'Descartar' }))
    expect(screen.queryByRole('group', { name: 'Gravação guardada' })).toBeNull()
    await waitFor(() => expect(asksBeforeClosing()).toBe(false))
    expect(state.sent).toEqual([])
  })
})
