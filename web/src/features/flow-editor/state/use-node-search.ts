import type { FlowNode } from '@prosa/contracts/flows/flow-document'
import { useMemo, useState } from 'react'
import { foundNodes } from '../node-search.tsx'
import type { Named } from '../node-words.ts'

const none: ReadonlySet<string> = new Set()

export const useNodeSearch = (nodes: readonly FlowNode[], named: Named, onShow: (nodeId: string) => void) => {
  const [text, setText] = useState<string | null>(null)
  const [at, setAt] = useState(-1)
  const found = useMemo(() => (text === null ? [] : foundNodes(nodes, text, named)), [nodes, text, named])
  const ids = useMemo(() => (found.length === 0 ? none : new Set(found.map(({ id }) => id))), [found])
  return {
    isOpen: text !== null,
    text: text ?? '',
    found,
    ids,
    at: Math.min(at, found.length - 1),
    open: () => setText((known) => known ?? ''),
    close: () => setText(null),
    write: (written: string) => {
      setText(written)
      setAt(-1)
    },
    go: (by: 1 | -1) => {
      if (found.length === 0) return
      const next = (at + by + found.length) % found.length
      setAt(next)
      const node = found[next]
      if (node) onShow(node.id)
    },
  }
}

export type NodeSearching = ReturnType<typeof useNodeSearch>
