import Box from '@mui/material/Box'
import { type FlowDocument, type FlowNode, outputsOf } from '@prosa/contracts/flows/flow-document'
import { nodeTypeNames } from '@prosa/contracts/flows/node-name'
import { type Dispatch, useEffect, useMemo, useRef, useState } from 'react'
import type { RowAction } from '../../../components/tables/row-menu.tsx'
import { type Named, nodeTitle, outputName } from '../node-words.ts'
import { NoteList } from '../notes/note-list.tsx'
import type { FlowEdit } from '../state/flow-edits.ts'
import { addingBehind } from '../state/new-node.ts'
import { mainOutputOf, movedUp, readingOrder, targetOf } from '../state/node-graph.ts'
import type { ProblemsByNode } from '../state/use-problems.ts'
import { StepMenu } from '../step-menu.tsx'
import { type Choosing, NodeItem } from './node-item.tsx'
import { type ListedNode, NodeOutput } from './node-output.tsx'

export interface NodeListProps {
  document: FlowDocument
  selected: readonly string[]
  problems: ProblemsByNode
  currentNodeId: string | null
  found: ReadonlySet<string>
  named: Named
  edit: Dispatch<FlowEdit>
  onOpen: (nodeId: string) => void
  onCopy: (nodeId: string) => void
}

const useNodeFocus = (list: React.RefObject<HTMLElement | null>, document: FlowDocument) => {
  const wanted = useRef<string | null>(null)
  const focus = (nodeId: string) => list.current?.querySelector<HTMLElement>(`[data-step="${nodeId}"]`)?.focus()
  // biome-ignore lint/correctness/useExhaustiveDependencies: after the document has changed
  useEffect(() => {
    if (wanted.current !== null) focus(wanted.current)
    wanted.current = null
  }, [document])
  return {
    focus,
    focusNext: (nodeId: string | undefined) => {
      wanted.current = nodeId ?? null
    },
  }
}

/** In reading order, with their numbers. */
const useListedNodes = (document: FlowDocument, named: Named) => {
  const ordered = useMemo(() => readingOrder(document), [document])
  const titles = useMemo(
    () => new Map(ordered.map((node, at) => [node.id, `${at + 1}. ${nodeTitle(node, named)}`])),
    [ordered, named],
  )
  const listed = (id: string | undefined): ListedNode | undefined =>
    id === undefined || !titles.has(id) ? undefined : { id, title: titles.get(id) ?? '' }
  return { ordered, listed }
}

interface ActionOptions extends Pick<NodeListProps, 'document' | 'edit' | 'onOpen' | 'onCopy'> {
  ordered: readonly FlowNode[]
  focusNext: (nodeId: string | undefined) => void
}

const nodeActions = (node: FlowNode, at: number, options: ActionOptions): RowAction[] => {
  const { document, ordered, edit, focusNext, onOpen, onCopy } = options
  const output = mainOutputOf(node)
  const next = output === undefined ? undefined : targetOf(document, node.id, output)
  const canMoveDown = next !== undefined && movedUp(document, next) !== undefined && isAbove(document, node.id, next)
  const move = (nodeId: string) => () => {
    focusNext(node.id)
    edit({ type: 'move_up', nodeId })
  }
  return [
    { label: 'Propriedades', onPress: () => onOpen(node.id) },
    { label: 'Mover para cima', disabled: movedUp(document, node.id) === undefined, onPress: move(node.id) },
    { label: 'Mover para baixo', disabled: !canMoveDown, onPress: move(next ?? '') },
    { label: 'Copiar', onPress: () => onCopy(node.id) },
    {
      label: 'Excluir',
      destructive: true,
      onPress: () => {
        focusNext((ordered[at + 1] ?? ordered[at - 1])?.id)
        edit({ type: 'delete', nodeIds: [node.id], linkIds: [] })
      },
    },
  ]
}

/** Alternative to the canvas for keyboards, screen readers and phones. */
export const NodeList = (props: NodeListProps) => {
  const { document, selected, problems, currentNodeId, found, named, edit, onOpen, onCopy } = props
  const list = useRef<HTMLOListElement>(null)
  const [choosing, setChoosing] = useState<Choosing | null>(null)
  const [adding, setAdding] = useState<(Choosing & { anchor: HTMLElement }) | null>(null)
  const { focus, focusNext } = useNodeFocus(list, document)
  const { ordered, listed } = useListedNodes(document, named)
  const chosen = useMemo(() => new Set(selected), [selected])

  const lead = (source: string, output: Choosing['output'], target: string | null) => {
    setChoosing(null)
    focusNext(source)
    if (target === null) edit({ type: 'disconnect', output: { source, sourceHandle: output } })
    else edit({ type: 'connect', way: { source, sourceHandle: output, target } })
  }

  return (
    <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto' }}>
      <Box
        component="ol"
        ref={list}
        aria-label="Passos do fluxo"
        sx={{ m: 0, mx: 'auto', p: 0, maxWidth: 'var(--history-width)' }}
      >
        {ordered.map((node, at) => (
          <NodeItem
            key={node.id}
            node={node}
            number={at + 1}
            named={named}
            problems={problems.get(node.id) ?? []}
            isSelected={chosen.has(node.id)}
            isCurrent={currentNodeId === node.id}
            isFound={found.has(node.id)}
            actions={nodeActions(node, at, { document, ordered, edit, focusNext, onOpen, onCopy })}
            onOpen={() => onOpen(node.id)}
            onSelect={(isSelected) =>
              edit({ type: 'choose', nodes: [{ id: node.id, selected: isSelected }], links: [] })
            }
          >
            {outputsOf(node).map((output) => {
              const isChoosing = choosing?.source === node.id && choosing.output === output
              return (
                <NodeOutput
                  key={output}
                  of={`${at + 1}. ${nodeTypeNames[node.type]}`}
                  name={outputName(output, node)}
                  target={listed(targetOf(document, node.id, output))}
                  choices={
                    isChoosing
                      ? ordered.flatMap(({ id, type }) => (type === 'trigger' ? [] : (listed(id) ?? [])))
                      : null
                  }
                  onChoose={() => setChoosing({ source: node.id, output })}
                  onChosen={(target) => lead(node.id, output, target)}
                  onGo={focus}
                  onAdd={(anchor) => setAdding({ source: node.id, output, anchor })}
                />
              )
            })}
          </NodeItem>
        ))}
      </Box>
      <NoteList {...{ document, selected, edit, onOpen, onCopy }} onDelete={() => focusNext(ordered.at(-1)?.id)} />
      {adding && (
        <StepMenu
          anchor={adding.anchor}
          onClose={() => setAdding(null)}
          onChoose={(type) => {
            setAdding(null)
            const added = addingBehind(type, document, { source: adding.source, sourceHandle: adding.output })
            edit(added)
            onOpen(added.node.id)
          }}
        />
      )}
    </Box>
  )
}

/** Moving `second` up must put it before `first`, not before another source of its links. */
const isAbove = ({ links }: FlowDocument, first: string, second: string) =>
  links.find(({ target }) => target === second)?.source === first
