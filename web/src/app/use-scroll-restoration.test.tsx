import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { anUser, prosaServer, withProsaServer } from '../../test/prosa-server.ts'
import { renderApp } from '../../test/render-app.tsx'

withProsaServer()

const scrollTo = (top: number) => {
  const frame = screen.getByRole('main')
  frame.scrollTop = top
  frame.dispatchEvent(new Event('scroll'))
}

it('opens a screen at its top, and goes back to where one was', async () => {
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/whatsapp/sessions', () => HttpResponse.json([])),
  )
  renderApp('/settings')
  await screen.findByRole('heading', { name: 'Configurações' })
  scrollTo(400)
  await userEvent.click(screen.getByRole('link', { name: 'WhatsApp Sessions' }))
  await screen.findByRole('heading', { name: 'WhatsApp Sessions' })
  expect(screen.getByRole('main').scrollTop).toBe(0)
  await userEvent.click(screen.getByRole('button', { name: 'Voltar do navegador' }))
  await screen.findByRole('heading', { name: 'Configurações' })
  expect(screen.getByRole('main').scrollTop).toBe(400)
})
