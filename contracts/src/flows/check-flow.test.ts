import { describe, expect, it } from 'vitest'
import { checkFlow, delaySecondsOf, variablesIn } from './check-flow.ts'
import type { FlowDocument, FlowNode, FlowNodeType, FlowOutput } from './flow-document.ts'
import { newFlowSettings, newNode, starterFlow } from './new-node.ts'

const step = <T extends FlowNodeType>(type: T, id: string, data: object = {}): FlowNode => {
  const node = newNode(type, id, { x: 0, y: 0 })
  return { ...node, data: { ...node.data, ...data } } as FlowNode
}
const link = (source: string, target: string, sourceHandle: FlowOutput = null) => ({
  id: `${source}-${sourceHandle}-${target}`,
  source,
  target,
  sourceHandle,
})
const flow = (nodes: FlowNode[], links: FlowDocument['links'] = []): FlowDocument => ({
  nodes,
  links,
  settings: newFlowSettings,
})
const after = (...steps: FlowNode[]): FlowDocument => {
  const nodes = [step('trigger', 'inicio'), ...steps]
  const links = steps.map(({ id }, index) => link(nodes[index]?.id ?? '', id))
  return flow(nodes, links)
}
const found = (document: FlowDocument) => checkFlow(document).map(({ kind, nodeId }) => [kind, nodeId])
const label = '8c1f2e55-0d43-4f7e-9b0a-2f6f3c1d7a90'

describe('a flow', () => {
  it('has nothing wrong as it begins', () => {
    expect(checkFlow(starterFlow())).toEqual([])
    expect(starterFlow().settings).toMatchObject({ again: 'after', againAfterHours: 24 })
  })
  it('begins at one trigger, which leads somewhere', () => {
    expect(found(flow([step('message', 'a')]))).toEqual([
      ['no_trigger', null],
      ['unreachable', 'a'],
    ])
    expect(
      found(flow([step('trigger', 'um'), step('trigger', 'dois'), step('message', 'a')], [link('um', 'a')])),
    ).toEqual([['second_trigger', 'dois']])
    expect(found(flow([step('trigger', 'um')]))).toEqual([['trigger_leads_nowhere', 'um']])
  })
  it('says what sets it off', () => {
    const started = (start: object) =>
      found(flow([step('trigger', 'um', { start }), step('message', 'a')], [link('um', 'a')]))
    expect(started({ kind: 'keyword', words: [], match: 'equals' })).toEqual([['trigger_incomplete', 'um']])
    expect(started({ kind: 'keyword', words: [' '], match: 'equals' })).toEqual([['trigger_incomplete', 'um']])
    expect(started({ kind: 'label_set', labelId: null })).toEqual([['trigger_incomplete', 'um']])
    expect(started({ kind: 'keyword', words: ['oi'], match: 'equals' })).toEqual([])
    expect(started({ kind: 'label_set', labelId: label })).toEqual([])
  })
})

describe('a link', () => {
  const nodes = [step('trigger', 'inicio'), step('message', 'a'), step('message', 'b')]
  const whole = [link('inicio', 'a'), link('a', 'b')]

  it('leads from an output to an input: not from an input, nor to what is not there', () => {
    expect(found(flow(nodes, [...whole, link('b', 'a', 'true')]))).toContainEqual(['unknown_link', 'b'])
    expect(found(flow(nodes, [...whole, link('b', 'x')]))).toContainEqual(['unknown_link', 'b'])
    expect(found(flow(nodes, [...whole, link('x', 'b')]))).toContainEqual(['unknown_link', null])
    expect(
      found(flow([...nodes, step('handover', 'fim')], [...whole, link('b', 'fim'), link('fim', 'a')])),
    ).toContainEqual(['unknown_link', 'fim'])
  })
  it('never leads back into the trigger', () => {
    expect(found(flow(nodes, [...whole, link('b', 'inicio')]))).toContainEqual(['link_into_trigger', 'inicio'])
  })
  it('is the only one of its output', () => {
    expect(found(flow(nodes, [...whole, link('inicio', 'b')]))).toEqual([['unknown_link', 'inicio']])
  })
})

