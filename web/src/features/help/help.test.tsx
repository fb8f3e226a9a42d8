import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../test/prosa-server.ts'
import { renderApp } from '../../../test/render-app.tsx'
import { supportAbout } from '../../lib/account/support-address.ts'
import { foundParts } from './articles.ts'
import { foundQuestions, questions } from './questions.ts'

withProsaServer()

let sent: unknown[] = []
beforeEach(() => {
  localStorage.clear()
  sent = []
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/support/channels', () => HttpResponse.json({ email: null, phone: null, chatUrl: null })),
    http.post('/api/support/requests', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ id: anUser.id }, { status: 201 })
    }),
  )
})

const channels = (of: object) =>
  prosaServer.use(
    http.get('/api/support/channels', () => HttpResponse.json({ email: null, phone: null, chatUrl: null, ...of })),
  )

describe('the help centre', () => {
  it('is reached as Suporte and as Ajuda, and with G then A', async () => {
    renderApp('/profile')
    await userEvent.click(await screen.findByRole('link', { name: 'Suporte' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Central de Ajuda' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Menu de Marina Azevedo' }))
    expect((await screen.findByRole('menuitem', { name: 'Ajuda' })).getAttribute('href')).toBe('/help')
    await userEvent.keyboard('{Escape}gs')
    await screen.findByRole('heading', { level: 1, name: 'Configurações' })
    await userEvent.keyboard('ga')
    expect(await screen.findByRole('heading', { level: 1, name: 'Central de Ajuda' })).toBeTruthy()
  })

  it('opens the question, or fills in the message, that the address names, and loses no other message', async () => {
    const asking = { subject: 'Assinar um plano', message: 'Quero assinar o plano Ouro. Como faço para pagar?' }
    const { unmount } = renderApp(supportAbout(asking))
    expect(await screen.findByDisplayValue(asking.subject)).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Enviar mensagem' }))
    await userEvent.keyboard('{Enter}')
    await screen.findByText(/^Mensagem enviada com sucesso!/)
    expect(sent).toEqual([{ ...asking, priority: 'medium' }])
    await userEvent.type(screen.getByLabelText('Assunto'), 'Não conecta')
    unmount()
    renderApp(`${supportAbout(asking)}&pergunta=${questions[2]?.id}`)
    expect(await screen.findByDisplayValue('Não conecta')).toBeTruthy()
    expect(screen.queryByDisplayValue(asking.message)).toBeNull()
  })

  it('answers nine questions, one at a time', async () => {
    renderApp('/help')
    const first = await screen.findByRole('button', { name: questions[0]?.question })
    expect(questions).toHaveLength(9)
    expect(screen.queryByRole('region', { name: questions[0]?.question })).toBeNull()
    await userEvent.click(first)
    expect(first.getAttribute('aria-expanded')).toBe('true')
    expect(screen.getByRole('region', { name: questions[0]?.question }).textContent).toContain('QR Code')
    await userEvent.click(screen.getByRole('button', { name: questions[2]?.question }))
    expect(first.getAttribute('aria-expanded')).toBe('false')
    expect(screen.getByText(/O plano Empresarial é ilimitado\./)).toBeTruthy()
  })

  it('is searched without accents, and shows the way on where nothing is found', async () => {
    expect(foundQuestions('CODIGO camera').map(({ id }) => id)).toEqual(['conectar'])
    expect(foundQuestions('  ')).toEqual(questions)
    renderApp('/help')
    const search = await screen.findByRole('searchbox', { name: 'Buscar nas perguntas' })
    await userEvent.type(search, 'atalho')
    expect(screen.getAllByRole('button', { name: /\?$/ })).toHaveLength(1)
    await userEvent.clear(search)
    await userEvent.type(search, 'boleto')
    expect(screen.getByText('Nenhuma pergunta encontrada')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Limpar a busca' }))
    expect(screen.getByRole('button', { name: questions[5]?.question })).toBeTruthy()
  })

  it('finds what there is about flows, their fields, the queue and pauses, and leads to it', async () => {
    renderApp('/help')
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Buscar nas perguntas' }), 'fluxo')
    expect(screen.getByRole('button', { name: 'Como faço um fluxo parar de falar com um cliente?' })).toBeTruthy()
    const pages = within(screen.getByRole('navigation', { name: 'Nas páginas de ajuda' }))
    for (const title of [
      'Desenhe a conversa',
      'Pergunte e guarde em campos do contato',
      'Entenda a fila',
      'Pause o robô para um contato',
    ])
      expect(pages.getByRole('link', { name: new RegExp(`^${title}`) })).toBeTruthy()
    expect(foundParts('FLUXO pausar robo').map(({ title }) => title)).toEqual(['Pause o robô para um contato'])
    expect(foundParts(' ')).toEqual([])
    await userEvent.click(pages.getByRole('link', { name: /^Entenda a fila/ }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Fluxos de conversa' })).toBeTruthy()
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Entenda a fila'))
  })

  it('leads from each card to a page of its own, and to the documentation of the API', async () => {
    renderApp('/help')
    const cards = (await screen.findByRole('heading', { name: 'Recursos' })).closest('section') ?? document.body
    const links = within(cards).getAllByRole('link', { name: 'Acessar' })
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/help?tema=guia',
      '/help?tema=tutoriais',
      '/help?tema=fluxos',
      '/help?tema=casos',
      '/api/docs',
    ])
    await userEvent.click(links[0] ?? document.body)
    expect(await screen.findByRole('heading', { level: 1, name: 'Guia de início rápido' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Abrir Conexões' }).getAttribute('href')).toBe('/settings')
    await userEvent.click(screen.getByRole('link', { name: 'Central de Ajuda' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Central de Ajuda' })).toBeTruthy()
  })

  it('shows the channels that there are, and no others', async () => {
    channels({ email: 'ajuda@prosa.com.br', phone: '(11) 4002-8922' })
    renderApp('/help')
    const list = within(await screen.findByRole('list', { name: 'Canais de suporte' }))
    expect(list.getByRole('link', { name: 'ajuda@prosa.com.br' }).getAttribute('href')).toBe(
      'mailto:ajuda@prosa.com.br',
    )
    expect(list.getByRole('link', { name: '(11) 4002-8922' }).getAttribute('href')).toBe('tel:1140028922')
    expect(list.queryByText('Segunda a sexta, 9h–18h')).toBeNull()
  })

  it('offers the chat with its hours where there is one', async () => {
    channels({ chatUrl: 'https://wa.me/551140028922' })
    renderApp('/help')
    expect((await screen.findByRole('link', { name: 'Abrir o chat' })).getAttribute('href')).toContain('wa.me')
    expect(screen.getByText('Segunda a sexta, 9h–18h')).toBeTruthy()
  })
})

describe('a message to support', () => {
  const write = async (subject: string, message: string) => {
    await userEvent.type(await screen.findByLabelText('Assunto'), subject)
    await userEvent.type(screen.getByLabelText('Mensagem'), message)
  }
  const press = () => userEvent.click(screen.getByRole('button', { name: 'Enviar mensagem' }))

  it('is sent with its priority, confirmed, and the form is empty again', async () => {
    renderApp('/help')
    await write('Não conecta', 'Leio o código e nada acontece.')
    expect(screen.getByLabelText('Prioridade')).toHaveProperty('value', 'medium')
    await userEvent.selectOptions(screen.getByLabelText('Prioridade'), 'Urgente')
    await press()
    expect(await screen.findByText('Mensagem enviada com sucesso! Responderemos em breve.')).toBeTruthy()
    expect(sent).toEqual([{ subject: 'Não conecta', message: 'Leio o código e nada acontece.', priority: 'urgent' }])
    expect(screen.getByLabelText('Assunto')).toHaveProperty('value', '')
    expect(localStorage.getItem('prosa:support-draft')).toBeNull()
  })

  it('is confirmed where its draft was stored on an earlier visit, too', async () => {
    localStorage.setItem('prosa:owner', anUser.id)
    const draft = { subject: 'Não conecta', message: 'Leio o código e nada acontece.', priority: 'high' }
    localStorage.setItem('prosa:support-draft', JSON.stringify(draft))
    renderApp('/help')
    expect(await screen.findByLabelText('Assunto')).toHaveProperty('value', 'Não conecta')
    await press()
    expect(await screen.findByText('Mensagem enviada com sucesso! Responderemos em breve.')).toBeTruthy()
    expect(sent).toEqual([draft])
  })

  it('needs a subject and a message, with a sentence at each field', async () => {
    renderApp('/help')
    await screen.findByLabelText('Assunto')
    await press()
    expect(screen.getByText('Escreva o assunto.')).toBeTruthy()
    expect(screen.getByText('Escreva a mensagem.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Assunto')))
    expect(sent).toEqual([])
  })

  it('of 100 kB is not cut off but refused as too long, at its field', async () => {
    renderApp('/help')
    await write('Longa', 'x')
    await userEvent.click(screen.getByLabelText('Mensagem'))
    await userEvent.paste('a'.repeat(99_999))
    await press()
    expect(screen.getByText('A mensagem pode ter no máximo 5.000 caracteres, e esta tem 100.000.')).toBeTruthy()
    expect(screen.getByLabelText('Mensagem')).toHaveProperty('value.length', 100_000)
    expect(sent).toEqual([])
  })

  it('stays as it was written when it cannot be sent, and after a reload', async () => {
    prosaServer.use(http.post('/api/support/requests', () => refuse('too_many_attempts')))
    const { unmount } = renderApp('/help')
    await write('Não conecta', 'De novo.')
    await press()
    expect(await screen.findByText('Muitas tentativas. Aguarde alguns minutos e tente de novo.')).toBeTruthy()
    expect(screen.getByLabelText('Mensagem')).toHaveProperty('value', 'De novo.')
    unmount()
    renderApp('/help')
    expect(await screen.findByLabelText('Assunto')).toHaveProperty('value', 'Não conecta')
    expect(screen.getByLabelText('Mensagem')).toHaveProperty('value', 'De novo.')
  })
})
