import type { ListedProject } from '@prosa/contracts/http/administration/admin-lists'
import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { anUser, prosaServer, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../admin-page.tsx'

withProsaServer()

const project: ListedProject = {
  id: 'a',
  name: 'Boas-vindas',
  createdAt: '2026-11-16T12:00:00.000Z',
  status: 'active',
  isSample: false,
  account: { id: 'u', name: 'Marina Azevedo', email: 'marina@padaria.com.br' },
}

it('lists the flows of all accounts, running or not, also of an account that was erased', async () => {
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, roles: ['admin'] })),
    http.get('/api/admin/summary', () => new HttpResponse(null, { status: 503 })),
    http.get('/api/admin/projects', () =>
      HttpResponse.json({
        items: [project, { ...project, id: 'b', name: 'Pesquisa', status: 'paused', account: null }],
        nextCursor: null,
      }),
    ),
  )
  renderApp('/admin?aba=projetos')
  const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr') ?? document.body)
  const cells = async (name: string) => (await rowOf(name)).getAllByRole('cell').map(({ textContent }) => textContent)
  expect(await cells('Boas-vindas')).toEqual(['AtivoPor quê?', 'Marina Azevedo', '16/11/2026', ''])
  expect(await cells('Pesquisa')).toEqual(['PausadoPor quê?', 'Conta excluída', '16/11/2026', ''])
})