describe('a step', () => {
  const file = { kind: 'image', fileName: 'foto.jpg', file: {} }
  it.each([
    ['message', { message: ' ' }, 'empty_message'],
    ['message', { message: 'a'.repeat(4097) }, 'message_too_long'],
    ['message', { message: 'a'.repeat(70_000) }, 'message_too_long'],
    ['handover', { message: 'a'.repeat(4097) }, 'message_too_long'],
    ['question', { question: '' }, 'empty_question'],
    ['question', { question: 'a'.repeat(4097) }, 'message_too_long'],
    ['question', { variable: 'Nome Completo' }, 'bad_variable'],
    ['question', { variable: 'nome' }, 'bad_variable'],
    ['question', { check: { type: 'date', again: ' ', attempts: 1 } }, 'check_incomplete'],
    ['question', { check: { type: 'date', again: 'a'.repeat(4097), attempts: 1 } }, 'message_too_long'],
    ['finish', { thanks: 'a'.repeat(4097) }, 'message_too_long'],
    ['delay', { delay: '0' }, 'bad_delay'],
    ['delay', { delay: 'amanhã' }, 'bad_delay'],
    ['delay', { delay: '2592001' }, 'bad_delay'],
    ['condition', { test: { kind: 'equals', variable: 'resposta', value: ' ' } }, 'condition_incomplete'],
    ['condition', { test: { kind: 'contains', variable: 'resposta', value: '' } }, 'condition_incomplete'],
    ['condition', { test: { kind: 'equals', variable: 'resposta', values: [] } }, 'condition_incomplete'],
    ['condition', { test: { kind: 'contains', variable: 'resposta', values: ['sim', ' '] } }, 'condition_incomplete'],
    ['condition', { test: { kind: 'matches', variable: 'resposta', pattern: '' } }, 'condition_incomplete'],
    ['condition', { test: { kind: 'label', labelId: null } }, 'condition_incomplete'],
    ['label', {}, 'no_label'],
    ['flow', {}, 'no_flow'],
  ] as const)('%s with %o: %s', (type, data, kind) => {
    const errors = checkFlow(after(step(type, 'a', data))).filter(({ severity }) => severity === 'error')
    expect(errors.map((problem) => [problem.kind, problem.nodeId])).toEqual([[kind, 'a']])
  })
  it.each([
    ['message', { message: 'a'.repeat(4096) }],
    ['message', { message: '', file }],
    ['message', { message: '', enabled: false }],
    ['handover', { message: '' }],
    ['delay', { delay: '2592000' }],
    ['label', { labelId: label }],
    ['flow', { flowId: label }],
  ] as const)('%s with %o is fine', (type, data) => {
    expect(found(after(step(type, 'a', data)))).toEqual([])
  })
})

it('a checked question that is not asked again needs no text for that', () => {
  const question = step('question', 'a', { check: { type: 'date', again: '', attempts: 0 } })
  expect(
    found(
      flow(
        [step('trigger', 'inicio'), question, step('message', 'b')],
        [link('inicio', 'a'), link('a', 'b', 'not_understood')],
      ),
    ),
  ).toEqual([])
  expect(
    found(
      flow(
        [step('trigger', 'inicio'), step('question', 'a'), step('message', 'b')],
        [link('inicio', 'a'), link('a', 'b', 'not_understood')],
      ),
    ),
  ).toContainEqual(['unknown_link', 'a'])
})

