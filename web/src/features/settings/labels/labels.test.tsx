import type { Label } from '@prosa/contracts/http/labels'
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

const vip: Label = { id: 'a', name: 'VIP', colour: 'green' }
const late: Label = { id: 'b', name: 'Atraso', colour: 'red' }

let stored: Label[] = []
let asked: unknown[] = []

beforeEach(() => {
  stored = [late, vip]
  asked = []
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/labels', () => HttpResponse.json(stored)),
    http.post('/api/labels', async ({ request }) => {
      const body = (await request.json()) as Omit<Label, 'id'>
      asked.push(body)
      const label = { id: 'new', ...body }
      stored = [...stored, label]
      return HttpResponse.json(label, { status: 201 })
    }),
    http.patch('/api/labels/:id', async ({ params, request }) => {
      const body = (await request.json()) as Partial<Label>
      asked.push(body)
      stored = stored.map((label) => (label.id === params.id ? { ...label, ...body } : label))
      return HttpResponse.json(stored.find(({ id }) => id === params.id))
    }),
    http.delete('/api/labels/:id', ({ params }) => {
      asked.push(params.id)
      stored = stored.filter(({ id }) => id !== params.id)
      return HttpResponse.json({ id: params.id })
    }),
  )
})

const open = () => renderApp('/settings?secao=etiquetas')
const toasts = () => within(screen.getByLabelText('Avisos (F8)'))
const list = async () => within(await screen.findByRole('list', { name: 'Etiquetas' }))

describe('Etiquetas', () => {
  it('shows every label, and how many there may be', async () => {
    open()
    expect((await list()).getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'AtrasoPor quê?Cor',
      'VIPPor quê?Cor',
    ])
    expect(screen.getByText(/^2 etiquetas de até 100\./)).toBeTruthy()
  })

  it('says why a label has its colour, asked for that one label of the account', async () => {
    const answers: string[] = []
    prosaServer.use(
      http.get('/api/history/:kind/:id/why/:field', ({ request }) => {
        const { pathname, search } = new URL(request.url)
        answers.push(pathname + search)
        return refuse('value_not_set')
      }),
    )
    open()
    await userEvent.click((await list()).getByRole('button', { name: 'Por quê? Cor de VIP' }))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).not.toBe('')
    expect(answers).toEqual([`/api/history/label/${anUser.id}/why/colour?part=a`])
  })

  it('creates a label in a colour of the palette', async () => {
    stored = []
    open()
    expect(await screen.findByText('Nenhuma etiqueta ainda')).toBeTruthy()
    await userEvent.click(screen.getByText('Nova Etiqueta'))
    await userEvent.type(screen.getByLabelText('Nome'), '  Orçamento ')
    expect(within(screen.getByRole('radiogroup')).getAllByRole('radio')).toHaveLength(10)
    await userEvent.click(screen.getByRole('radio', { name: 'Azul' }))
    expect(screen.getByText('Cor: Azul')).toBeTruthy()
    await userEvent.click(screen.getByText('Criar'))
    expect(await toasts().findByText('Etiqueta criada com sucesso!')).toBeTruthy()
    expect(asked).toEqual([{ name: 'Orçamento', colour: 'blue' }])
    expect((await list()).getByText('Orçamento')).toBeTruthy()
  })

  it('asks for a name before it asks the server', async () => {
    open()
    await userEvent.click(await screen.findByText('Nova Etiqueta'))
    await userEvent.type(screen.getByLabelText('Nome'), '  ')
    await userEvent.click(screen.getByText('Criar'))
    expect(await screen.findByText('Dê um nome à etiqueta.', { selector: '.field-error' })).toBeTruthy()
    expect(asked).toEqual([])
  })

  it.each([
    ['label_name_taken', 'Já existe uma etiqueta com este nome.'],
    ['too_many_labels', 'Você já tem 100 etiquetas. Exclua uma para criar outra.'],
  ] as const)(
    'shows at the field that the server refused it (%s), and keeps what was written',
    async (type, sentence) => {
      prosaServer.use(http.post('/api/labels', () => refuse(type)))
      open()
      await userEvent.click(await screen.findByText('Nova Etiqueta'))
      await userEvent.type(screen.getByLabelText('Nome'), 'vip')
      await userEvent.click(screen.getByText('Criar'))
      expect(await screen.findByText(sentence, { selector: '.field-error' })).toBeTruthy()
      expect(screen.getByLabelText('Nome')).toHaveProperty('value', 'vip')
    },
  )

  it('renames a label and gives it another colour', async () => {
    open()
    await userEvent.click((await list()).getByLabelText('Editar VIP'))
    await userEvent.clear(screen.getByLabelText('Nome'))
    await userEvent.type(screen.getByLabelText('Nome'), 'Fiel')
    await userEvent.click(screen.getByRole('radio', { name: 'Rosa' }))
    await userEvent.click(screen.getByText('Salvar'))
    expect(await toasts().findByText('Etiqueta atualizada com sucesso!')).toBeTruthy()
    expect(asked).toEqual([{ name: 'Fiel', colour: 'pink' }])
    expect((await list()).getByText('Fiel')).toBeTruthy()
  })

  it('deletes a label only after asking', async () => {
    open()
    await userEvent.click((await list()).getByLabelText('Excluir VIP'))
    expect(screen.getByText('A etiqueta sai de todos os contatos. As conversas ficam como estão.')).toBeTruthy()
    expect(asked).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Excluir' }))
    expect(await toasts().findByText('Etiqueta excluída com sucesso!')).toBeTruthy()
    await waitFor(async () => expect((await list()).queryByText('VIP')).toBeNull())
  })

  it('offers to try again when they could not be read', async () => {
    prosaServer.use(http.get('/api/labels', () => refuse('unexpected'), { once: true }))
    open()
    expect(await screen.findByText('As etiquetas não puderam ser lidas')).toBeTruthy()
    await userEvent.click(screen.getByText('Tentar de novo'))
    expect((await list()).getByText('VIP')).toBeTruthy()
  })
})
