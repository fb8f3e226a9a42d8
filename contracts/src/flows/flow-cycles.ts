import { type FlowDocument, type FlowLink, type FlowNode, isAsking } from './flow-document.ts'
import { maximumUnansweredMessages } from './flow-limits.ts'
import type { FlowProblem } from './flow-problem.ts'
import { nodeName } from './node-name.ts'
import { nodesOnCycles } from './nodes-on-cycles.ts'

type Targets = ReadonlyMap<string, readonly string[]>

export const targetsBySource = (links: readonly FlowLink[]): Targets => {
  const targets = new Map<string, string[]>()
  for (const { source, target } of links) {
    const known = targets.get(source)
    if (known) known.push(target)
    else targets.set(source, [target])
  }
  return targets
}

/** Shortest cycle. `walked` counts followed links. */
const cycleThrough = (id: string, targets: Targets, walked: { links: number }): string[] | undefined => {
  const cameFrom = new Map<string, string>()
  const reached = [id]
  for (const each of reached)
    for (const target of targets.get(each) ?? []) {
      walked.links += 1
      if (target === id) {
        const cycle = [each]
        for (let at = each; at !== id; ) {
          at = cameFrom.get(at) ?? id
          cycle.unshift(at)
        }
        return cycle
      }
      if (cameFrom.has(target)) continue
      cameFrom.set(target, each)
      reached.push(target)
    }
  return undefined
}

/** Limits the report: cycles may share nearly all nodes. */
const maxNodesNamed = 10_000
/** Limits the search: 1000 nodes, 3000 links. */
const maxLinksWalked = 200_000

/** One cycle per node outside earlier cycles. */
const cyclesThrough = (ids: readonly string[], all: readonly FlowLink[], found: Set<string>): string[][] => {
  const onCycles = nodesOnCycles(all)
  const targets = targetsBySource(all.filter(({ source, target }) => onCycles.has(source) && onCycles.has(target)))
  const cycles: string[][] = []
  const walked = { links: 0 }
  let named = 0
  for (const id of ids) {
    if (named >= maxNodesNamed || walked.links >= maxLinksWalked) break
    const cycle = found.has(id) || !onCycles.has(id) ? undefined : cycleThrough(id, targets, walked)
    for (const each of cycle ?? []) found.add(each)
    if (!cycle) continue
    cycles.push(cycle)
    named += cycle.length
  }
  return cycles
}

const maxNamed = 6

/** 'Mensagem “Oi” → Delay de 5 segundos → Mensagem “Oi”' */
const wayOf = (cycle: readonly string[], byId: ReadonlyMap<string, FlowNode>): string => {
  const name = (id: string | undefined) => {
    const node = id === undefined ? undefined : byId.get(id)
    return node ? nodeName(node) : ''
  }
  const shown = cycle.length > maxNamed ? cycle.slice(0, maxNamed - 1) : cycle
  const left = cycle.length - shown.length
  return [...shown.map(name), ...(left > 0 ? [`mais ${left} passos`] : []), name(cycle[0])].join(' → ')
}

const sends = (node: FlowNode) => node.type === 'message' && node.data.enabled

/** A cycle that sends without an answer or does nothing is an error; one closed by a question's time-out ends by itself: a warning. */
export const checkCycles = ({ nodes, links }: FlowDocument): FlowProblem[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const isDelay = (id: string) => byId.get(id)?.type === 'delay'
  const asks = (id: string) => {
    const node = byId.get(id)
    return node !== undefined && isAsking(node)
  }
  const unasked = links.filter(({ source, target }) => !asks(source) && !asks(target))
  const unwaited = unasked.filter(({ source, target }) => !isDelay(source) && !isDelay(target))
  const unanswered = links.filter(({ source, sourceHandle }) => {
    const node = byId.get(source)
    return !node || !isAsking(node) || (sourceHandle === 'timeout' && node.data.timeoutSeconds !== null)
  })
  const ids = (isWanted: (node: FlowNode) => boolean) => nodes.filter(isWanted).map(({ id }) => id)

  const found = new Set<string>()
  const about = (cycle: readonly string[], severity: FlowProblem['severity'], sentence: string): FlowProblem => ({
    ...{ kind: severity === 'error' ? 'endless_circle' : 'unanswered_circle', severity, sentence },
    ...{ nodeId: cycle[0] ?? null, nodeIds: [...cycle] },
  })
  return [
    ...cyclesThrough(ids(sends), unasked, found).map((cycle) =>
      about(
        cycle,
        'error',
        `Estes passos se repetem sem nenhuma pergunta, e enviariam mensagens a quem não responde: ${wayOf(cycle, byId)}. Ponha uma pergunta no caminho ou desfaça a volta.`,
      ),
    ),
    ...cyclesThrough(
      ids(() => true),
      unwaited,
      found,
    ).map((cycle) =>
      about(
        cycle,
        'error',
        `Estes passos se repetem sem esperar nem perguntar: ${wayOf(cycle, byId)}. Ponha um Delay ou uma pergunta no caminho.`,
      ),
    ),
    ...cyclesThrough(
      ids((node) => sends(node) || isAsking(node)),
      unanswered,
      found,
    ).map((cycle) =>
      about(
        cycle,
        'warning',
        `Enquanto o contato não responde, estes passos se repetem até ${maximumUnansweredMessages} mensagens, e o fluxo termina: ${wayOf(cycle, byId)}.`,
      ),
    ),
  ]
}

const messagesOf = (node: FlowNode): number => {
  if (isAsking(node)) return 1
  if (node.type === 'handover' || node.type === 'finish') return node.data.message.trim() === '' ? 0 : 1
  if (node.type !== 'message' || !node.data.enabled) return 0
  // Audio has no caption: two messages.
  return node.data.file?.kind === 'audio' && node.data.message.trim() !== '' ? 2 : 1
}

/** `checkCycles` reports those in cycles. */
export const checkUnanswered = ({ nodes, links }: FlowDocument): FlowProblem[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const ways = links.filter(({ source, sourceHandle }) => {
    const node = byId.get(source)
    return !node || !isAsking(node) || sourceHandle === 'timeout'
  })
  const targets = targetsBySource(ways)
  const arriving = new Map<string, number>()
  for (const { target } of ways) arriving.set(target, (arriving.get(target) ?? 0) + 1)
  const before = new Map<string, number>()
  const ready = [...byId.values()].filter(({ id }) => !arriving.has(id))
  const tooMany: FlowProblem[] = []
  for (const node of ready) {
    const sentBefore = before.get(node.id) ?? 0
    const sent = sentBefore + messagesOf(node)
    if (sentBefore <= maximumUnansweredMessages && sent > maximumUnansweredMessages)
      tooMany.push({
        ...{ kind: 'too_many_unanswered', severity: 'warning', nodeId: node.id },
        sentence: `Quando o fluxo chega aqui, pode já ter enviado ${maximumUnansweredMessages} mensagens sem nenhuma resposta do contato: então ele termina, e a conversa espera por uma pessoa.`,
      })
    for (const id of targets.get(node.id) ?? []) {
      before.set(id, Math.max(before.get(id) ?? 0, sent))
      const left = (arriving.get(id) ?? 0) - 1
      arriving.set(id, left)
      const target = byId.get(id)
      if (left === 0 && target) ready.push(target)
    }
  }
  return tooMany
}
