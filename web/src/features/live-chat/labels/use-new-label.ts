import type { Label } from '@prosa/contracts/http/labels'
import type { LabelColour } from '@prosa/contracts/values/label-colour'
import { maximumLabelLength, maximumLabels } from '@prosa/contracts/values/lengths'
import { useState } from 'react'
import { labelNamed, labelNameOf } from '../../../lib/account/labels.ts'
import { rarestColour, useNamedLabel } from '../../../lib/account/save-label.ts'
import { refusalOr } from '../../../lib/http/http.ts'

const problemOf = (labels: readonly Label[], name: string): string | null => {
  if (name.length > maximumLabelLength) return `O nome pode ter no máximo ${maximumLabelLength} caracteres.`
  return labels.length >= maximumLabels ? `Você já tem ${maximumLabels} etiquetas. Exclua uma para criar outra.` : null
}

/** The label that `text` names where none has that name yet. */
export const useNewLabel = (labels: readonly Label[], text: string) => {
  const [chosen, chooseColour] = useState<LabelColour | null>(null)
  const { mutateAsync, isPending, error, reset } = useNamedLabel()
  const name = labelNameOf(text)
  const isNew = name !== '' && !labelNamed(labels, name)
  const problem = isNew ? problemOf(labels, name) : null
  const draft = { name, colour: chosen ?? rarestColour(labels) }

  /** Calls back also when the dialog was closed meanwhile. `failure` shows what went wrong. */
  const create = (onLabel: (label: Label) => void) => {
    if (isPending) return
    const created = (label: Label) => {
      chooseColour(null)
      onLabel(label)
    }
    mutateAsync(draft).then(created, () => undefined)
  }
  return {
    /** Null where the text names none that can be created. */
    offered: isNew && problem === null ? draft : null,
    failure: error ? refusalOr(error, 'A etiqueta não foi criada. Tente novamente.') : problem,
    isPending,
    chooseColour,
    create,
    forgetFailure: reset,
  }
}
