import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { anUser, prosaServer, withProsaServer } from '../../test/prosa-server.ts'
import { renderApp } from '../../test/render-app.tsx'

withProsaServer()

it('leads everywhere from the menu of a narrow screen, and gives the focus back when it is closed', async () => {
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/whatsapp/sessions', () => HttpResponse.json([])),
  )
  const user = userEvent.setup()
  renderApp('/settings')
  await screen.findByRole('heading', { name: 'Configurações' })
  const opens = screen.getByRole('button', { name: 'Abrir menu' })
  const menu = () => screen.findByRole('dialog', { name: 'Menu' })

  await user.click(opens)
  await menu()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(opens))

  await user.click(opens)
  await user.click(within(await menu()).getByRole('link', { name: 'WhatsApp Sessions' }))
  await screen.findByRole('heading', { name: 'WhatsApp Sessions' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('lets the keyboard skip the navigation', async () => {
  prosaServer.use(http.get('/api/auth/user', () => HttpResponse.json(anUser)))
  renderApp('/profile')
  await screen.findByRole('link', { name: 'Suporte' })
  // The first is this test's own button for going back.
  await userEvent.tab()
  await userEvent.tab()
  const skip = screen.getByRole('link', { name: 'Pular para o conteúdo' })
  expect(document.activeElement).toBe(skip)
  await userEvent.keyboard('{Enter}')
  expect(document.activeElement).toBe(screen.getByRole('main'))
  // It takes the focus this once.
  skip.focus()
  expect(screen.getByRole('main').hasAttribute('tabindex')).toBe(false)
})
