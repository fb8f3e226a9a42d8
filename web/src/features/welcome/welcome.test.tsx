import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../test/prosa-server.ts'
import { renderApp } from '../../../test/render-app.tsx'

withProsaServer()

const toasts = () => within(screen.getByRole('region', { name: /Avisos/ }))

const signedIn = (status = 200) => {
  prosaServer.use(http.get('/api/auth/user', () => HttpResponse.json(anUser)))
  return HttpResponse.json({ id: anUser.id }, { status })
}

describe('a visitor', () => {
  it.each(['/', '/nao-existe', '/perfil'])('sees the landing page at %s', async (path) => {
    renderApp(path)
    const [entry] = await screen.findAllByRole('link', { name: 'Teste Gratuito' })
    expect(entry).toHaveProperty('pathname', '/register')
    expect(screen.getByRole('link', { name: 'Entrar' })).toHaveProperty('pathname', '/login')
  })

  it.each(['/live-chat', '/billing', '/flow-editor/7'])('signs in at %s, and is there at once', async (path) => {
    renderApp(path)
    expect(await screen.findByRole('tab', { name: 'Entrar' })).toBeTruthy()
  })

  it('reads why a login did not work, in the page and in a toast', async () => {
    prosaServer.use(http.post('/api/auth/login', () => refuse('wrong_credentials')))
    renderApp('/login')
    await userEvent.type(await screen.findByLabelText('E-mail'), 'marina@padaria.com.br')
    await userEvent.type(screen.getByLabelText('Senha'), 'errada')
    await userEvent.click(screen.getByRole('button', { name: 'Entrar' }))
    expect((await screen.findByRole('alert')).textContent).toBe('E-mail ou senha incorretos.')
    expect(toasts().getByText('Erro no login')).toBeTruthy()
    expect(toasts().getByText('E-mail ou senha incorretos.')).toBeTruthy()
  })

  it('is not sent to the server with an empty form', async () => {
    renderApp('/login')
    await userEvent.click(await screen.findByRole('button', { name: 'Entrar' }))
    expect(screen.getByText('Informe seu e-mail.')).toBeTruthy()
    expect(screen.getByLabelText('Senha').getAttribute('aria-invalid')).toBe('true')
  })

  it('enters the signed-in screens after a login', async () => {
    const bodies: unknown[] = []
    prosaServer.use(
      http.post('/api/auth/login', async ({ request }) => {
        bodies.push(await request.json())
        return signedIn()
      }),
    )
    renderApp('/login')
    await userEvent.type(await screen.findByLabelText('E-mail'), anUser.email)
    await userEvent.type(screen.getByLabelText('Senha'), 'segredo1{Enter}')
    expect(await screen.findByRole('heading', { name: 'Olá, Marina' })).toBeTruthy()
    expect(toasts().getByText('Login realizado com sucesso.')).toBeTruthy()
    expect(bodies).toEqual([{ email: anUser.email, password: 'segredo1' }])
  })

  const fillRegistration = async (password: string, confirmPassword: string) => {
    await userEvent.type(await screen.findByLabelText('Nome'), 'Marina')
    await userEvent.type(screen.getByLabelText('Sobrenome'), 'Azevedo')
    await userEvent.type(screen.getByLabelText('E-mail'), 'marina@padaria.com.br')
    await userEvent.type(screen.getByLabelText('Senha'), password)
    await userEvent.type(screen.getByLabelText('Confirmar senha'), confirmPassword)
    await userEvent.click(screen.getByRole('button', { name: 'Criar conta' }))
  }

  it('is registered, and shown so, also when the server cannot answer at once who that is', async () => {
    let isAway = true
    prosaServer.use(
      http.post('/api/auth/register', () => {
        prosaServer.use(http.get('/api/auth/user', () => (isAway ? refuse('unavailable') : HttpResponse.json(anUser))))
        return HttpResponse.json({ id: anUser.id }, { status: 201 })
      }),
    )
    renderApp('/register')
    await fillRegistration('segredo1', 'segredo1')
    await userEvent.click(await screen.findByRole('button', { name: 'Tentar de novo' }))
    expect(toasts().queryByText('Erro ao criar conta')).toBeNull()
    isAway = false
    await userEvent.click(await screen.findByRole('button', { name: 'Tentar de novo' }))
    expect(await screen.findByRole('heading', { name: 'Olá, Marina' })).toBeTruthy()
  })

  it('reads at the field what the server refused of a registration, and one summary', async () => {
    prosaServer.use(
      http.post('/api/auth/register', () =>
        refuse('invalid_request', [{ field: 'email', message: 'Este e-mail é longo demais.' }]),
      ),
    )
    renderApp('/register')
    await fillRegistration('segredo1', 'segredo1')
    const field = await screen.findByText('Este e-mail é longo demais.')
    expect(screen.getByLabelText('E-mail').getAttribute('aria-describedby')).toBe(field.id)
    expect(screen.getByRole('alert').textContent).toBe('Alguns campos precisam de atenção.')
    expect(toasts().getByText('Erro ao criar conta')).toBeTruthy()
  })

  it('reads of an e-mail that is taken at its field, in the summary and in the toast', async () => {
    const message = 'Já existe uma conta com este e-mail.'
    prosaServer.use(http.post('/api/auth/register', () => refuse('email_taken', [{ field: 'email', message }])))
    renderApp('/register')
    await fillRegistration('segredo1', 'segredo1')
    expect(await toasts().findByText(message)).toBeTruthy()
    const described = screen.getByLabelText('E-mail').getAttribute('aria-describedby') ?? ''
    expect(document.getElementById(described)?.textContent).toBe(message)
    expect(screen.getByRole('alert').textContent).toBe(message)
  })

  it.each(['/register', '/login'])('opens terms and privacy policy beside what it writes (%s)', async (path) => {
    renderApp(path)
    if (path === '/login') await userEvent.click(await screen.findByRole('tab', { name: 'Criar Conta' }))
    const links = [await screen.findByRole('link', { name: 'termos de uso' })]
    links.push(screen.getByRole('link', { name: 'política de privacidade' }))
    expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('target')])).toEqual([
      ['/terms', '_blank'],
      ['/privacy', '_blank'],
    ])
  })

  it('begins a registration in its first field', async () => {
    renderApp('/register')
    const first = await screen.findByLabelText('Nome')
    expect(document.activeElement).toBe(first)
  })

  it('is shown when the passwords differ or are too short', async () => {
    renderApp('/register')
    await fillRegistration('segredo1', 'segredo2')
    expect(toasts().getByText('Senhas não coincidem')).toBeTruthy()
    expect(toasts().getByText('As senhas digitadas não são iguais.')).toBeTruthy()
    await userEvent.clear(screen.getByLabelText('Senha'))
    await userEvent.type(screen.getByLabelText('Senha'), '12345{Enter}')
    expect(toasts().getByText('Senha muito curta')).toBeTruthy()
    expect(toasts().getByText('A senha deve ter pelo menos 6 caracteres.')).toBeTruthy()
  })

  it('has an account and is signed in after a registration; the second password stays here', async () => {
    const bodies: unknown[] = []
    prosaServer.use(
      http.post('/api/auth/register', async ({ request }) => {
        bodies.push(await request.json())
        return signedIn(201)
      }),
    )
    renderApp('/register')
    await fillRegistration('segredo1', 'segredo1')
    expect(await screen.findByRole('heading', { name: 'Olá, Marina' })).toBeTruthy()
    expect(toasts().getByText('Conta criada com sucesso!')).toBeTruthy()
    expect(bodies).toEqual([
      {
        firstName: 'Marina',
        lastName: 'Azevedo',
        email: 'marina@padaria.com.br',
        password: 'segredo1',
        acceptedTerms: '2026-11-27',
      },
    ])
  })

  it('finds what it wrote again after a look at the other tab', async () => {
    renderApp('/login')
    await userEvent.type(await screen.findByLabelText('E-mail'), 'marina@padaria.com.br')
    await userEvent.click(screen.getByRole('tab', { name: 'Criar Conta' }))
    await userEvent.type(screen.getByLabelText('Nome'), 'Marina')
    await userEvent.click(screen.getByRole('tab', { name: 'Entrar' }))
    expect(screen.getByLabelText('E-mail')).toHaveProperty('value', 'marina@padaria.com.br')
    await userEvent.click(screen.getByRole('tab', { name: 'Criar Conta' }))
    expect(screen.getByLabelText('Nome')).toHaveProperty('value', 'Marina')
  })

  it('can look at the password while writing it', async () => {
    renderApp('/register')
    const password = await screen.findByLabelText('Senha')
    await userEvent.click(screen.getByRole('button', { name: 'Mostrar: Senha' }))
    expect(password.getAttribute('type')).toBe('text')
    // The label names the next action; `aria-pressed` would contradict it.
    expect(screen.getByRole('button', { name: 'Ocultar: Senha' }).hasAttribute('aria-pressed')).toBe(false)
  })
})

describe('while Prosa cannot be reached', () => {
  it('shows it and offers to try again, which works once it is back', async () => {
    let isAway = true
    prosaServer.use(http.get('/api/auth/user', () => (isAway ? HttpResponse.error() : undefined)))
    renderApp('/')
    expect(await screen.findByText('Sem conexão com o Prosa. Verifique sua internet; nada se perdeu.')).toBeTruthy()
    isAway = false
    await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }))
    expect(await screen.findAllByRole('link', { name: 'Teste Gratuito' })).toHaveLength(2)
  })
})
