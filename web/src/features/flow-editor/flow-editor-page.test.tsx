import { newNode, starterFlow } from '@prosa/contracts/flows/new-node'
import { nodeTypeNames } from '@prosa/contracts/flows/node-name'
import type { OrderedFlow } from '@prosa/contracts/http/automation/flow-order'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { prosaServer, refuse, withProsaServer } from '../../../test/prosa-server.ts'
import { renderApp } from '../../../test/render-app.tsx'
import { savedOnLeaving } from './api.ts'
import { aFlow, flowId, serveFlow, vip } from './testing/flow-server.ts'

// Imported first: compiling must not count towards test timeouts.
import '../../app/app-shell.tsx'
import './canvas/canvas.tsx'
import './dialogs/conflict-dialog.tsx'
import './dialogs/publish-dialog.tsx'
import './dialogs/settings-dialog.tsx'
import './flow-editor-page.tsx'

withProsaServer()

// reactflow needs these, jsdom lacks them; layout is tested in a browser.
beforeAll(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = vi.fn()
      unobserve = vi.fn()
      disconnect = vi.fn()
    },
  )
  Element.prototype.scrollIntoView = vi.fn()
})
afterAll(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(Element.prototype, 'scrollIntoView')
})

// Unmounting saves, so the server must still respond.
afterEach(async () => {
  cleanup()
  await savedOnLeaving(flowId)
  localStorage.clear()
})

