import type { Connection } from '@prosa/contracts/http/connections'
import { act, cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aConnection } from '../../../../test/prosa-server.ts'
import { Providers } from '../../../app/providers.tsx'
import { createQueryClient } from '../../../app/query-client.ts'
import { chatServer, someContact } from '../testing/chat-server.ts'
import { renderLiveChat } from '../testing/render-live-chat.tsx'
import { LiveChatBanners } from './live-chat-banners.tsx'

let started: ReturnType<typeof chatServer>['server'] | undefined

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(680)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(340)
})

afterEach(() => {
  vi.restoreAllMocks()
  started?.close()
})

it('shows that too many tabs are open, and shows what arrives all the same', async () => {
  const { server, state } = chatServer({ contacts: [someContact({ id: 'mariana', name: 'Mariana' })] })
  server.listen({ onUnhandledRequest: 'error' })
  started = server
  const { refuse } = renderLiveChat()
  await screen.findByText('Mariana')
  act(() => refuse('too_many_sockets'))
  expect(await screen.findByText(/Feche algumas\. Até lá, esta funciona/, undefined, { timeout: 4000 })).toBeDefined()
  expect(screen.queryByText('Reconectando ao Prosa')).toBeNull()
  state.contacts = [someContact({ id: 'thiago', name: 'Thiago', phone: '5521988776644' }), ...state.contacts]
  expect(await screen.findByText('Thiago', undefined, { timeout: 8000 })).toBeDefined()
})

it('shows that the line is down, that it is back, and shows what arrived meanwhile', async () => {
  const { server, state } = chatServer({ contacts: [someContact({ id: 'mariana', name: 'Mariana' })] })
  server.listen({ onUnhandledRequest: 'error' })
  started = server
  const { push } = renderLiveChat()
  await screen.findByText('Mariana')
  act(() => push('disconnect', 'transport close'))
  expect(screen.queryByText('Reconectando ao Prosa')).toBeNull()
  expect(await screen.findByText('Reconectando ao Prosa')).toBeDefined()

  state.contacts = [someContact({ id: 'thiago', name: 'Thiago', phone: '5521988776644' }), ...state.contacts]
  act(() => {
    push('connect')
    push('resumed', { position: '7', complete: false })
  })
  expect(screen.getByText('Conexão restabelecida')).toBeDefined()
  expect(await screen.findByText('O que chegou nesse meio-tempo já está aqui.')).toBeDefined()
  expect(screen.getByText('Thiago')).toBeDefined()
})

describe('WhatsApp away', () => {
  const shown = (...connections: Connection[]) => {
    render(
      <Providers queries={createQueryClient()}>
        <MemoryRouter>
          <LiveChatBanners connections={connections} />
        </MemoryRouter>
      </Providers>,
    )
    return screen.getAllByRole('status').at(-1)?.textContent ?? ''
  }
  const statusReason = 'Assim diz o servidor.'
  const link = () => screen.queryByRole('link', { name: 'Conectar' })

  const up = aConnection({ id: 'up', name: 'Loja', status: 'connected' })
  const away = (name: string, line: Connection['line'], reason: string | null = statusReason) =>
    aConnection({ id: name, name, status: 'disconnected', line, statusReason: reason })

  it('shows nothing while the only number is up, or one beside it was never linked', () => {
    expect(shown(up)).toBe('')
    cleanup()
    expect(shown(up, away('Nova', 'unused'))).toBe('')
  })

  it('names the number that is down while another one is up, and what is true of its conversations only', () => {
    expect(shown(up, away('Vendas', 'refused'))).toBe(
      'Vendas está desconectadoAssim diz o servidor. O que chegar até conectar de novo pode não aparecer aqui. As respostas por este número esperam por ele.Conectar',
    )
    expect(link()).not.toBeNull()
  })

  it('asks for nothing where the number that is down comes back by itself', () => {
    expect(shown(up, away('Vendas', 'recovering'))).toMatch(/^Vendas está desconectadoO Prosa está reconectando\./)
    expect(link()).toBeNull()
  })

  it('names each of several that are down, with its reason, and counts what would be too many', () => {
    const four = ['Vendas', 'Oficina', 'Matriz', 'Filial'].map((name) => away(name, 'unlinked', `Motivo de ${name}.`))
    expect(shown(up, ...four.slice(0, 2))).toMatch(
      /^Vendas e Oficina estão desconectadosVendas: Motivo de Vendas\. Oficina: Motivo de Oficina\. /,
    )
    cleanup()
    expect(shown(up, ...four)).toMatch(/^Vendas, Oficina, Matriz e mais 1 estão desconectados/)
    expect(link()).not.toBeNull()
  })

  it('names them, too, where none is connected', () => {
    expect(shown(away('Vendas', 'recovering'), away('Oficina', 'paused', 'Bloqueado.'))).toMatch(
      /^WhatsApp desconectadoVendas e Oficina estão desconectados\. Oficina: Bloqueado\. /,
    )
    expect(link()).not.toBeNull()
  })

  it('promises what comes meanwhile only where the line heals by itself, and asks for nothing then', () => {
    expect(shown(aConnection({ line: 'recovering', statusReason }))).toContain('O que chegar aparece aqui')
    expect(link()).toBeNull()
  })

  it.each<[Connection['line'], RegExp]>([
    ['paused', /^WhatsApp desconectadoAssim diz o servidor\. .*pode aparecer só no celular/],
    ['replaced', /Assim diz o servidor\. .*vai para ele e pode não aparecer aqui/],
    ['refused', /Assim diz o servidor\. .*pode não aparecer aqui/],
    ['unlinked', /Assim diz o servidor\. .*pode ficar só no celular.*espera por este número/],
    ['disconnected', /foi desconectado.*pode ficar só no celular.*espera por ele/],
    ['unused', /Conecte um número para receber e responder/],
  ])('shows what becomes of messages where the number is %s, and leads on', (line, words) => {
    const reason = line === 'disconnected' ? null : statusReason
    expect(shown(aConnection({ status: 'disconnected', line, statusReason: reason }))).toMatch(words)
    expect(link()?.getAttribute('href')).toBe('/settings')
  })

  it('claims nothing of a line whose state is not known yet, and asks for nothing', () => {
    expect(shown(aConnection({ status: 'inactive', line: null }))).toBe(
      'WhatsApp desconectadoO que você escrever fica guardado.',
    )
    expect(link()).toBeNull()
  })

  it('shows it where there is no connection at all', () => {
    expect(shown()).toContain('Nenhum número está conectado: o que chegar fica no celular.')
    expect(link()).not.toBeNull()
  })
})
