import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../test/prosa-server.ts'
import { renderApp } from '../../../test/render-app.tsx'

withProsaServer()

const toasts = () => within(screen.getByRole('region', { name: /Avisos/ }))
const message = 'Se houver uma conta com este e-mail, o link para redefinir a senha chega em instantes.'

const openDialog = async (email: string) => {
  renderApp('/login')
  if (email) await userEvent.type(await screen.findByLabelText('E-mail'), email)
  await userEvent.click(await screen.findByRole('button', { name: 'Esqueci minha senha' }))
  return within(await screen.findByRole('dialog', { name: 'Esqueci minha senha' }))
}

describe('who forgot the password', () => {
  it('asks for a link with the address that stands in the login, and is asked to look for mail', async () => {
    const bodies: unknown[] = []
    prosaServer.use(
      http.post('/api/auth/forgot-password', async ({ request }) => {
        bodies.push(await request.json())
        return HttpResponse.json({ message })
      }),
    )
    const dialog = await openDialog(anUser.email)
    await userEvent.click(dialog.getByRole('button', { name: 'Enviar link' }))
    expect(await toasts().findByText('Link enviado!')).toBeTruthy()
    expect(toasts().getByText('Verifique seu email para redefinir sua senha.')).toBeTruthy()
    expect(bodies).toEqual([{ email: anUser.email }])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('is not sent to the server without an address', async () => {
    const dialog = await openDialog('')
    await userEvent.click(dialog.getByRole('button', { name: 'Enviar link' }))
    expect(dialog.getByText('Informe seu e-mail.')).toBeTruthy()
  })

  it('reads what went wrong, in the dialog and in a toast', async () => {
    prosaServer.use(http.post('/api/auth/forgot-password', () => new HttpResponse(null, { status: 500 })))
    const dialog = await openDialog(anUser.email)
    await userEvent.click(dialog.getByRole('button', { name: 'Enviar link' }))
    const sentence = 'Não foi possível concluir. Nada do que foi confirmado se perdeu; tente de novo.'
    expect(await dialog.findByText(sentence)).toBeTruthy()
    expect(toasts().getByText(sentence)).toBeTruthy()
  })

  it('follows the link at once where it comes in the reply', async () => {
    const resetLink = `${window.location.origin}/reset-password?token=abc`
    prosaServer.use(http.post('/api/auth/forgot-password', () => HttpResponse.json({ message, resetLink })))
    const dialog = await openDialog(anUser.email)
    await userEvent.click(dialog.getByRole('button', { name: 'Enviar link' }))
    expect(await screen.findByRole('heading', { name: 'Redefinir senha' })).toBeTruthy()
  })

  it('goes back to the login without having asked', async () => {
    const dialog = await openDialog('')
    await userEvent.click(dialog.getByRole('button', { name: 'Cancelar' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('who opened the link', () => {
  const write = async (password: string, again: string) => {
    await userEvent.type(await screen.findByLabelText('Nova senha'), password)
    await userEvent.type(screen.getByLabelText('Confirmar nova senha'), again)
    await userEvent.click(screen.getByRole('button', { name: 'Redefinir senha' }))
  }

  it('sets a new password and goes on to the login', async () => {
    const bodies: unknown[] = []
    prosaServer.use(
      http.post('/api/auth/reset-password', async ({ request }) => {
        bodies.push(await request.json())
        return HttpResponse.json({ passwordSet: true })
      }),
    )
    renderApp('/reset-password?token=abc')
    await write('girafa azul', 'girafa azul')
    expect(await screen.findByRole('heading', { name: 'Senha Redefinida!' })).toBeTruthy()
    expect(toasts().getByText('Senha redefinida!')).toBeTruthy()
    expect(bodies).toEqual([{ token: 'abc', password: 'girafa azul' }])
    await userEvent.click(screen.getByRole('link', { name: 'Fazer Login' }))
    expect(await screen.findByRole('button', { name: 'Entrar' })).toBeTruthy()
  })

  it('gets to the login also in a browser that was signed in until then', async () => {
    prosaServer.use(
      http.get('/api/auth/user', () => HttpResponse.json(anUser)),
      http.post('/api/auth/reset-password', () => HttpResponse.json({ passwordSet: true })),
    )
    renderApp('/reset-password?token=abc')
    await write('girafa azul', 'girafa azul')
    await userEvent.click(await screen.findByRole('link', { name: 'Fazer Login' }))
    expect(await screen.findByRole('button', { name: 'Entrar' })).toBeTruthy()
  })

  it('is shown when the passwords differ or are too short', async () => {
    renderApp('/reset-password?token=abc')
    await write('girafa azul', 'girafa verde')
    expect(screen.getByText('As senhas não coincidem.')).toBeTruthy()
    await userEvent.clear(screen.getByLabelText('Nova senha'))
    await userEvent.type(screen.getByLabelText('Nova senha'), '12345{Enter}')
    expect(screen.getByText('A senha deve ter pelo menos 6 caracteres.')).toBeTruthy()
  })

  it('reads that the link does not hold any more', async () => {
    prosaServer.use(http.post('/api/auth/reset-password', () => refuse('reset_link_invalid')))
    renderApp('/reset-password?token=abc')
    await write('girafa azul', 'girafa azul')
    const sentence = 'Este link não vale mais. Peça outro em “Esqueci minha senha”.'
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    expect(toasts().getByText(sentence)).toBeTruthy()
  })

  it('is shown that half a link is none, and how to go on', async () => {
    renderApp('/reset-password')
    expect(await screen.findByRole('heading', { name: 'Link inválido' })).toBeTruthy()
    expect(toasts().getByText('Token inválido')).toBeTruthy()
    expect(toasts().getByText('Link de redefinição de senha inválido.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Voltar ao login' })).toHaveProperty('pathname', '/login')
  })
})