const open = async (view?: 'Lista') => {
  const shown = renderApp(`/flow-editor/${flowId}`)
  await screen.findByRole('heading', { name: 'Editor de Fluxo' })
  if (view) await userEvent.click(screen.getByRole('button', { name: view }))
  return shown
}
const toasts = () => within(screen.getByLabelText('Avisos (F8)'))
const openNode = async (name: RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const items = () =>
  within(screen.getByRole('list', { name: 'Passos do fluxo' })).getAllByRole('button', { name: /^\d+\. / })
const titleIn = new RegExp(`^\\d+\\. (${Object.values(nodeTypeNames).join('|')})`)
const titles = () => items().map(({ textContent }) => titleIn.exec(textContent ?? '')?.[0])
const nodeOf = (server: ReturnType<typeof serveFlow>, id: string) =>
  server.savings.at(-1)?.nodes.find((node) => node.id === id)

describe('the page', () => {
  it('names the flow, and leads back', async () => {
    serveFlow()
    await open()
    expect(screen.getByText(`Fluxo ID: ${flowId}`)).toBeTruthy()
    expect(screen.getByText('Boas-vindas')).toBeTruthy()
    expect(screen.getByText('Rascunho')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Voltar' }).getAttribute('href')).toBe('/conversation-flows')
    for (const name of ['Testar', 'Salvar', 'Publicar']) expect(screen.getByRole('button', { name })).toBeTruthy()
  })

  it('draws every step, and has every element and action in the sidebar', async () => {
    serveFlow()
    await open()
    expect(await screen.findByText('O usuário envia uma mensagem', { selector: '.flow-step-text' })).toBeTruthy()
    const sidebar = within(screen.getByRole('complementary', { name: 'Elementos e ações' }))
    for (const name of [
      'Gatilho',
      'Mensagem',
      'Delay',
      'Condição',
      'Pergunta',
      'Etiqueta',
      'Transferir',
      'Outro fluxo',
    ])
      expect(sidebar.getByRole('button', { name })).toBeTruthy()
    for (const name of ['Configurações', 'Preview', 'Versões', 'Execuções'])
      expect(sidebar.getByRole('button', { name })).toBeTruthy()
    for (const name of ['Aumentar o zoom', 'Diminuir o zoom', 'Enquadrar', 'Travar o desenho'])
      expect(screen.getByLabelText(name)).toBeTruthy()
  })

  it('shows that a flow is gone, and where the others are', async () => {
    serveFlow()
    prosaServer.use(http.get('/api/flows/:id', () => refuse('flow_not_found')))
    renderApp(`/flow-editor/${flowId}`)
    expect(await screen.findByText('Este fluxo não existe mais')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Ver os fluxos' })).toBeTruthy()
  })

  it('tries again what could not be read', async () => {
    serveFlow()
    prosaServer.use(http.get('/api/flows/:id', () => refuse('unexpected'), { once: true }))
    renderApp(`/flow-editor/${flowId}`)
    await userEvent.click(await screen.findByRole('button', { name: 'Tentar de novo' }))
    expect(await screen.findByRole('heading', { name: 'Editor de Fluxo' })).toBeTruthy()
  })

  it('shows every key behind "?"', async () => {
    serveFlow()
    await open()
    await userEvent.keyboard('?')
    expect(within(await screen.findByRole('dialog')).getByText('Desfazer')).toBeTruthy()
  })
})

describe('a draft', () => {
  it('is saved when one presses "Salvar", with what is in the panel', async () => {
    const server = serveFlow()
    await open('Lista')
    await openNode(/^2\. Mensagem/)
    const panel = within(screen.getByRole('complementary', { name: 'Propriedades' }))
    await userEvent.clear(panel.getByLabelText('Mensagem'))
    await userEvent.type(panel.getByLabelText('Mensagem'), 'Oi')
    expect(panel.getByText('2/4.096')).toBeTruthy()
    await userEvent.click(panel.getByLabelText('Ativar mensagem'))
    await userEvent.click(screen.getByRole('button', { name: 'Salvar' }))
    expect(await toasts().findByText('Fluxo salvo')).toBeTruthy()
    expect(nodeOf(server, 'resposta')?.data).toMatchObject({ message: 'Oi', enabled: false })
    expect(within(items()[1] as HTMLElement).getByText('Desativado')).toBeTruthy()
    expect(screen.getByText(/^Salvo às \d\d:\d\d$/)).toBeTruthy()
  })

  it('is saved by itself, and when one leaves', async () => {
    const server = serveFlow()
    await open()
    await userEvent.keyboard('3')
    expect(screen.getByText('Salvando…')).toBeTruthy()
    await userEvent.click(screen.getByRole('link', { name: 'Voltar' }))
    await waitFor(() => expect(server.savings.at(-1)?.nodes.map(({ type }) => type)).toContain('delay'))
  })

  it('is undone and done again by keys', async () => {
    serveFlow()
    await open('Lista')
    await userEvent.keyboard('4')
    expect(titles()).toEqual(['1. Gatilho', '2. Mensagem', '3. Condição'])
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
    expect(titles()).toEqual(['1. Gatilho', '2. Mensagem'])
    fireEvent.keyDown(document.body, { key: 'Z', ctrlKey: true, shiftKey: true })
    expect(titles()).toHaveLength(3)
  })

  it('stays in this browser while the server cannot be reached', async () => {
    const server = serveFlow()
    server.isDown = true
    const { unmount } = await open('Lista')
    await userEvent.keyboard('3')
    await userEvent.click(screen.getByRole('button', { name: 'Salvar' }))
    expect(await screen.findByText(/Suas mudanças estão guardadas neste navegador/)).toBeTruthy()
    unmount()
    server.isDown = false
    await open('Lista')
    expect(titles()).toEqual(['1. Gatilho', '2. Mensagem', '3. Delay'])
    await waitFor(() => expect(server.savings).toHaveLength(1))
  })

  it('asks before the page goes only while something is unsaved', async () => {
    serveFlow()
    await open('Lista')
    const leave = () => {
      const event = new Event('beforeunload', { cancelable: true })
      window.dispatchEvent(event)
      return event.defaultPrevented
    }
    expect(leave()).toBe(false)
    await userEvent.keyboard('3')
    expect(leave()).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Salvar' }))
    await toasts().findByText('Fluxo salvo')
    expect(leave()).toBe(false)
  })
})

describe('two windows', () => {
  const meet = async () => {
    const server = serveFlow()
    await open('Lista')
    server.flow = {
      ...server.flow,
      revision: 5,
      document: { ...starterFlow(), nodes: starterFlow().nodes.slice(0, 1), links: [] },
    }
    await userEvent.keyboard('3')
    await userEvent.click(screen.getByRole('button', { name: 'Salvar' }))
    expect(await screen.findByRole('dialog', { name: 'Este fluxo foi mudado em outra janela' })).toBeTruthy()
    expect(server.savings).toEqual([])
    return server
  }

  it('load what the other saved, when that is chosen, after seeing what differs', async () => {
    await meet()
    const differences = within(screen.getByRole('region', { name: /diferente do que está salvo/ }))
    expect(await differences.findByText('Passos novos')).toBeTruthy()
    expect(differences.getByText(/^Delay/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Carregar o que está salvo' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(titles()).toEqual(['1. Gatilho'])
  })

  it('save over it, when that is chosen', async () => {
    const server = await meet()
    await userEvent.click(screen.getByRole('button', { name: 'Salvar o meu por cima' }))
    await waitFor(() => expect(server.savings).toHaveLength(1))
    expect(server.flow.revision).toBe(6)
    expect(titles()).toEqual(['1. Gatilho', '2. Mensagem', '3. Delay'])
  })
})

describe('by keys', () => {
  it('a step that is added has the focus, Enter leads into its first field, and Esc back to it', async () => {
    serveFlow()
    await open()
    await userEvent.keyboard('5')
    await waitFor(() => expect(document.activeElement?.getAttribute('data-step')).toBeTruthy())
    const step = document.activeElement
    await userEvent.keyboard('{Enter}')
    const panel = within(screen.getByRole('complementary', { name: 'Propriedades' }))
    await waitFor(() => expect(document.activeElement).toBe(panel.getByLabelText('Pergunta')))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement?.getAttribute('data-step')).toBe(step?.getAttribute('data-step')))
    expect(screen.queryByRole('complementary', { name: 'Propriedades' })).toBeNull()
  })
})

describe('publishing', () => {
  it('saves first, then publishes what was saved', async () => {
    const server = serveFlow()
    await open('Lista')
    await userEvent.keyboard('3')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    const dialog = within(await screen.findByRole('dialog', { name: 'Publicar a versão 1' }))
    expect(dialog.getByText('Começa quando o contato escreve qualquer mensagem, em todos os números.')).toBeTruthy()
    expect(server.published).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Publicar agora' }))
    expect(await toasts().findByText('Fluxo publicado')).toBeTruthy()
    expect(server.savings).toHaveLength(1)
    expect(server.published).toEqual([2])
    expect(screen.getByText('Ativo')).toBeTruthy()
  })

  it('is refused with what is wrong, each with the way to its step', async () => {
    const server = serveFlow()
    await open('Lista')
    await userEvent.keyboard('6')
    await userEvent.click(screen.getByRole('button', { name: 'Publicar' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Este fluxo tem erros' }))
    expect(dialog.getByText('Escolha uma etiqueta.')).toBeTruthy()
    const [first] = dialog.getAllByRole('button', { name: /^Etiqueta: / })
    await userEvent.click(first as HTMLElement)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const panel = within(screen.getByRole('complementary', { name: 'Propriedades' }))
    await userEvent.selectOptions(await panel.findByLabelText('Etiqueta'), vip.id)
    await userEvent.click(screen.getByRole('button', { name: 'Publicar' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Publicar agora' }))
    expect(await toasts().findByText('Fluxo publicado')).toBeTruthy()
    expect(server.published).toHaveLength(1)
  })

  it('is refused for a circle without a question, which is marked at each of its steps and named by their titles', async () => {
    const at = { x: 0, y: 0 }
    const says = (id: string, message: string) => {
      const node = newNode('message', id, at)
      return { ...node, data: { ...node.data, message } } as typeof node
    }
    const nodes = [newNode('trigger', 'start', at), says('hi', 'Olá!'), newNode('delay', 'rest', at)]
    const link = (source: string, target: string) => ({ id: `${source} ${target}`, source, target, sourceHandle: null })
    const links = [link('start', 'hi'), link('hi', 'rest'), link('rest', 'hi')]
    const server = serveFlow({ document: { ...starterFlow(), nodes, links } })
    await open('Lista')
    await userEvent.click(screen.getByRole('button', { name: 'Publicar' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Este fluxo tem erros' }))
    expect(dialog.getByText(/se repetem sem nenhuma pergunta/).textContent).toContain(
      'Mensagem “Olá!” → Delay de 5 segundos → Mensagem “Olá!”',
    )
    await userEvent.click(dialog.getByRole('button', { name: /^Delay: / }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const marked = items().filter(({ textContent }) => textContent?.includes('se repetem sem nenhuma pergunta'))
    expect(marked.map(({ textContent }) => titleIn.exec(textContent ?? '')?.[1])).toEqual(['Mensagem', 'Delay'])
    expect(server.published).toEqual([])
  })

  it('shows what only the server can find', async () => {
    const server = serveFlow()
    server.problems = [
      { kind: 'bad_pattern', severity: 'error', nodeId: 'resposta', sentence: 'O padrão não é uma expressão válida.' },
    ]
    await open('Lista')
    await userEvent.click(screen.getByRole('button', { name: 'Publicar' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Este fluxo tem erros' }))
    expect(dialog.getByText('O padrão não é uma expressão válida.')).toBeTruthy()
    expect(server.published).toEqual([])
  })

  const otherId = '7a1b6f70-0f43-4b0f-8a55-60b2a7e7b002'
  const other: OrderedFlow = { flowId: otherId, isOn: true, start: { kind: 'any_message' }, connectionIds: [] }

  it('names the flows that it meets and which of them wins, and changes their order by keys', async () => {
    const server = serveFlow()
    server.order = [other]
    prosaServer.use(http.get('/api/flows', () => HttpResponse.json([{ ...aFlow(), id: otherId, name: 'Antigo' }])))
    await open('Lista')
    await userEvent.click(screen.getByRole('button', { name: 'Publicar' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText(/O outro responde: vem antes na ordem/)).toBeTruthy()
    dialog.getByRole('button', { name: /^Mover Boas-vindas: 2º/ }).focus()
    await userEvent.keyboard('{ArrowUp}')
    await waitFor(() => expect(server.orders).toEqual([[flowId, otherId]]))
  })

  it('asks for the name of the company where a text would have a hole', async () => {
    const server = serveFlow()
    server.problems = [
      {
        kind: 'empty_variable',
        severity: 'error',
        nodeId: 'resposta',
        sentence: 'O texto usa {empresa}, mas o nome da empresa está vazio: preencha-o.',
      },
    ]
    const company = { name: '', email: '', phone: '', website: '', address: '', notifications: false, analytics: true }
    const named: unknown[] = []
    prosaServer.use(
      http.get('/api/company', () => HttpResponse.json(company)),
      http.put('/api/company', async ({ request }) => {
        named.push(await request.json())
        server.problems = []
        return HttpResponse.json({ ...company, name: 'Padaria Sol' })
      }),
    )
    await open('Lista')
    await userEvent.click(screen.getByRole('button', { name: 'Publicar' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(((await dialog.findByRole('button', { name: 'Publicar agora' })) as HTMLButtonElement).disabled).toBe(true)
    await userEvent.type(await dialog.findByLabelText('Nome da empresa'), 'Padaria Sol{Enter}')
    await waitFor(() => expect(named).toMatchObject([{ name: 'Padaria Sol' }]))
    await userEvent.click(await dialog.findByRole('button', { name: 'Publicar agora' }))
    await waitFor(() => expect(server.published).toHaveLength(1))
  })

  it('is refused while a gap of a sample is open', async () => {
    const document = starterFlow()
    const nodes = document.nodes.map((node) =>
      node.type === 'message' ? { ...node, data: { ...node.data, message: 'Pague em [sua chave Pix]' } } : node,
    )
    const server = serveFlow({ document: { ...document, nodes } })
    await open('Lista')
    await userEvent.click(screen.getByRole('button', { name: 'Publicar' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Este fluxo tem erros' }))
    expect(dialog.getByText('Falta preencher “[sua chave Pix]” no texto.')).toBeTruthy()
    expect(server.published).toEqual([])
  })
})

describe('the list', () => {
  it('puts a step behind an output, leads an output elsewhere, moves and deletes', async () => {
    const server = serveFlow()
    await open('Lista')
    await userEvent.click(screen.getByRole('button', { name: 'Adicionar em “Depois” de 1. Gatilho' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Pergunta' }))
    expect(titles()).toEqual(['1. Gatilho', '2. Pergunta', '3. Mensagem'])
    await userEvent.click(screen.getByRole('button', { name: 'Mudar “Não respondeu” de 2. Pergunta' }))
    await userEvent.selectOptions(await screen.findByLabelText('Não respondeu, ir para'), 'resposta')
    await userEvent.click(screen.getByRole('button', { name: 'Ações de 3. Mensagem' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Mover para cima' }))
    expect(titles()).toEqual(['1. Gatilho', '2. Mensagem', '3. Pergunta'])
    await userEvent.click(screen.getByRole('button', { name: 'Ações de 2. Mensagem' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Excluir' }))
    expect(titles()).toEqual(['1. Gatilho', '2. Pergunta'])
    await userEvent.click(screen.getByRole('button', { name: 'Salvar' }))
    await toasts().findByText('Fluxo salvo')
    expect(server.savings.at(-1)?.links).toEqual([])
  })

  it('selects several steps, which are copied and pasted as they are', async () => {
    serveFlow()
    await open('Lista')
    for (const name of ['Selecionar 1. Gatilho', 'Selecionar 2. Mensagem'])
      await userEvent.click(screen.getByLabelText(name))
    const clipboardData = new (class {
      text = ''
      setData = (_: string, text: string) => {
        this.text = text
      }
      getData = () => this.text
    })()
    fireEvent.copy(document.body, { clipboardData })
    fireEvent.paste(document.body, { clipboardData })
    expect(titles()).toEqual(['1. Gatilho', '2. Mensagem', '3. Gatilho', '4. Mensagem'])
    expect(screen.getAllByText(/começa em um só gatilho/)).toHaveLength(1)
  })

  it('finds steps by their text', async () => {
    serveFlow()
    await open('Lista')
    await userEvent.keyboard('/')
    await userEvent.type(await screen.findByLabelText('Buscar passo'), 'ola')
    expect(await screen.findByText('1 passo')).toBeTruthy()
    await userEvent.keyboard('{Enter}')
    expect(screen.getByText('1 de 1')).toBeTruthy()
  })
})

describe('the panels', () => {
  it('store a delay in seconds, whatever its unit', async () => {
    const server = serveFlow()
    await open('Lista')
    await userEvent.keyboard('3')
    await userEvent.click(await screen.findByRole('button', { name: /^3\. Delay/ }))
    const panel = within(screen.getByRole('complementary', { name: 'Propriedades' }))
    await userEvent.selectOptions(panel.getByLabelText('Unidade'), 'horas')
    await userEvent.clear(panel.getByLabelText('Tempo'))
    await userEvent.type(panel.getByLabelText('Tempo'), '2')
    fireEvent.keyDown(document.body, { key: 's', ctrlKey: true })
    await toasts().findByText('Fluxo salvo')
    expect(server.savings.at(-1)?.nodes.at(-1)?.data).toMatchObject({ delay: '7200' })
  })

  it('put keywords into a trigger one by one, and a variable into a text', async () => {
    const server = serveFlow()
    await open('Lista')
    await openNode(/^1\. Gatilho/)
    await userEvent.selectOptions(screen.getByLabelText('O que inicia o fluxo'), 'Palavra-chave')
    expect(screen.getAllByText('O gatilho não tem nenhuma palavra-chave.').length).toBeGreaterThan(0)
    await userEvent.type(screen.getByLabelText('Palavras-chave', { selector: 'input' }), 'oi{Enter}olá{Enter}')
    await openNode(/^2\. Mensagem/)
    const text = screen.getByLabelText('Mensagem', { selector: 'textarea' })
    await userEvent.clear(text)
    await userEvent.type(text, 'Olá, ')
    await userEvent.click(screen.getByRole('button', { name: 'Inserir variável' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '{nome}' }))
    await userEvent.click(screen.getByRole('button', { name: 'Salvar' }))
    await toasts().findByText('Fluxo salvo')
    expect(nodeOf(server, 'inicio')?.data).toMatchObject({ start: { kind: 'keyword', words: ['oi', 'olá'] } })
    expect(nodeOf(server, 'resposta')?.data).toMatchObject({ message: 'Olá, {nome}' })
  })

  it('upload the file of a message, and show what was refused', async () => {
    const server = serveFlow()
    await open('Lista')
    await openNode(/^2\. Mensagem/)
    const empty = new File([], 'vazio.txt')
    await userEvent.upload(screen.getByLabelText('Arquivo'), empty)
    expect(await screen.findByText('O arquivo está vazio.')).toBeTruthy()
    prosaServer.use(
      http.post('/api/whatsapp/media', () =>
        HttpResponse.json({ id: flowId, mediaType: 'image/png', bytes: 4 }, { status: 201 }),
      ),
    )
    await userEvent.upload(screen.getByLabelText('Arquivo'), new File(['abcd'], 'cardapio.png', { type: 'image/png' }))
    expect(await screen.findByRole('button', { name: 'Trocar o arquivo' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Salvar' }))
    await toasts().findByText('Fluxo salvo')
    expect(nodeOf(server, 'resposta')?.data).toMatchObject({ file: { kind: 'image', fileName: 'cardapio.png' } })
  })

  it('test an answer with what the test needs', async () => {
    const server = serveFlow({
      document: { ...starterFlow(), nodes: [...starterFlow().nodes, newNode('condition', 'se', { x: 90, y: 450 })] },
    })
    await open('Lista')
    await openNode(/^3\. Condição/)
    await userEvent.selectOptions(screen.getByLabelText('Verdadeiro quando'), 'A resposta é um número')
    await userEvent.selectOptions(screen.getByLabelText('Comparação'), 'acima de')
    await userEvent.clear(screen.getByLabelText('Número'))
    await userEvent.type(screen.getByLabelText('Número'), '1,5')
    await userEvent.click(screen.getByRole('button', { name: 'Salvar' }))
    await toasts().findByText('Fluxo salvo')
    expect(nodeOf(server, 'se')?.data).toMatchObject({
      test: { kind: 'number', variable: 'resposta', comparison: 'above', value: 1.5 },
    })
  })
})

describe('Configurações', () => {
  it('changes the name, when it may start again, and on which lines', async () => {
    const server = serveFlow()
    await open('Lista')
    await userEvent.keyboard('c')
    const dialog = within(await screen.findByRole('dialog', { name: 'Configurações' }))
    await userEvent.clear(dialog.getByLabelText('Nome'))
    await userEvent.click(dialog.getByRole('button', { name: 'Salvar' }))
    expect(dialog.getByText('Dê um nome ao fluxo.')).toBeTruthy()
    await userEvent.type(dialog.getByLabelText('Nome'), 'Recepção')
    await userEvent.selectOptions(dialog.getByLabelText('Pode começar de novo para a mesma pessoa'), 'never')
    await userEvent.click(await dialog.findByLabelText('Loja do centro'))
    await userEvent.click(dialog.getByRole('button', { name: 'Salvar' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.named).toEqual(['Recepção'])
    expect(await screen.findByText('Recepção')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Salvar' }))
    await toasts().findByText('Fluxo salvo')
    expect(server.savings.at(-1)?.settings).toMatchObject({ again: 'never', connectionIds: [expect.any(String)] })
  })
})

describe('notes', () => {
  it('are added by N, written with Enter, listed, copied and deleted, and are never checked as steps are', async () => {
    const server = serveFlow()
    await open('Lista')
    await userEvent.keyboard('n')
    const note = await screen.findByRole('button', { name: /^Nota 1/ })
    await waitFor(() => expect(document.activeElement).toBe(note))
    await userEvent.keyboard('{Enter}')
    const text = await screen.findByLabelText('Texto da nota')
    await waitFor(() => expect(document.activeElement).toBe(text))
    await userEvent.keyboard('Rever os preços em janeiro')
    await userEvent.keyboard('{Escape}')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Nota 1/ }))
    await waitFor(() => expect(server.savings.at(-1)?.notes).toMatchObject([{ text: 'Rever os preços em janeiro' }]), {
      timeout: 4000,
    })
    expect(server.savings.at(-1)?.nodes).toHaveLength(2)
    await userEvent.click(screen.getByRole('button', { name: 'Ações de Nota 1' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Excluir' }))
    expect(screen.queryByRole('button', { name: /^Nota 1/ })).toBeNull()
    await userEvent.keyboard('{Control>}z{/Control}')
    expect(await screen.findByRole('button', { name: /^Nota 1/ })).toBeTruthy()
  })
})