describe('a circle', () => {
  const cycle = (between: FlowNode, output: FlowOutput = null) =>
    flow(
      [step('trigger', 'inicio'), step('message', 'a'), between],
      [link('inicio', 'a'), link('a', between.id), link(between.id, 'a', output)],
    )
  const problems = (document: FlowDocument) =>
    checkFlow(document).map(({ kind, severity, nodeId, nodeIds }) => [kind, severity, nodeId, nodeIds])
  const only = (kind: string, severity: string, ...nodeIds: string[]) => [[kind, severity, nodeIds[0], nodeIds]]

  it('that neither waits nor asks is one error, with its steps', () => {
    expect(problems(cycle(step('message', 'b')))).toEqual(only('endless_circle', 'error', 'a', 'b'))
    expect(problems(cycle(step('condition', 'b'), 'false'))).toEqual(only('endless_circle', 'error', 'a', 'b'))
    expect(
      problems(flow([step('trigger', 'inicio'), step('message', 'a')], [link('inicio', 'a'), link('a', 'a')])),
    ).toEqual(only('endless_circle', 'error', 'a'))
    const silent = { enabled: false }
    const switchedOff = flow(
      [step('trigger', 'inicio'), step('message', 'a', silent), step('message', 'b', silent)],
      [link('inicio', 'a'), link('a', 'b'), link('b', 'a')],
    )
    expect(problems(switchedOff)).toEqual(only('endless_circle', 'error', 'a', 'b'))
  })

  it('that sends after a delay is an error too, and its sentence names the steps by their titles', () => {
    const rest = step('delay', 'b', { delay: '5' })
    const [problem, ...others] = checkFlow(
      flow(
        [step('trigger', 'inicio'), step('message', 'a', { message: 'Olá!\nTudo bem?' }), rest],
        [link('inicio', 'a'), link('a', 'b'), link('b', 'a')],
      ),
    )
    expect(others).toEqual([])
    expect(problem).toMatchObject({ kind: 'endless_circle', severity: 'error', nodeId: 'a', nodeIds: ['a', 'b'] })
    expect(problem?.sentence).toBe(
      'Estes passos se repetem sem nenhuma pergunta, e enviariam mensagens a quem não responde: Mensagem “Olá! Tudo bem?” → Delay de 5 segundos → Mensagem “Olá! Tudo bem?”. Ponha uma pergunta no caminho ou desfaça a volta.',
    )
  })

  it('may ask, or wait where it sends nothing, as until the business opens', () => {
    expect(found(cycle(step('question', 'b'), 'answer'))).toEqual([])
    const untilOpen = flow(
      [step('trigger', 'inicio'), step('condition', 'a', { test: { kind: 'open' } }), step('delay', 'b')],
      [link('inicio', 'a'), link('a', 'b', 'false'), link('b', 'a')],
    )
    expect(found(untilOpen)).toEqual([])
  })

  it('that a time-out closes is a warning: it sends again and again to who does not answer', () => {
    const asking = (timeoutSeconds: number | null) =>
      problems(
        flow(
          [step('trigger', 'inicio'), step('question', 'a', { timeoutSeconds }), step('message', 'b')],
          [link('inicio', 'a'), link('a', 'b', 'timeout'), link('b', 'a')],
        ),
      )
    expect(asking(60)).toEqual(only('unanswered_circle', 'warning', 'a', 'b'))
    expect(asking(null)).toEqual([])
  })

  it('is found beside others, each once, and a long one is named in short', () => {
    const row = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => step('message', `${prefix}${index}`))
    const ring = (nodes: FlowNode[]) =>
      nodes.map(({ id }, index) => link(id, nodes[(index + 1) % nodes.length]?.id ?? ''))
    const [short, long] = [row('s', 2), row('l', 30)]
    const branch = step('condition', 'c', { test: { kind: 'open' } })
    const errors = checkFlow(
      flow(
        [step('trigger', 'inicio'), branch, ...short, ...long],
        [link('inicio', 'c'), link('c', 's0', 'true'), link('c', 'l0', 'false'), ...ring(short), ...ring(long)],
      ),
    ).filter(({ severity }) => severity === 'error')
    expect(errors.map(({ nodeIds }) => nodeIds?.length)).toEqual([2, 30])
    expect(errors[1]?.sentence).toContain('→ mais 25 passos →')
  })

  it('is found in as many steps as a flow may have, however they are linked', () => {
    const nodes = Array.from({ length: 999 }, (_, index) => step('condition', `n${index}`, { test: { kind: 'open' } }))
    const links = nodes.flatMap(({ id }, index) => [
      link(id, `n${(index + 1) % 999}`, 'true'),
      link(id, `n${(index * 7 + 3) % 999}`, 'false'),
    ])
    const cycles = checkFlow(flow([step('trigger', 'inicio'), ...nodes], [link('inicio', 'n0'), ...links])).filter(
      ({ kind }) => kind === 'endless_circle',
    )
    const named = cycles.flatMap(({ nodeIds }) => nodeIds ?? [])
    expect(new Set(named).size).toBe(999)
  })

  it('is looked for no further than others have to wait, where a thousand steps lead to one and back', () => {
    const leaves = Array.from({ length: 998 }, (_, index) => `l${index}`)
    const back = leaves.map((leaf) => link(leaf, 'hub'))
    const forth = Array.from({ length: 2001 }, (_, index) => link('hub', leaves[997 - (index % 998)] ?? ''))
    const nodes = ['hub', ...leaves].map((id) => step('message', id))
    const problems = checkFlow(flow([step('trigger', 'inicio'), ...nodes], [link('inicio', 'hub'), ...back, ...forth]))
    const cycles = problems.filter(({ kind }) => kind === 'endless_circle')
    expect(cycles.length).toBeGreaterThan(50)
    expect(cycles.length).toBeLessThan(900)
  })

  it('is named as often as anybody reads, where each of 500 circles shares all steps but one with the others', () => {
    const way = Array.from({ length: 499 }, (_, index) => step('message', `${'w'.repeat(60)}${index}`))
    const ends = Array.from({ length: 499 }, (_, index) => step('message', `${'e'.repeat(60)}${index}`))
    const [first, last] = [way[0]?.id ?? '', way.at(-1)?.id ?? '']
    const links = [
      ...way.slice(1).map(({ id }, index) => link(way[index]?.id ?? '', id)),
      ...ends.flatMap(({ id }) => [link(last, id), link(id, first)]),
    ]
    const problems = checkFlow(flow([step('trigger', 'inicio'), ...way, ...ends], [link('inicio', first), ...links]))
    expect(problems.some(({ kind }) => kind === 'endless_circle')).toBe(true)
    expect(JSON.stringify(problems).length).toBeLessThan(4_000_000)
  })
})

