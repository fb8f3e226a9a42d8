import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { newNode, starterFlow } from '@prosa/contracts/flows/new-node'
import { expect, it } from 'vitest'
import { knownHere } from './known-here.ts'
import { flowInText, readFlowFile } from './read-flow-file.ts'

const exported = (document: unknown = starterFlow(), of: object = {}) =>
  JSON.stringify({ format: 'prosa-flow', version: 1, name: 'Boas-vindas', document, ...of })

const sentencesOf = (text: string) => {
  const reading = flowInText(text)
  return reading.isOk ? [] : reading.sentences
}

const edited = (change: (document: FlowDocument) => void) => {
  const document = starterFlow()
  change(document)
  return sentencesOf(exported(document))
}

it('reads what was exported, with a byte order mark, too', () => {
  expect(flowInText(`\uFEFF${exported()}`)).toEqual({
    isOk: true,
    flow: { name: 'Boas-vindas', document: starterFlow() },
  })
})

it('answers what is no flow of Prosa with one sentence', () => {
  expect(sentencesOf('{"format": "prosa-fl')).toEqual([
    'Este arquivo não pode ser lido como JSON: está incompleto ou é de outro tipo.',
  ])
  for (const other of ['{"nodes": [], "edges": []}', '[]', 'null', '"prosa-flow"'])
    expect(sentencesOf(other)).toEqual([
      'Este arquivo não é um fluxo exportado pelo Prosa. Escolha um que foi baixado em “Exportar”.',
    ])
  expect(sentencesOf(exported(starterFlow(), { version: 2 }))).toEqual([
    'Este arquivo foi exportado por outra versão do Prosa, que esta não conhece.',
  ])
})

it('refuses a file of 5 MB before it is read', async () => {
  const file = new File(['x'.repeat(5 * 1024 * 1024)], 'grande.json')
  expect(await readFlowFile(file)).toEqual({
    isOk: false,
    sentences: ['O arquivo tem 5 MB; um fluxo pode ter no máximo 2 MB.'],
  })
})

it('names the place of what does not fit, and its field', () => {
  const change = (index: number, data: object) => (document: FlowDocument) =>
    Object.assign(document.nodes[index] ?? {}, data)
  expect(edited(change(1, { data: { title: '', enabled: true, file: null, typingSeconds: 0 } }))).toEqual([
    'Passo 2 (Mensagem): falta o campo “texto”.',
  ])
  expect(
    edited((document) =>
      Object.assign(document.nodes[1]?.data ?? {}, { message: 'a'.repeat(100_001), typingSeconds: 90 }),
    ),
  ).toEqual([
    'Passo 2 (Mensagem): o campo “texto” tem mais de 100.000 caracteres.',
    'Passo 2 (Mensagem): o campo “tempo de “digitando…”” passa de 25.',
  ])
  expect(edited(change(0, { type: 'webhook' }))).toEqual(['Passo 1: este tipo de passo não existe no Prosa.'])
  expect(edited((document) => Object.assign(document.links[0] ?? {}, { sourceHandle: 'maybe' }))).toEqual([
    'Ligação 1: o campo “saída” tem um valor que o Prosa não conhece.',
  ])
  expect(edited((document) => Object.assign(document.settings, { silenceHours: 0 }))).toEqual([
    'Configurações: o campo “horas de silêncio” fica abaixo de 1.',
  ])
  expect(sentencesOf(exported(null))).toEqual(['Fluxo: o campo “document” tem um valor que o Prosa não conhece.'])
})

it('refuses two steps with one id, which links could not tell apart', () => {
  expect(edited(({ nodes }) => nodes.push(newNode('delay', 'resposta', { x: 0, y: 0 })))).toEqual([
    'Passo 3 (Delay): tem o mesmo identificador do passo 2.',
  ])
})

it('names the note that is wrong, or has the id of a step', () => {
  const note = { id: 'n', text: 'Oi', position: { x: 0, y: 0 } }
  const withNotes = (...notes: object[]) => edited((document) => Object.assign(document, { notes }))
  expect(withNotes(note, { ...note, id: 'm', text: 'x'.repeat(1001) })).toEqual([
    'Nota 2: o campo “texto” tem mais de 1.000 caracteres.',
  ])
  expect(withNotes({ ...note, id: 'resposta' }, note, note)).toEqual([
    'Nota 1: tem o mesmo identificador do passo 2.',
    'Nota 3: tem o mesmo identificador da nota 2.',
  ])
})

it('states eight problems and how many there are beside them', () => {
  const sentences = edited(({ nodes }) => {
    for (let number = 0; number < 10; number++)
      nodes.push({ ...newNode('delay', `n${number}`, { x: 0, y: 0 }), position: { x: Number.NaN, y: 0 } })
  })
  expect(sentences).toHaveLength(9)
  expect(sentences[0]).toBe('Passo 3 (Delay): o campo “posição” tem um valor que o Prosa não conhece.')
  expect(sentences[8]).toBe('E mais 2 problemas.')
})

it('leaves out labels, flows and lines that this account does not have', () => {
  const document = starterFlow()
  const [label, next] = [newNode('label', 'l', { x: 0, y: 0 }), newNode('flow', 'f', { x: 0, y: 0 })]
  if (label.type === 'label') label.data.labelId = 'strange'
  if (next.type === 'flow') next.data.flowId = 'known'
  document.nodes.push(label, next)
  document.settings.connectionIds = ['known', 'strange']
  const known = new Set(['known'])
  const here = knownHere(document, { labels: known, flows: known, connections: known })
  expect(here.sentence).toBe(
    '1 passo usa etiquetas ou fluxos que não existem nesta conta: escolha outros no editor. 1 número escolhido não existe nesta conta.',
  )
  expect(here.document.nodes[2]?.data).toMatchObject({ labelId: null })
  expect(here.document.nodes[3]?.data).toMatchObject({ flowId: 'known' })
  expect(here.document.settings.connectionIds).toEqual(['known'])
  expect(knownHere(starterFlow(), { labels: known, flows: known, connections: known })).toEqual({
    document: starterFlow(),
    sentence: null,
  })
})
