import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../test/prosa-server.ts'
import { renderApp } from '../../../test/render-app.tsx'
import { currentUserQuery } from '../../lib/account/current-user.ts'

withProsaServer()

const toasts = () => within(screen.getByRole('region', { name: /Avisos/ }))
let user = anUser
let bodies: unknown[] = []
beforeEach(() => {
  user = anUser
  bodies = []
  prosaServer.use(http.get('/api/auth/user', () => HttpResponse.json(user)))
})

const accepts = (path: string, reply: object) =>
  prosaServer.use(
    http.put(path, async ({ request }) => {
      const body = await request.json()
      bodies.push(body)
      if (path === '/api/auth/user') user = { ...user, ...(body as object) }
      return HttpResponse.json(reply)
    }),
  )

describe('the profile', () => {
  it('is reached from the person’s menu and shows who is signed in', async () => {
    renderApp('/')
    await userEvent.click(await screen.findByRole('button', { name: 'Menu de Marina Azevedo' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Perfil' }))
    expect(await screen.findByLabelText('Nome')).toHaveProperty('value', 'Marina')
    expect(screen.getByLabelText('Sobrenome')).toHaveProperty('value', 'Azevedo')
    expect(screen.getByLabelText('Email')).toHaveProperty('value', anUser.email)
  })

  it('is saved, and every screen knows the new name', async () => {
    accepts('/api/auth/user', { id: anUser.id })
    renderApp('/profile')
    const name = await screen.findByLabelText('Nome')
    await userEvent.clear(name)
    await userEvent.type(name, 'Mari')
    await userEvent.click(screen.getByRole('button', { name: 'Salvar alterações' }))
    expect(await toasts().findByText('Perfil atualizado')).toBeTruthy()
    expect(toasts().getByText('Suas informações foram atualizadas com sucesso.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Menu de Mari Azevedo' })).toBeTruthy()
    expect(bodies).toEqual([{ firstName: 'Mari', lastName: 'Azevedo', email: anUser.email }])
  })

  it('is saved, and shown to be, also when it cannot be read again at the moment', async () => {
    accepts('/api/auth/user', { id: anUser.id })
    renderApp('/profile')
    await screen.findByLabelText('Nome')
    prosaServer.use(http.get('/api/auth/user', () => refuse('unavailable')))
    await userEvent.click(screen.getByRole('button', { name: 'Salvar alterações' }))
    expect(await toasts().findByText('Perfil atualizado')).toBeTruthy()
    expect(toasts().queryByText('Erro')).toBeNull()
  })

  it('shows at the field and in a toast what the server refused', async () => {
    const errors = [{ field: 'email', message: 'Já existe uma conta com este e-mail.' }]
    prosaServer.use(http.put('/api/auth/user', () => refuse('email_taken', errors)))
    renderApp('/profile')
    await userEvent.click(await screen.findByRole('button', { name: 'Salvar alterações' }))
    expect(await toasts().findByText('Já existe uma conta com este e-mail.')).toBeTruthy()
    expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email')))
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContain(
      'Já existe uma conta com este e-mail.',
    )
  })
})

describe('the picture', () => {
  const address = '/api/profile-photos/9b1f6c5e-2d3a-4e8b-9c7d-5a4f3e2d1c0b'
  const file = (size: number, name = 'eu.jpg') => new File([new Uint8Array(size)], name, { type: 'image/jpeg' })
  const choose = async (photo: File) => userEvent.upload(await screen.findByLabelText('Foto do perfil'), photo)

  it('is sent as it is, and can be removed once it is there', async () => {
    let sentAs: string | null = null
    prosaServer.use(
      http.put('/api/auth/photo', ({ request }) => {
        sentAs = request.headers.get('content-type')
        user = { ...user, profileImageUrl: address }
        return HttpResponse.json({ profileImageUrl: address })
      }),
      http.delete('/api/auth/photo', () => {
        user = { ...user, profileImageUrl: null }
        return HttpResponse.json({ profileImageUrl: null })
      }),
    )
    renderApp('/profile')
    expect(await screen.findByText('JPG, PNG ou GIF. Máximo 5MB.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Remover foto' })).toBeNull()
    await choose(file(1000))
    expect(await toasts().findByText('Sua foto foi trocada.')).toBeTruthy()
    expect(sentAs).toBe('application/octet-stream')
    await userEvent.click(await screen.findByRole('button', { name: 'Remover foto' }))
    expect(await toasts().findByText('Sua foto foi removida.')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Remover foto' })).toBeNull())
  })

  it('that is too large is not sent, and refused at its field', async () => {
    renderApp('/profile')
    await choose(file(5 * 1024 * 1024 + 1))
    expect((await screen.findByText('A foto é grande demais: o máximo é 5 MB.')).getAttribute('role')).toBe('alert')
  })

  it('that the server cannot take is refused at its field, until another one is chosen', async () => {
    prosaServer.use(http.put('/api/auth/photo', () => refuse('photo_type_refused')))
    renderApp('/profile')
    await choose(file(10, 'programa.jpg'))
    expect(await screen.findByText('Este arquivo não é uma foto em JPG, PNG ou GIF.')).toBeTruthy()
    await choose(file(0))
    expect(await screen.findByText('O arquivo está vazio.')).toBeTruthy()
    expect(screen.queryByText('Este arquivo não é uma foto em JPG, PNG ou GIF.')).toBeNull()
  })
})

describe('another e-mail', () => {
  const form = async () =>
    within((await screen.findByRole('heading', { name: 'Seus dados' })).closest('section') ?? document.body)

  it('asks for the password, and only then', async () => {
    accepts('/api/auth/user', { id: anUser.id })
    renderApp('/profile')
    const { getByLabelText, queryByLabelText, getByText, getByRole } = await form()
    expect(queryByLabelText('Senha atual')).toBeNull()
    await userEvent.clear(getByLabelText('Email'))
    await userEvent.type(getByLabelText('Email'), ` ${anUser.email.toUpperCase()}`)
    expect(queryByLabelText('Senha atual')).toBeNull()
    await userEvent.clear(getByLabelText('Email'))
    await userEvent.type(getByLabelText('Email'), 'mari@example.com')
    expect(getByText('Para trocar o e-mail, confirme sua senha.')).toBeTruthy()
    await userEvent.type(getByLabelText('Senha atual'), 'segredo1')
    await userEvent.click(getByRole('button', { name: 'Salvar alterações' }))
    expect(await toasts().findByText('Perfil atualizado')).toBeTruthy()
    const { firstName, lastName } = anUser
    expect(bodies).toEqual([{ firstName, lastName, email: 'mari@example.com', currentPassword: 'segredo1' }])
    await waitFor(() => expect(queryByLabelText('Senha atual')).toBeNull())
  })

  it('stays away while the password is wrong, which stands at its field', async () => {
    const errors = [{ field: 'currentPassword', message: 'A senha atual não confere.' }]
    prosaServer.use(http.put('/api/auth/user', () => refuse('wrong_current_password', errors)))
    renderApp('/profile')
    const { getByLabelText, getByRole } = await form()
    await userEvent.type(getByLabelText('Email'), '.br')
    await userEvent.type(getByLabelText('Senha atual'), 'errada')
    await userEvent.click(getByRole('button', { name: 'Salvar alterações' }))
    await waitFor(() => expect(getByLabelText('Senha atual').getAttribute('aria-invalid')).toBe('true'))
    await waitFor(() => expect(document.activeElement).toBe(getByLabelText('Senha atual')))
  })
})

describe('the password', () => {
  const write = async (current: string, next: string, again: string) => {
    await userEvent.type(await screen.findByLabelText('Senha atual'), current)
    await userEvent.type(screen.getByLabelText('Nova senha'), next)
    await userEvent.type(screen.getByLabelText('Confirmar nova senha'), again)
    await userEvent.click(screen.getByRole('button', { name: 'Trocar senha' }))
  }

  it('is changed, and the form is empty again', async () => {
    accepts('/api/auth/password', { passwordSet: true })
    renderApp('/profile')
    await write('segredo1', 'girafa azul', 'girafa azul')
    expect(await toasts().findByText('Senha trocada')).toBeTruthy()
    expect(bodies).toEqual([{ currentPassword: 'segredo1', newPassword: 'girafa azul' }])
    expect(screen.getByLabelText('Senha atual')).toHaveProperty('value', '')
  })

  it('stays when the new one was written two ways', async () => {
    renderApp('/profile')
    await write('segredo1', 'girafa azul', 'girafa verde')
    expect(await screen.findByText('As senhas não coincidem.')).toBeTruthy()
    expect(screen.getByText('1 campo precisa de atenção.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Confirmar nova senha')))
  })

  it('stays, and so does the person, when the one that is valid now was wrong', async () => {
    const errors = [{ field: 'currentPassword', message: 'A senha atual não confere.' }]
    prosaServer.use(http.put('/api/auth/password', () => refuse('wrong_current_password', errors)))
    renderApp('/profile')
    await write('errada', 'girafa azul', 'girafa azul')
    expect(await toasts().findByText('A senha atual não confere.')).toBeTruthy()
    expect(screen.getByLabelText('Senha atual').getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Senha atual')))
  })
})

describe('the end of the account', () => {
  const ask = async (password: string) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Excluir minha conta' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Excluir sua conta?' }))
    expect(dialog.getByRole('button', { name: 'Excluir para sempre' })).toHaveProperty('disabled', true)
    await userEvent.type(dialog.getByLabelText('Sua senha'), password)
    await userEvent.selectOptions(dialog.getByLabelText('Por que você vai embora?'), 'Não uso mais')
    expect(dialog.getByRole('button', { name: 'Excluir para sempre' })).toHaveProperty('disabled', true)
    await userEvent.type(dialog.getByLabelText('Para confirmar, digite “apagar”'), 'Apagar')
    await userEvent.click(dialog.getByRole('button', { name: 'Excluir para sempre' }))
    return dialog
  }
  const answers = (reply: () => Response | Promise<Response>) =>
    prosaServer.use(
      http.post('/api/auth/erase-account', async ({ request }) => {
        bodies.push(await request.json())
        return reply()
      }),
    )

  it('needs the password, shows that it is under way, and is shown on the landing page', async () => {
    let letGo: (() => void) | undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    answers(async () => {
      await held
      return HttpResponse.json({ erased: true })
    })
    renderApp('/profile')
    const dialog = await ask('segredo1')
    expect(await dialog.findByRole('progressbar', { name: 'Excluindo a conta' })).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Cancelar' })).toHaveProperty('disabled', true)
    await userEvent.keyboard('{Escape}')
    expect(dialog.getByRole('button', { name: 'Excluindo...' })).toBeTruthy()
    letGo?.()
    expect((await screen.findByText(/^Sua conta foi excluída/)).getAttribute('role')).toBe('status')
    expect(screen.getByRole('heading', { level: 1, name: /Seu cliente chamou/ })).toBeTruthy()
    expect(bodies).toEqual([{ password: 'segredo1', reason: 'unused' }])
  })

  it('is shown on the landing page, and never asked to sign in, when the session ends before the answer comes', async () => {
    let letGo: (() => void) | undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    answers(async () => {
      await held
      return HttpResponse.json({ erased: true })
    })
    const { container, queries } = renderApp('/profile')
    const asked: string[] = []
    const watch = new MutationObserver(() =>
      asked.push(...(container.textContent?.match(/Sua sessão terminou/g) ?? [])),
    )
    watch.observe(container, { childList: true, subtree: true, characterData: true })
    await ask('segredo1')
    prosaServer.use(http.get('/api/auth/user', () => refuse('not_signed_in')))
    await queries.invalidateQueries({ queryKey: currentUserQuery.queryKey })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    letGo?.()
    expect((await screen.findByText(/^Sua conta foi excluída/)).getAttribute('role')).toBe('status')
    watch.disconnect()
    expect(asked).toEqual([])
  })

  it('does not come when the password is wrong: the reason stands at the field, which has the focus', async () => {
    answers(() => refuse('wrong_current_password', [{ field: 'password', message: 'A senha atual não confere.' }]))
    renderApp('/profile')
    const dialog = await ask('errada')
    expect(await dialog.findByText('A senha atual não confere.')).toBeTruthy()
    expect(dialog.getByLabelText('Sua senha').getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Sua senha')))
    await userEvent.click(dialog.getByRole('button', { name: 'Cancelar' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('heading', { name: 'Perfil' })).toBeTruthy()
  })

  it('does not come while the server cannot be reached, and nothing is lost', async () => {
    answers(() => HttpResponse.error())
    renderApp('/profile')
    const dialog = await ask('segredo1')
    expect(await dialog.findByRole('alert')).toBeTruthy()
    expect(await dialog.findByRole('button', { name: 'Excluir para sempre' })).toHaveProperty('disabled', false)
  })
})
