import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { anewEachTest } from './testing/anew-each-test.ts'
import { someContact } from './testing/chat-server.ts'
import { resizableScreen } from './testing/layout.ts'
import { openLiveChat } from './testing/open-live-chat.ts'

const address = () => screen.getByLabelText('Endereço').textContent
const heading = (name: string) => screen.findByRole('heading', { level: 2, name })

anewEachTest()

describe('the details of a contact', () => {
  const details = () => screen.findByRole('complementary', { name: 'Detalhes do contato' })
  const stage = async (more: Partial<ReturnType<typeof openLiveChat>['state']> = {}) => {
    const { user, state } = openLiveChat({ contacts: [someContact({ id: 'thiago', name: 'Thiago' })] })
    Object.assign(state, more)
    await user.click(await screen.findByRole('option', { name: /Thiago/ }))
    await heading('Thiago')
    await user.click(screen.getByRole('button', { name: 'Detalhes do contato' }))
    await details()
    return Object.assign(user, { state })
  }

  it('name who attends, with why', async () => {
    const contacts = [someContact({ id: 'thiago', name: 'Thiago', serviceStatus: 'attending' })]
    const { user } = openLiveChat({ contacts }, '/live-chat?contato=thiago&detalhes=')
    const shown = within(await details())
    expect(await shown.findByText('Sol Dias')).toBeTruthy()
    await user.click(shown.getByRole('button', { name: 'Por quê? Quem atende' }))
    expect(await screen.findByText('quem aceita uma conversa que aguarda passa a atendê-la')).toBeTruthy()
  })

  it('are a step of their own where they cover the conversation: closing goes one step back, however often it is pressed', async () => {
    const user = await stage()
    await waitFor(() => expect(address()).toBe('?contato=thiago&detalhes='))
    await user.dblClick(screen.getByRole('button', { name: 'Fechar detalhes' }))
    await waitFor(() => expect(address()).toBe('?contato=thiago'))
    await user.click(await screen.findByRole('button', { name: 'Voltar para as conversas', hidden: true }))
    await waitFor(() => expect(address()).toBe(''))
  })

  it('keep the name that the business gives, and go back to theirs when it is emptied', async () => {
    const user = await stage()
    await user.click(screen.getByRole('button', { name: 'Mudar o nome' }))
    const field = await screen.findByLabelText('Nome do contato')
    await user.clear(field)
    await user.type(field, 'Thiago da obra{Enter}')
    expect(await screen.findByText('No WhatsApp: Thiago')).toBeDefined()
    expect((await screen.findAllByText('Thiago da obra')).length).toBeGreaterThan(0)
    await user.click(screen.getByRole('button', { name: 'Mudar o nome' }))
    await user.clear(await screen.findByLabelText('Nome do contato'))
    await user.click(screen.getByRole('button', { name: 'Salvar nome' }))
    await waitFor(() => expect(screen.queryByText('No WhatsApp: Thiago')).toBeNull())
    await user.click(await screen.findByRole('button', { name: 'Mudar o nome' }))
    await user.type(await screen.findByLabelText('Nome do contato'), '{Escape}')
    expect(await screen.findByRole('button', { name: 'Mudar o nome' })).toBeDefined()
    await details()
  })

  it('keep what was written of a note that could not be saved, and show it', async () => {
    const user = await stage()
    const field = await screen.findByLabelText('Nova nota')
    await user.type(field, 'Paga no fim do mês')
    await user.click(screen.getByRole('button', { name: 'Salvar nota' }))
    expect(await screen.findByRole('list', { name: 'Notas escritas' })).toBeDefined()
    expect(user.state.notes.map(({ text }) => text)).toEqual(['Paga no fim do mês'])
    expect(await screen.findByText(/Marina Alves ·/)).toBeDefined()
    user.state.refuseNote = true
    await user.type(field, 'Não vai dar')
    await user.click(screen.getByRole('button', { name: 'Salvar nota' }))
    expect(await screen.findByText('Este contato já tem 200 notas. Apague uma para escrever outra.')).toBeDefined()
    expect(field).toHaveProperty('value', 'Não vai dar')
  })

  it('keep what is half written when the window becomes wide or narrow, until it is saved or given up', async () => {
    const { resize } = resizableScreen(390)
    const user = await stage()
    await user.click(screen.getByRole('button', { name: 'Mudar o nome' }))
    const name = () => screen.findByLabelText<HTMLInputElement>('Nome do contato')
    const note = () => screen.findByLabelText<HTMLTextAreaElement>('Nova nota')
    await user.clear(await name())
    await user.type(await name(), 'Thiago da obra')
    await user.type(await note(), 'Paga no fim do mês')
    const [narrowName, narrowNote] = [await name(), await note()]
    act(() => resize(1280))
    await waitFor(() => expect(narrowName.isConnected || narrowNote.isConnected).toBe(false))
    expect([(await name()).value, (await note()).value]).toEqual(['Thiago da obra', 'Paga no fim do mês'])

    await user.click(screen.getByRole('button', { name: 'Salvar nota' }))
    await waitFor(async () => expect((await note()).value).toBe(''))
    expect(user.state.notes.map(({ text }) => text)).toEqual(['Paga no fim do mês'])
    await user.type(await name(), '{Escape}')
    act(() => resize(390))
    await user.click(await screen.findByRole('button', { name: 'Mudar o nome' }))
    expect([(await name()).value, (await note()).value]).toEqual(['Thiago', ''])
  })

  it('show own fields as people write them, and take another value, or none, or say why not', async () => {
    const born = { id: 'born', name: 'Nascimento', variable: 'nascimento', type: 'date' } as const
    const city = { id: 'city', name: 'Cidade', variable: 'cidade', type: 'text' } as const
    const user = await stage({ fields: [born, city], fieldValues: [{ fieldId: 'born', value: '1985-03-15' }] })
    const fields = within(await screen.findByRole('region', { name: 'Campos' }))
    expect(await fields.findByText('15/03/1985')).toBeDefined()
    expect(fields.getByText('Vazio')).toBeDefined()
    await user.click(fields.getByRole('button', { name: 'Mudar Cidade' }))
    await user.type(fields.getByLabelText('Cidade'), 'errado{Enter}')
    expect(await fields.findByText('O valor não serve para este campo.')).toBeDefined()
    await user.clear(fields.getByLabelText('Cidade'))
    await user.type(fields.getByLabelText('Cidade'), 'Natal{Enter}')
    expect(await fields.findByText('Natal')).toBeDefined()
    await user.click(fields.getByRole('button', { name: 'Mudar Nascimento' }))
    expect(fields.getByLabelText('Nascimento')).toHaveProperty('value', '15/03/1985')
    await user.clear(fields.getByLabelText('Nascimento'))
    await user.click(fields.getByRole('button', { name: 'Salvar' }))
    await waitFor(() => expect(user.state.fieldValues).toEqual([{ fieldId: 'city', value: 'Natal' }]))
  })

  it('lead to a copy of what is stored about the contact, and show why there is none', async () => {
    const user = await stage()
    await user.click(screen.getByRole('button', { name: 'Exportar dados' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Uma cópia dos dados desta conta já está/)
    expect(user.state.exported).toEqual([{ contactId: 'thiago' }])
  })

  it('close with Esc, which leaves the conversation open', async () => {
    const user = await stage()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(address()).toBe('?contato=thiago'))
    expect(await heading('Thiago')).toBeDefined()
  })
})
