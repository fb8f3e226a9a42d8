import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { useEffect, useState } from 'react'

/** Pause in typing or dragging before a test runs. */
const restMs = 400

/** Debounces the value; the first one is returned at once. */
export const useSettled = <T>(value: T): T => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (value === settled) return
    const timer = setTimeout(() => setSettled(() => value), restMs)
    return () => clearTimeout(timer)
  }, [value, settled])
  return settled
}

/** Coordinates of nodes do not affect a run. */
const playedText = ({ nodes, links, settings }: FlowDocument) =>
  JSON.stringify([nodes.map(({ id, type, data }) => [id, type, data]), links, settings])

/** `number` counts the changes that can affect a run. */
export const useSettledDocument = (document: FlowDocument): { document: FlowDocument; number: number } => {
  const settled = useSettled(document)
  const [played, setPlayed] = useState(() => ({ document: settled, text: playedText(settled), number: 0 }))
  useEffect(() => {
    if (settled === played.document) return
    const text = playedText(settled)
    setPlayed({ document: settled, text, number: text === played.text ? played.number : played.number + 1 })
  }, [settled, played])
  return played
}
