import type { User } from '@prosa/contracts/http/accounts/auth'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../test/prosa-server.ts'
import { renderApp } from '../../../test/render-app.tsx'

withProsaServer()

const toasts = () => within(screen.getByRole('region', { name: /Avisos/ }))

const signIn = (of: Partial<User> = {}) => {
  const user = { ...anUser, isEmailConfirmed: false, ...of }
  prosaServer.use(http.get('/api/auth/user', () => HttpResponse.json(user)))
  return user
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('a link that confirms an address', () => {
  it('is used with a press, on any device, and sent in the body only', async () => {
    const bodies: unknown[] = []
    prosaServer.use(
      http.post('/api/auth/confirm-email', async ({ request }) => {
        bodies.push([await request.json(), new URL(request.url).search])
        return HttpResponse.json({ emailConfirmed: true })
      }),
    )
    renderApp('/confirm-email?token=abc')
    await screen.findByRole('heading', { name: 'Confirmar seu e-mail' })
    expect(bodies).toEqual([])
    await press('Confirmar e-mail')
    expect(await screen.findByRole('heading', { name: 'E-mail confirmado!' })).toBeTruthy()
    expect(bodies).toEqual([[{ token: 'abc' }, '']])
    expect(screen.getByRole('link', { name: 'Fazer Login' })).toHaveProperty('pathname', '/login')
  })

  it('leads on to the product, which asks no more, where the user is signed in', async () => {
    const user = signIn()
    prosaServer.use(
      http.post('/api/auth/confirm-email', () => {
        user.isEmailConfirmed = true
        return HttpResponse.json({ emailConfirmed: true })
      }),
    )
    renderApp('/confirm-email?token=abc')
    await press('Confirmar e-mail')
    await userEvent.click(await screen.findByRole('link', { name: 'Ir para o Prosa' }))
    await screen.findByRole('heading', { name: 'Olá, Marina' })
    expect(screen.queryByText(/Confirme seu e-mail/)).toBeNull()
  })

  it('that is too old can be replaced at once', async () => {
    signIn()
    prosaServer.use(
      http.post('/api/auth/confirm-email', () => refuse('confirmation_link_expired')),
      http.post('/api/auth/send-confirmation', () => HttpResponse.json({ message: 'Enviamos um link.' })),
    )
    renderApp('/confirm-email?token=abc')
    await press('Confirmar e-mail')
    await screen.findByRole('heading', { name: 'Este link venceu' })
    await press('Enviar outro link')
    expect((await screen.findAllByText('Enviamos um link.')).length).toBeGreaterThan(0)
  })

  it('that is none is called so, with the way to another one', async () => {
    prosaServer.use(http.post('/api/auth/confirm-email', () => refuse('confirmation_link_invalid')))
    renderApp('/confirm-email?token=abc')
    await press('Confirmar e-mail')
    expect(await screen.findByRole('heading', { name: 'Link inválido' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Entrar e pedir outro link' })).toHaveProperty('pathname', '/login')
  })
})

describe('whose address is not confirmed', () => {
  it('is asked where a purchase may wait for it, and looks for mail', async () => {
    const { email } = signIn()
    prosaServer.use(http.post('/api/auth/send-confirmation', () => HttpResponse.json({ message: 'Enviamos um link.' })))
    renderApp('/billing')
    expect(await screen.findByText('Comprou um plano fora do Prosa? Confirme seu e-mail')).toBeTruthy()
    await press('Enviar link')
    expect(await screen.findByText(`Abra o link que enviamos para ${email}.`, { exact: false })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Enviar de novo' })).toBeTruthy()
  })

  it('goes straight to the link where it comes in the reply', async () => {
    signIn()
    const confirmationLink = `${window.location.origin}/confirm-email?token=abc`
    prosaServer.use(
      http.post('/api/auth/send-confirmation', () =>
        HttpResponse.json({ message: 'Enviamos um link.', confirmationLink }),
      ),
    )
    renderApp('/billing')
    await press('Enviar link')
    expect(await screen.findByRole('button', { name: 'Confirmar e-mail' })).toBeTruthy()
  })

  it('is not asked where it has a plan, which needs none', async () => {
    signIn({ isTrial: false })
    renderApp('/billing')
    await screen.findByRole('tab', { name: 'Planos' })
    await screen.findByText('0 de 5.000')
    expect(screen.queryByText(/Confirme seu e-mail/)).toBeNull()
  })

  it('reads why no link can be sent', async () => {
    signIn()
    prosaServer.use(http.post('/api/auth/send-confirmation', () => refuse('mail_not_configured')))
    renderApp('/profile')
    await screen.findByText('E-mail não confirmado')
    await press('Enviar link')
    expect(await toasts().findByText(/O envio de e-mails não está configurado/)).toBeTruthy()
  })
})

describe('whose password an administrator set', () => {
  const write = async (label: string, text: string) => userEvent.type(await screen.findByLabelText(label), text)

  it('sees nothing but the choice of another one, wherever they go, and then the product', async () => {
    const user = signIn({ isEmailConfirmed: true, mustChangePassword: true })
    const bodies: unknown[] = []
    prosaServer.use(
      http.put('/api/auth/password', async ({ request }) => {
        bodies.push(await request.json())
        user.mustChangePassword = false
        return HttpResponse.json({ passwordSet: true })
      }),
    )
    renderApp('/')
    await screen.findByRole('heading', { name: 'Escolha uma nova senha' })
    await write('Senha provisória', 'provisória 9')
    await write('Nova senha', 'girafa azul')
    await write('Confirmar nova senha', 'girafa verde')
    await press('Salvar nova senha')
    expect(screen.getByText('As senhas não coincidem.')).toBeTruthy()
    expect(bodies).toEqual([])
    await userEvent.clear(screen.getByLabelText('Confirmar nova senha'))
    await write('Confirmar nova senha', 'girafa azul')
    await press('Salvar nova senha')
    expect(await screen.findByRole('heading', { name: 'Olá, Marina' })).toBeTruthy()
    expect(bodies).toEqual([{ currentPassword: 'provisória 9', newPassword: 'girafa azul' }])
  })

  it('may leave instead', async () => {
    signIn({ mustChangePassword: true })
    prosaServer.use(http.post('/api/auth/logout', () => HttpResponse.json({ signedOut: true })))
    renderApp('/settings')
    await press('Sair')
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Escolha uma nova senha' })).toBeNull())
  })
})
