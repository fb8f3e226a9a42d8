import type { FlowDocument, FlowLink, FlowNode } from '@prosa/contracts/flows/flow-document'
import type { FlowNames } from '../flow-words.ts'
import { notesOf } from '../notes/flow-notes.ts'
import { type DescribedField, describeLink, describeNode, describeSettings, orEmpty } from './describe-node.ts'

/** Null on the side without this field. */
export interface FieldChange {
  label: string
  before: string | null
  after: string | null
}

interface FlowComparison {
  added: FlowNode[]
  removed: FlowNode[]
  changed: { node: FlowNode; fields: FieldChange[] }[]
  /** As sentences. */
  linksAdded: string[]
  linksRemoved: string[]
  settings: FieldChange[]
  notes: FieldChange[]
  isSame: boolean
}

const changes = (before: readonly DescribedField[], after: readonly DescribedField[]): FieldChange[] => {
  const find = (fields: readonly DescribedField[], label: string) =>
    fields.find((field) => field.label === label)?.value ?? null
  const labels = new Set([...before, ...after].map(({ label }) => label))
  return [...labels]
    .map((label) => ({ label, before: find(before, label), after: find(after, label) }))
    .filter((change) => change.before !== change.after)
}

const linkKey = ({ source, sourceHandle, target }: FlowLink) => JSON.stringify([source, sourceHandle, target])

const linksOnlyIn = (one: FlowDocument, other: FlowDocument) => {
  const known = new Set(other.links.map(linkKey))
  return one.links.filter((link) => !known.has(linkKey(link))).map((link) => describeLink(link, one.nodes))
}

/** In the order of the later document, then those that are gone. */
const noteChanges = (before: FlowDocument, after: FlowDocument): FieldChange[] => {
  const was = new Map(notesOf(before).map(({ id, text }) => [id, orEmpty(text)]))
  const is = new Map(notesOf(after).map(({ id, text }) => [id, orEmpty(text)]))
  return [...new Set([...is.keys(), ...was.keys()])]
    .filter((id) => was.get(id) !== is.get(id))
    .map((id, at) => ({ label: `Nota ${at + 1}`, before: was.get(id) ?? null, after: is.get(id) ?? null }))
}

/** Ignores the coordinates of nodes and notes. */
export const compareFlows = (before: FlowDocument, after: FlowDocument, names: FlowNames): FlowComparison => {
  const nodesBefore = new Map(before.nodes.map((node) => [node.id, node]))
  const idsAfter = new Set(after.nodes.map(({ id }) => id))
  const comparison = {
    added: after.nodes.filter(({ id }) => !nodesBefore.has(id)),
    removed: before.nodes.filter(({ id }) => !idsAfter.has(id)),
    changed: after.nodes.flatMap((node) => {
      const earlier = nodesBefore.get(node.id)
      const fields = earlier ? changes(describeNode(earlier, names), describeNode(node, names)) : []
      return fields.length > 0 ? [{ node, fields }] : []
    }),
    linksAdded: linksOnlyIn(after, before),
    linksRemoved: linksOnlyIn(before, after),
    notes: noteChanges(before, after),
    settings: changes(describeSettings(before.settings, names), describeSettings(after.settings, names)),
  }
  return { ...comparison, isSame: Object.values(comparison).every(({ length }) => length === 0) }
}
