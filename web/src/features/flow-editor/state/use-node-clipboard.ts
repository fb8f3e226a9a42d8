import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { type Dispatch, useEffect, useRef } from 'react'
import { isTyping } from '../../../lib/browser/is-typing.ts'
import { useToast } from '../../../lib/toast.ts'
import { copiedNodes, pastedNodes } from '../clipboard.ts'
import type { FlowEdit } from './flow-edits.ts'

interface Options {
  document: FlowDocument
  selected: readonly string[]
  edit: Dispatch<FlowEdit>
}

const isElsewhere = (target: EventTarget | null) =>
  isTyping(target) || document.querySelector('[role="dialog"]') !== null
const isTextSelected = () => (window.getSelection()?.toString() ?? '') !== ''

/** Uses the browser's clipboard events, so it works between flows and windows. */
export const useNodeClipboard = (options: Options): void => {
  const latest = useRef(options)
  const toast = useToast()
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    const take = (event: ClipboardEvent): boolean => {
      const { document, selected } = latest.current
      if (selected.length === 0 || isElsewhere(event.target) || isTextSelected() || !event.clipboardData) return false
      event.clipboardData.setData('text/plain', copiedNodes(document, selected))
      event.preventDefault()
      return true
    }
    const onCut = (event: ClipboardEvent) => {
      const { selected, edit } = latest.current
      if (take(event)) edit({ type: 'delete', nodeIds: selected, linkIds: [] })
    }
    const onPaste = (event: ClipboardEvent) => {
      if (isElsewhere(event.target)) return
      const pasted = pastedNodes(event.clipboardData?.getData('text/plain') ?? '')
      if (!pasted)
        return toast({
          kind: 'info',
          title: 'Nada para colar',
          description: 'Copie passos deste ou de outro fluxo com Ctrl C.',
        })
      event.preventDefault()
      latest.current.edit({ type: 'paste', ...pasted })
    }
    document.addEventListener('copy', take)
    document.addEventListener('cut', onCut)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('copy', take)
      document.removeEventListener('cut', onCut)
      document.removeEventListener('paste', onPaste)
    }
  }, [toast])
}
