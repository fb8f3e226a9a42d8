import type { FlowNote } from '@prosa/contracts/flows/flow-document'
import { memo } from 'react'
import type { Node, NodeProps } from 'reactflow'
import NoteIcon from '~icons/ic/round-sticky-note-2'

interface NoteData {
  note: FlowNote
}

type CanvasNote = Node<NoteData>

export const NoteBox = memo(({ data: { note }, selected }: NodeProps<NoteData>) => (
  <div className={selected ? 'flow-note flow-step-selected' : 'flow-note'}>
    <button type="button" className="flow-step-body" aria-pressed={selected} data-step={note.id}>
      <span className="flow-step-head">
        <NoteIcon aria-hidden="true" />
        Nota
      </span>
      <span className="flow-note-text">{note.text.trim() === '' ? 'Sem texto' : note.text}</span>
    </button>
  </div>
))
NoteBox.displayName = 'NoteBox'

/** Below steps and links. Unchanged notes keep their identity, so that React does not render them again. */
export const canvasNotes = (
  notes: readonly FlowNote[],
  selected: readonly string[],
  before: readonly CanvasNote[],
): CanvasNote[] => {
  const known = new Map(before.map((one) => [one.id, one]))
  return notes.map((note) => {
    const was = known.get(note.id)
    const isSelected = selected.includes(note.id)
    if (was && was.selected === isSelected && was.data.note === note) return was
    return {
      id: note.id,
      type: 'note',
      position: note.position,
      data: { note },
      selected: isSelected,
      zIndex: -1,
      width: was?.width ?? null,
      height: was?.height ?? null,
      ariaLabel: 'Nota',
    }
  })
}
