import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { useEffect, useState } from 'react'

/** Somebody who writes or drags rests this long before what they did is played, in ms. */
const restMs = 400

/** The value once it has not changed for a moment; the first one at once. */
export const useSettled = <T>(value: T): T => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (value === settled) return
    const timer = setTimeout(() => setSettled(() => value), restMs)
    return () => clearTimeout(timer)
  }, [value, settled])
  return settled
}

/** What a run depends on: where a node stands on the canvas changes nothing. */
const playedText = ({ nodes, links, settings }: FlowDocument) =>
  JSON.stringify([nodes.map(({ id, type, data }) => [id, type, data]), links, settings])

/** The draft once it rests. `number` counts those of its changes that a run could notice. */
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