describe('a warning', () => {
  it('is given of steps that nothing leads to, and of questions and conditions that lead nowhere', () => {
    const nodes = [step('trigger', 'inicio'), step('question', 'a'), step('message', 'b')]
    expect(checkFlow(flow(nodes, [link('inicio', 'a')])).map(({ kind, severity }) => [kind, severity])).toEqual([
      ['dead_end', 'warning'],
      ['unreachable', 'warning'],
    ])
    expect(found(after(step('condition', 'a')))).toEqual([['dead_end', 'a']])
  })
  it('is given of variables that no question sets, once each', () => {
    const message = 'Oi, {nome} de {cidade}! {Cidade} é linda. {empresa}'
    expect(found(after(step('message', 'a', { message })))).toEqual([['unknown_variable', 'a']])
    const test = { kind: 'yes', variable: 'quer' }
    expect(found(after(step('condition', 'a', { test })))).toContainEqual(['unknown_variable', 'a'])
    const document = after(step('message', 'a', { message }))
    document.nodes.push(step('question', 'b', { variable: 'cidade' }))
    expect(found(document)).not.toContainEqual(['unknown_variable', 'a'])
  })
  it('comes after every error', () => {
    const document = flow(
      [step('trigger', 'inicio'), step('message', 'solto'), step('label', 'a')],
      [link('inicio', 'a')],
    )
    expect(found(document)).toEqual([
      ['no_label', 'a'],
      ['unreachable', 'solto'],
    ])
  })
})

