import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../settings-page.tsx'

withProsaServer()

const pix: QuickReply = { id: 'a', shortcut: 'pix', content: 'Nossa chave é o CNPJ.', isActive: true }
const hours: QuickReply = { id: 'b', shortcut: 'horario', content: 'Abrimos às 8h.', isActive: false }

let stored: QuickReply[] = []
let asked: unknown[] = []

beforeEach(() => {
  stored = [hours, pix]
  asked = []
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/quick-replies', () => HttpResponse.json(stored)),
    http.post('/api/quick-replies', async ({ request }) => {
      const body = (await request.json()) as Omit<QuickReply, 'id'>
      asked.push(body)
      const reply = { id: 'new', ...body }
      stored = [...stored, reply]
      return HttpResponse.json(reply, { status: 201 })
    }),
    http.patch('/api/quick-replies/:id', async ({ params, request }) => {
      const body = (await request.json()) as Partial<QuickReply>
      asked.push(body)
      stored = stored.map((reply) => (reply.id === params.id ? { ...reply, ...body } : reply))
      return HttpResponse.json(stored.find(({ id }) => id === params.id))
    }),
    http.delete('/api/quick-replies/:id', ({ params }) => {
      asked.push(params.id)
      stored = stored.filter(({ id }) => id !== params.id)
      return HttpResponse.json({ id: params.id })
    }),
  )
})

const open = () => renderApp('/settings?secao=respostas-rapidas')
const toasts = () => within(screen.getByLabelText('Avisos (F8)'))
const card = async (shortcut: string) => {
  const item = (await screen.findByText(shortcut, { selector: 'h3' })).closest('li')
  if (!item) throw new Error(`${shortcut} is on no card`)
  return within(item)
}

