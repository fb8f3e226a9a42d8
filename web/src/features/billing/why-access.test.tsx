import type { WhyAnswer } from '@prosa/contracts/http/history'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../test/prosa-server.ts'
import { renderApp } from '../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../app/app-shell.tsx'
import './billing-page.tsx'
import '../../components/why/why-popover.tsx'

withProsaServer()

const answer: WhyAnswer = {
  label: 'Acesso até',
  before: '01/12/2026',
  after: '25/12/2026',
  entry: {
    id: '7f1c8a52-6c3e-4a4e-8b5d-2f0d9b6a1c33',
    type: 'AccessGranted',
    at: '2026-11-24T15:00:00.000Z',
    depth: 0,
    icon: 'access',
    text: 'O pedido ABC1234 vale: acesso até 25/12/2026',
    actor: { kind: 'system', id: null, name: 'Sistema' },
    reason: null,
    rule: 'dias do plano: 23/12/2026; Kiwify: 25/12/2026; vale o mais tardio: 25/12/2026',
    differences: [],
    records: [],
  },
  causes: [
    { text: 'Kiwify aprovou o pedido ABC1234', at: '2026-11-24T14:59:00.000Z' },
    { text: 'um aviso da Kiwify', at: null },
  ],
}

let asked: string[]
beforeEach(() => {
  asked = []
  prosaServer.use(
    http.get('*/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('*/api/history/:kind/:id/why/:field', ({ request }) => {
      asked.push(new URL(request.url).pathname)
      return HttpResponse.json(answer)
    }),
  )
})

describe('“Por quê?”', () => {
  it('answers with who, when, because of what, by which rule, before and after, and gives the focus back', async () => {
    renderApp('/billing?aba=plano')
    const button = await screen.findByRole('button', { name: 'Por quê? Acesso até' })
    await userEvent.click(button)
    const dialog = await screen.findByRole('dialog', { name: 'Acesso até: 25/12/2026' })
    for (const text of [answer.entry.text, 'Sistema', answer.entry.rule ?? '', '01/12/2026', 'um aviso da Kiwify'])
      expect(within(dialog).getAllByText(text).length).toBeGreaterThan(0)
    expect(within(dialog).queryByText(/^Kiwify aprovou o pedido ABC1234 \(/)).not.toBeNull()
    expect(asked).toHaveLength(1)
    // Subscribers have no tab of the platform's history.
    expect(within(dialog).queryByRole('link')).toBeNull()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(button)
  })

  it('says that nothing is known, in the server’s words', async () => {
    prosaServer.use(http.get('*/api/history/:kind/:id/why/:field', () => refuse('value_not_set')))
    renderApp('/billing?aba=plano')
    await userEvent.click(await screen.findByRole('button', { name: 'Por quê? Status da assinatura' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Nenhum acontecimento que você possa ver')
  })
})