it('a delay is a whole number of seconds, up to 30 days', () => {
  expect(['5', ' 60 ', '2592000', '-1', '1.5', '', '1e3', '99999999'].map(delaySecondsOf)).toEqual([
    5,
    60,
    2592000,
    ...Array(5).fill(undefined),
  ])
})

it('a text asks for what stands in braces', () => {
  expect(variablesIn('{nome}, {Pedido_2} e { nada } {2x} {}')).toEqual(['nome', 'pedido_2'])
})

it('of 1,000 steps in a row is checked to its end, and says where more than 20 messages come without an answer', () => {
  const steps = Array.from({ length: 999 }, (_, index) => step('message', `m${index}`))
  expect(found(after(...steps))).toEqual([['too_many_unanswered', 'm20']])
  const asked = [...steps.slice(0, 15), step('question', 'q', { variable: 'q' }), ...steps.slice(15, 35)]
  const document = after(...asked)
  document.links = document.links.map((each) => (each.source === 'q' ? { ...each, sourceHandle: 'answer' } : each))
  expect(found(document)).toEqual([])
})

it('names no more unknown variables than anybody reads', () => {
  const message = Array.from({ length: 10_000 }, (_, index) => `{v${index}}`).join('')
  const problems = checkFlow(after(step('message', 'm', { message })))
  expect(problems.filter(({ kind }) => kind === 'unknown_variable')).toHaveLength(20)
  const all = checkFlow(after(...Array.from({ length: 900 }, (_, index) => step('message', `m${index}`, { message }))))
  expect(all.filter(({ kind }) => kind === 'unknown_variable')).toHaveLength(200)
})

describe('a calculation', () => {
  const withCalculation = (data: object, isLinked = true) =>
    flow(
      [step('trigger', 'inicio'), step('calculation', 'c', data), step('message', 'm', { message: '{total}' })],
      [link('inicio', 'c'), link('c', 'm', 'success'), ...(isLinked ? [link('c', 'm', 'failure')] : [])],
    )

  it('is made of numbers, known variables and signs, and has a variable for its result', () => {
    expect(found(withCalculation({ expression: '2 * (3 − 1,5)' }))).toEqual([])
    for (const expression of ['', '1 +', '{resposta', 'alert(1)', '1 / 0', '1'.repeat(200)])
      expect(found(withCalculation({ expression }))).toEqual([['calculation_incomplete', 'c']])
    expect(found(withCalculation({ expression: '1', variable: 'Total' }))).toEqual([
      ['bad_variable', 'c'],
      ['unknown_variable', 'm'],
    ])
    expect(found(withCalculation({ expression: '{resposta} + {ninguem}' }))).toEqual([['unknown_variable', 'c']])
  })

  it('that may fail says where it then leads', () => {
    expect(found(withCalculation({ expression: '{resposta} * 2' }, false))).toEqual([['failure_leads_nowhere', 'c']])
    expect(found(withCalculation({ expression: '2 * 2' }, false))).toEqual([])
  })
})

describe('a request', () => {
  const withRequest = (data: Record<string, unknown>, text = '{situacao}') =>
    flow(
      [
        step('trigger', 'inicio'),
        step('request', 'r', {
          url: 'https://api.example/{resposta}',
          results: [{ path: 'a', variable: 'situacao' }],
          ...data,
        }),
        step('message', 'a', { message: text }),
      ],
      [link('inicio', 'r'), link('r', 'a', 'success'), link('r', 'a', 'failure')],
    )

  it('needs an address, stores what later texts name, and names what exists', () => {
    expect(found(withRequest({}))).toEqual([])
    expect(found(withRequest({ url: ' ' }))).toEqual([['request_incomplete', 'r']])
    expect(found(withRequest({ results: [] }))).toEqual([['unknown_variable', 'a']])
    expect(found(withRequest({ url: 'https://api.example/{quem}' }))).toEqual([['unknown_variable', 'r']])
  })

  it('warns where a failure leads nowhere, and is no wait in a circle', () => {
    const document = withRequest({})
    const links = document.links.filter(({ sourceHandle }) => sourceHandle !== 'failure')
    expect(found({ ...document, links })).toEqual([['failure_leads_nowhere', 'r']])
    const around = document.links.map((each) => (each.sourceHandle === 'failure' ? { ...each, target: 'r' } : each))
    expect(found({ ...document, links: around }).map(([kind]) => kind)).toContain('endless_circle')
  })
})

