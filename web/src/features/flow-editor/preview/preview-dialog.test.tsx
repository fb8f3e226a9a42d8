import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { anUser, prosaServer, withProsaServer } from '../../../../test/prosa-server.ts'
import { flowId, renderPart, someFlow, welcome } from '../testing/flow-part.tsx'
import { PreviewDialog } from './preview-dialog.tsx'

withProsaServer()

beforeEach(() =>
  prosaServer.use(
    http.get('/api/auth/user', () =>
      HttpResponse.json({ ...anUser, company: { ...anUser.company, name: 'Padaria Sol' } }),
    ),
    http.get('/api/contact-fields', () => HttpResponse.json([])),
    http.get('/api/labels', () => HttpResponse.json([])),
    http.get('/api/flows', () => HttpResponse.json([])),
  ),
)

const open = (document: FlowDocument = welcome()) =>
  renderPart(<PreviewDialog flowId={flowId} document={document} onClose={vi.fn()} />)
const rows = () => within(screen.getByRole('list', { name: 'Conversa' })).getAllByRole('listitem')

describe('the dialog Preview', () => {
  it('shows the conversation with the business in the order in which it is read', async () => {
    open()
    expect(await screen.findAllByText('Padaria Sol')).toBeTruthy()
    expect(rows().map(({ textContent }) => textContent)).toEqual([
      'Começa quando o contato escreve qualquer mensagem.',
      'Cliente: Oi',
      'digitando… por 2 segundos',
      'Padaria Sol: Olá, Ana!',
      'Padaria Sol: Quer fazer um pedido?',
      'Cliente: Sim',
      'Se querVerdadeiroFalso',
      'Padaria Sol: Veja o cardápio.',
      'Fim da conversa.',
    ])
  })

  it('follows the way that is pressed, and keeps the focus there', async () => {
    open()
    await userEvent.click(screen.getByRole('button', { name: 'Falso' }))
    expect(screen.getByText('Já chamo alguém.')).toBeTruthy()
    expect(screen.queryByText('Veja o cardápio.')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Falso' }))
    expect(screen.getByText('Se quer: agora segue o caminho Falso.')).toBeTruthy()
  })

  it('is walked through with the arrow keys', async () => {
    open()
    rows()[0]?.focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    expect(document.activeElement).toBe(rows()[2])
    await userEvent.keyboard('{End}')
    expect(document.activeElement).toBe(rows().at(-1))
    await userEvent.keyboard('{ArrowDown}{ArrowUp}')
    expect(document.activeElement).toBe(rows().at(-2))
  })

  it('says what is missing where there is nothing to show', () => {
    open(someFlow([]))
    expect(screen.getByText(/ainda não tem gatilho/)).toBeTruthy()
  })
})
