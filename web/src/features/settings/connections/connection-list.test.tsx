import type { Connection } from '@prosa/contracts/http/connections'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { aConnection, anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../settings-page.tsx'

withProsaServer()

const qrCode = 'data:image/png;base64,iVBORw0KGgo='

let stored: Connection[] = []

beforeEach(() => {
  stored = []
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/whatsapp/connections', () => HttpResponse.json(stored)),
  )
})

const openSettings = async () => {
  renderApp('/settings')
  await screen.findByRole('heading', { name: 'Conexões' })
}

describe('the list of connections', () => {
  it('shows why a line is down and since when', async () => {
    stored = [
      aConnection({
        status: 'error',
        statusReason: 'O WhatsApp recusou este número.',
        statusSince: new Date(2026, 10, 21, 11, 30).toISOString(),
        serverTime: new Date(2026, 10, 21, 11, 32).toISOString(),
      }),
    ]
    await openSettings()
    expect(await screen.findByText('O WhatsApp recusou este número. Desde hoje, 11:30.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Atualizar' })).toBeTruthy()
  })

  it('shows since when a line is lost and that nothing will be missed', async () => {
    stored = [
      aConnection({
        phoneNumber: '5511988776655',
        statusSince: new Date(2026, 10, 21, 11, 30).toISOString(),
        serverTime: new Date(2026, 10, 21, 11, 32).toISOString(),
      }),
    ]
    await openSettings()
    expect(
      await screen.findByText(
        'Seu WhatsApp perdeu a conexão às 11:30. As mensagens que chegarem serão recebidas assim que ele voltar.',
      ),
    ).toBeTruthy()
  })

  it('promises no return of a number that must be linked anew', async () => {
    stored = [aConnection({ phoneNumber: '5511988776655', qrDeadline: '2026-11-21T14:33:40.000Z' })]
    await openSettings()
    expect(await screen.findByText('Estabelecendo conexão...')).toBeTruthy()
    expect(screen.queryByText(/perdeu a conexão/)).toBeNull()
    expect(screen.getByRole('button', { name: 'Atualizar' })).toBeTruthy()
  })

  it('shows the new QR code to whoever asks for one after the last expired', async () => {
    prosaServer.use(
      http.post('/api/whatsapp/connections/:id/refresh', ({ params }) => {
        stored = [aConnection({ status: 'qr_ready', qrCode, qrDeadline: '2026-11-21T14:33:40.000Z' })]
        return HttpResponse.json({ id: params.id })
      }),
    )
    stored = [aConnection({ status: 'inactive' })]
    await openSettings()
    expect(await screen.findByText(/Gere um novo para conectar\./)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Atualizar' }))
    expect(await within(await screen.findByRole('dialog')).findByAltText(/QR Code/)).toHaveProperty('src', qrCode)
  })

  it('opens nothing when no new QR code could be asked for', async () => {
    prosaServer.use(http.post('/api/whatsapp/connections/:id/refresh', () => refuse('unexpected')))
    stored = [aConnection({ status: 'inactive' })]
    await openSettings()
    await userEvent.click(await screen.findByRole('button', { name: 'Atualizar' }))
    expect(await screen.findByText(/Falha ao atualizar conexão/)).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('offers no new QR code for a number that is just being linked', async () => {
    stored = [aConnection({ status: 'authenticated', phoneNumber: '5511988776655' })]
    await openSettings()
    expect(await screen.findByText('Autenticado')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Ações de Loja do centro' }))
    expect(screen.queryByText('Atualizar')).toBeNull()
  })

  it('removes a connection only after asking', async () => {
    const removed: string[] = []
    prosaServer.use(
      http.delete('/api/whatsapp/connections/:id', ({ params }) => {
        removed.push(String(params.id))
        stored = []
        return HttpResponse.json({ id: params.id })
      }),
    )
    stored = [aConnection({ status: 'connected', phoneNumber: '5511988776655' })]
    await openSettings()
    await userEvent.click(await screen.findByRole('button', { name: 'Ações de Loja do centro' }))
    await userEvent.click(screen.getByRole('menuitem', { name: 'Excluir' }))
    expect(removed).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Excluir' }))
    expect(await screen.findByText('Nenhuma conexão ainda')).toBeTruthy()
    expect(removed).toEqual([aConnection().id])
  })

  it('offers to disconnect only what is connected or about to be', async () => {
    stored = [aConnection({ status: 'inactive' })]
    await openSettings()
    await userEvent.click(await screen.findByRole('button', { name: 'Ações de Loja do centro' }))
    expect(screen.queryByRole('menuitem', { name: 'Desconectar' })).toBeNull()
  })

  it.each([
    ['Desconectar', 'Desconectar WhatsApp', 'Falha ao desconectar. Tente novamente.'],
    ['Excluir', 'Excluir conexão', 'Falha ao excluir conexão. Tente novamente.'],
  ])('shows that %s did not work, and leaves the connection as it was', async (verb, question, notice) => {
    prosaServer.use(
      http.post('/api/whatsapp/connections/:id/disconnect', () => refuse('unexpected')),
      http.delete('/api/whatsapp/connections/:id', () => refuse('unexpected')),
    )
    stored = [aConnection({ status: 'connected', phoneNumber: '5511988776655' })]
    await openSettings()
    await userEvent.click(await screen.findByRole('button', { name: 'Ações de Loja do centro' }))
    await userEvent.click(screen.getByRole('menuitem', { name: verb }))
    await userEvent.click(within(screen.getByRole('dialog', { name: question })).getByRole('button', { name: verb }))
    expect(await screen.findByText(notice)).toBeTruthy()
    expect(await screen.findByRole('button', { name: 'Ações de Loja do centro' })).toBeTruthy()
  })

  it('shows that it could not be read, and tries again', async () => {
    prosaServer.use(http.get('/api/whatsapp/connections', () => refuse('unexpected'), { once: true }))
    stored = [aConnection({ status: 'inactive' })]
    await openSettings()
    expect(await screen.findByText('As conexões não puderam ser lidas')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }))
    expect(await screen.findByRole('heading', { name: 'Loja do centro' })).toBeTruthy()
  })
})