describe('Respostas Rápidas', () => {
  it('is reached from the side menu, whose other sections are named too', async () => {
    renderApp('/settings')
    await userEvent.click(await screen.findByRole('link', { name: 'Respostas Rápidas' }))
    expect(await card('/pix')).toBeTruthy()
    for (const name of ['Etiquetas', 'Horários', 'Fluxo padrão', 'Conexões']) screen.getByRole('link', { name })
  })

  it('shows every reply with its state, the inactive too', async () => {
    open()
    expect((await card('/pix')).getByText('Ativo')).toBeTruthy()
    expect((await card('/horario')).getByText('Inativo')).toBeTruthy()
    expect(screen.queryByLabelText('Buscar respostas rápidas')).toBeNull()
  })

  it('creates a reply without the slash that people write before it', async () => {
    stored = []
    open()
    expect(await screen.findByText('Nenhuma resposta rápida ainda')).toBeTruthy()
    await userEvent.click(screen.getByText('Nova Resposta Rápida'))
    await userEvent.type(screen.getByLabelText('Atalho'), '/entrega')
    await userEvent.type(screen.getByLabelText('Conteúdo'), ' Entregamos hoje. ')
    await userEvent.click(screen.getByText('Criar'))
    expect(await toasts().findByText('Resposta rápida criada com sucesso!')).toBeTruthy()
    expect(toasts().getByText('Sucesso')).toBeTruthy()
    expect(asked).toEqual([{ shortcut: 'entrega', content: 'Entregamos hoje.', isActive: true }])
    expect((await card('/entrega')).getByText('Entregamos hoje.')).toBeTruthy()
  })

  it('asks for both fields before it asks the server', async () => {
    open()
    await userEvent.click(await screen.findByText('Nova Resposta Rápida'))
    await userEvent.type(screen.getByLabelText('Atalho'), '/')
    await userEvent.click(screen.getByText('Criar'))
    expect(await toasts().findByText('Atalho e conteúdo são obrigatórios')).toBeTruthy()
    expect(toasts().getByText('Erro')).toBeTruthy()
    expect(screen.getByLabelText('Atalho').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByLabelText('Conteúdo').getAttribute('aria-invalid')).toBe('true')
    expect(asked).toEqual([])
  })

  it('shows at the field that a shortcut is taken, and keeps what was written', async () => {
    prosaServer.use(http.patch('/api/quick-replies/:id', () => refuse('shortcut_taken')))
    open()
    await userEvent.click((await card('/pix')).getByLabelText('Editar /pix'))
    await userEvent.type(screen.getByLabelText('Atalho'), '2')
    await userEvent.click(screen.getByText('Salvar'))
    expect(
      await screen.findByText('Já existe uma resposta rápida com este atalho.', { selector: '.field-error' }),
    ).toBeTruthy()
    expect(screen.getByLabelText('Atalho')).toHaveProperty('value', 'pix2')
    expect(
      toasts().getByText('Falha ao atualizar resposta rápida. Já existe uma resposta rápida com este atalho.'),
    ).toBeTruthy()
  })

  it('keeps what was written when somebody clicks beside the dialog', async () => {
    open()
    const beside = () => {
      const backdrop = document.querySelector('.MuiDialog-container')
      if (!backdrop) throw new Error('no dialog is open')
      return backdrop
    }
    await userEvent.click((await card('/pix')).getByLabelText('Editar /pix'))
    await userEvent.type(screen.getByLabelText('Conteúdo'), ' É este.')
    await userEvent.click(beside())
    expect(screen.getByLabelText('Conteúdo')).toHaveProperty('value', 'Nossa chave é o CNPJ. É este.')
    await userEvent.type(screen.getByLabelText('Conteúdo'), '{Backspace>8/}')
    await userEvent.click(beside())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('edits a reply', async () => {
    open()
    await userEvent.click((await card('/pix')).getByLabelText('Editar /pix'))
    await userEvent.clear(screen.getByLabelText('Conteúdo'))
    await userEvent.type(screen.getByLabelText('Conteúdo'), 'A chave mudou.')
    await userEvent.click(screen.getByText('Salvar'))
    expect(await toasts().findByText('Resposta rápida atualizada com sucesso!')).toBeTruthy()
    expect((await card('/pix')).getByText('A chave mudou.')).toBeTruthy()
  })

  it('shows the switch moved at once, and moved back when the server fails', async () => {
    let fail: (() => void) | undefined
    const held = new Promise<void>((resolve) => {
      fail = resolve
    })
    prosaServer.use(
      http.patch('/api/quick-replies/:id', async () => {
        await held
        return refuse('unexpected')
      }),
    )
    open()
    const toggle = (await card('/pix')).getByLabelText('Oferecer /pix no bate-papo')
    await userEvent.click(toggle)
    expect(await (await card('/pix')).findByText('Inativo')).toBeTruthy()
    fail?.()
    expect(await toasts().findByText('Falha ao atualizar resposta rápida')).toBeTruthy()
    expect((await card('/pix')).getByText('Ativo')).toBeTruthy()
  })

  it('deletes a reply only after asking', async () => {
    open()
    await userEvent.click((await card('/pix')).getByLabelText('Excluir /pix'))
    expect(screen.getByText('Tem certeza que deseja excluir esta resposta rápida?')).toBeTruthy()
    expect(asked).toEqual([])
    await userEvent.click(screen.getByText('Excluir'))
    expect(await toasts().findByText('Resposta rápida excluída com sucesso!')).toBeTruthy()
    expect(screen.queryByText('/pix')).toBeNull()
    expect(asked).toEqual(['a'])
  })

  it('can be searched, without case and accents, once there are many', async () => {
    stored = [...Array(8).keys()].map((at) => ({
      id: String(at),
      shortcut: `r${at}`,
      content: 'Texto',
      isActive: true,
    }))
    stored = [...stored, { ...hours, content: 'Abrimos às 8h, também no SÁBADO.' }]
    open()
    await userEvent.type(await screen.findByLabelText('Buscar respostas rápidas'), 'sabado')
    expect(screen.getAllByText(/^\//, { selector: 'h3' }).map(({ textContent }) => textContent)).toEqual(['/horario'])
  })

  it('shows it when they cannot be read, and tries again', async () => {
    prosaServer.use(http.get('/api/quick-replies', () => refuse('unexpected'), { once: true }))
    open()
    expect(await screen.findByText('As respostas rápidas não puderam ser lidas')).toBeTruthy()
    await userEvent.click(await screen.findByText('Tentar de novo'))
    expect(await card('/pix')).toBeTruthy()
  })

  it('leaves a reply where it is when it could not be deleted, and shows that', async () => {
    prosaServer.use(http.delete('/api/quick-replies/:id', () => refuse('unexpected')))
    open()
    await userEvent.click((await card('/pix')).getByLabelText('Excluir /pix'))
    await userEvent.click(screen.getByText('Excluir'))
    expect(await toasts().findByText('Falha ao excluir resposta rápida')).toBeTruthy()
    expect(await card('/pix')).toBeTruthy()
  })
})