describe('a menu', () => {
  const option = (output: string, label: string, words: string[] = []) => ({ output, label, words })
  const two = [option('option_1', 'Bolos'), option('option_2', 'Pães')]
  const withMenu = (data: object, links: FlowDocument['links'] = []) =>
    flow(
      [step('trigger', 'inicio'), step('menu', 'menu', { options: two, ...data }), step('message', 'a')],
      [link('inicio', 'menu'), link('menu', 'a', 'option_1'), link('menu', 'a', 'option_2'), ...links],
    )
  it('has a text, two to ten options, and a text for what it does not understand', () => {
    expect(found(withMenu({}))).toEqual([])
    expect(found(withMenu({ text: ' ' }))).toEqual([['menu_incomplete', 'menu']])
    expect(found(withMenu({ options: two.slice(0, 1) }))).toContainEqual(['menu_incomplete', 'menu'])
    expect(found(withMenu({ options: [two[0], option('option_2', ' ')] }))).toContainEqual(['menu_incomplete', 'menu'])
    expect(found(withMenu({ notUnderstood: '' }))).toEqual([['menu_incomplete', 'menu']])
    expect(found(withMenu({ notUnderstood: '', attempts: 0 }))).toEqual([])
  })
  it('has no text or word that chooses two options, however it is written', () => {
    expect(found(withMenu({ options: [two[0], option('option_2', ' BÓLOS ')] }))).toEqual([['menu_ambiguous', 'menu']])
    expect(found(withMenu({ options: [two[0], option('option_2', 'Pães', ['bolos'])] }))).toEqual([
      ['menu_ambiguous', 'menu'],
    ])
    expect(found(withMenu({ options: [option('option_1', 'Bolos', ['bolos']), two[1]] }))).toEqual([])
  })
  it('leads somewhere by each option', () => {
    const three = [...two, option('option_3', 'Tortas')]
    expect(found(withMenu({ options: three }))).toEqual([['option_leads_nowhere', 'menu']])
    expect(found(withMenu({}, [link('menu', 'a', 'option_3')]))).toEqual([['unknown_link', 'menu']])
  })
  it('is not longer than a message of WhatsApp with its options', () => {
    expect(found(withMenu({ text: 'x'.repeat(4090) }))).toEqual([['message_too_long', 'menu']])
  })
  it('stores its option under a name that texts may use', () => {
    expect(found(withMenu({ variable: 'nome' }))).toEqual([['bad_variable', 'menu']])
    const uses = withMenu({ variable: 'pedido' })
    uses.nodes[2] = step('message', 'a', { message: '{pedido}' })
    expect(found(uses)).toEqual([])
  })
  it('breaks a circle, as a question does, but for its time-out', () => {
    const again = flow(
      [step('trigger', 'inicio'), step('menu', 'menu', { options: two, timeoutSeconds: 60 }), step('message', 'a')],
      [link('inicio', 'menu'), link('menu', 'a', 'option_1'), link('menu', 'a', 'option_2'), link('a', 'menu')],
    )
    expect(found(again)).toEqual([])
    again.links.push(link('menu', 'menu', 'timeout'))
    expect(found(again)).toEqual([['unanswered_circle', 'menu']])
  })
})
