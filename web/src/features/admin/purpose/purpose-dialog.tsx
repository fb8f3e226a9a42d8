import Button from '@mui/material/Button'
import type { ReadingPurposeBody } from '@prosa/contracts/http/administration/reading-purposes'
import type { ReadingPurpose } from '@prosa/contracts/values/reading'
import { readingPurposeNames } from '@prosa/contracts/values/reading-words'
import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { FormSummary } from '../../../components/forms/form-summary.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { TextAreaField } from '../../../components/forms/text-area-field.tsx'
import { useForm } from '../../../lib/forms/use-form.ts'
import { call } from '../../../lib/http/call.ts'
import { answerPurpose } from '../../../lib/http/reading-purpose.ts'
import { useCommand } from '../../../lib/http/use-command.ts'

/** Stated last in this page by whoever is signed in. Without its details, which may be about another tenant. */
const lastPurposeAtom = atom<ReadingPurpose | null>(null)

/** Afterwards the waiting requests continue and failed queries of the panel are fetched again. */
const useStatePurpose = () => {
  const note = useSetAtom(lastPurposeAtom)
  return useCommand({
    run: (body: ReadingPurposeBody) => call('POST /api/admin/reading-purposes', { body }),
    apply: (queries, _reply, { purpose }) => {
      note(purpose)
      answerPurpose(true)
      void queries.refetchQueries({ queryKey: ['admin'], predicate: ({ state }) => state.status === 'error' })
    },
  })
}

/** One press that names the purpose and states it. 'Outro motivo' says nothing without its words. */
const SamePurpose = ({ disabled, onState }: { disabled: boolean; onState: (purpose: ReadingPurpose) => void }) => {
  const last = useAtomValue(lastPurposeAtom)
  if (last === null || last === 'other') return null
  return (
    <Button variant="outlined" disabled={disabled} onClick={() => onState(last)}>
      O mesmo motivo: {readingPurposeNames[last]}
    </Button>
  )
}

const purposes = Object.keys(readingPurposeNames) as ReadingPurpose[]
const options = [
  { value: '', label: 'Escolha um motivo' },
  ...purposes.map((value) => ({ value, label: readingPurposeNames[value] })),
]

interface Props {
  /** Null: all tenants. */
  tenant: string | null
  onClose: () => void
}

/** Asks for the purpose before personal data is shown. */
export const PurposeDialog = ({ tenant, onClose }: Props) => {
  const command = useStatePurpose()
  const form = useForm(useState<{ purpose: ReadingPurpose | ''; details: string }>({ purpose: '', details: '' }), {
    command,
    toInput: ({ purpose, details }) => ({
      tenantId: tenant,
      purpose: purpose || 'other',
      details: details.trim() || undefined,
    }),
    failed: 'O motivo não foi registrado. Tente de novo.',
  })
  const { purpose, details } = form.values
  const isOther = purpose === 'other'
  return (
    <FormDialog
      title="Por que você precisa ver estes dados?"
      description={
        <>
          {tenant === null ? 'São dados pessoais de todas as contas.' : 'São dados pessoais de uma conta.'} O que você
          abrir fica no histórico de quem foi lido, com seu nome, a hora e este motivo, que vale por uma hora.
        </>
      }
      form={form}
      submit="Ver dados"
      submitting="Registrando..."
      canSubmit={purpose !== '' && (!isOther || details.trim() !== '')}
      onClose={onClose}
    >
      <SamePurpose
        disabled={command.isPending}
        onState={(same) => command.mutate({ tenantId: tenant, purpose: same })}
      />
      <SelectField
        label="Motivo"
        value={purpose}
        onChange={(chosen) => form.set({ purpose: purposes.find((each) => each === chosen) ?? '' })}
        options={options}
        autoFocus
      />
      <TextAreaField
        label={isOther ? 'Qual motivo' : 'Detalhes (opcional)'}
        help="Por exemplo, o número do pedido de ajuda."
        rows={2}
        maxLength={500}
        {...form.bind('details')}
      />
      <FormSummary sentence={form.problem?.errors.length ? null : form.summary} />
    </FormDialog>
  )
}
