import { type FlowDocument, type FlowNote, maximumFlowNotes } from '@prosa/contracts/flows/flow-document'

/** As the type of an element that is added or dragged. */
export const noteElement = 'note'

export const notesOf = ({ notes = [] }: Pick<FlowDocument, 'notes'>): readonly FlowNote[] => notes

/** Without notes the field is absent, as in documents that never had one. */
export const withNotes = ({ notes: _, ...document }: FlowDocument, notes: readonly FlowNote[]): FlowDocument =>
  notes.length === 0 ? document : { ...document, notes: [...notes] }

export const isFullOfNotes = (document: FlowDocument): boolean => notesOf(document).length >= maximumFlowNotes
