import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { ContactField } from '@prosa/contracts/http/contact-details'
import { answerTypeNames } from '@prosa/contracts/values/answers/answer-type'
import { maximumContactFields } from '@prosa/contracts/values/lengths'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import AddIcon from '~icons/ic/round-add'
import DeleteIcon from '~icons/ic/round-delete-outline'
import EditIcon from '~icons/ic/round-edit'
import {
  NewContactFieldDialog,
  RenameContactFieldDialog,
} from '../../../components/contact-fields/contact-field-dialog.tsx'
import { ConfirmDialog } from '../../../components/forms/confirm-dialog.tsx'
import { KeyHint } from '../../../components/key-hint.tsx'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { NotReadPanel } from '../../../components/notices/not-read-panel.tsx'
import { contactFieldsQuery, useDeleteContactField } from '../../../lib/account/contact-fields.ts'
import { plural } from '../../../lib/format/format.ts'
import { SettingsBlock } from '../settings-block.tsx'

const Row = ({ field, onRename, onDelete }: { field: ContactField; onRename: () => void; onDelete: () => void }) => (
  <Box
    component="li"
    sx={{
      ...{ display: 'flex', alignItems: 'center', gap: 1, px: 4, py: 2 },
      '& + &': { borderTop: '1px solid', borderColor: 'divider' },
    }}
  >
    <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
      <Typography>{field.name}</Typography>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {`${answerTypeNames[field.type]} · {${field.variable}}`}
      </Typography>
    </Box>
    <KeyHint title="Mudar o nome">
      <IconButton aria-label={`Mudar o nome de ${field.name}`} color="secondary" onClick={onRename}>
        <EditIcon />
      </IconButton>
    </KeyHint>
    <KeyHint title="Excluir">
      <IconButton aria-label={`Excluir ${field.name}`} onClick={onDelete} sx={{ color: 'danger' }}>
        <DeleteIcon />
      </IconButton>
    </KeyHint>
  </Box>
)

const FieldRows = ({ fields, onRename }: { fields: ContactField[]; onRename: (field: ContactField) => void }) => {
  const [asked, setAsked] = useState<ContactField | null>(null)
  const remove = useDeleteContactField()
  return (
    <>
      <Typography sx={{ color: 'text.secondary' }}>
        {plural(fields.length, 'campo', 'campos')} de até {maximumContactFields}. Nos textos de fluxos e respostas
        rápidas, o que está entre chaves vira o valor do contato.
      </Typography>
      <Panel>
        <Box component="ul" aria-label="Campos de contatos" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {fields.map((field) => (
            <Row key={field.id} field={field} onRename={() => onRename(field)} onDelete={() => setAsked(field)} />
          ))}
        </Box>
      </Panel>
      {asked && (
        <ConfirmDialog
          open
          title={`Excluir ${asked.name}`}
          sentence="O campo sai de todos os contatos, com o que guardam nele. Textos que o usam ficam com um vazio no lugar."
          confirm="Excluir"
          destructive
          pending={remove.isPending}
          onConfirm={() => remove.mutate(asked.id, { onSettled: () => setAsked(null) })}
          onCancel={() => setAsked(null)}
        />
      )}
    </>
  )
}

export const ContactFieldsSection = () => {
  const { data: fields, error, isPending, refetch } = useQuery(contactFieldsQuery)
  const [isCreating, setCreating] = useState(false)
  const [renamed, setRenamed] = useState<ContactField | null>(null)
  const add = (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setCreating(true)}>
      Novo campo
    </Button>
  )
  return (
    <SettingsBlock title="Campos de contatos" action={fields && fields.length > 0 && add}>
      {isPending ? (
        <Box role="status" aria-label="Carregando...">
          <Skeleton variant="rounded" sx={{ height: 'var(--card-height)' }} />
        </Box>
      ) : !fields ? (
        <NotReadPanel title="Os campos não puderam ser lidos" error={error} onRetry={() => void refetch()} />
      ) : fields.length === 0 ? (
        <Panel>
          <EmptyState
            title="Nenhum campo ainda"
            sentence="Guarde de cada contato o que a sua empresa precisa, como data de nascimento, CPF ou cidade."
            action={add}
          />
        </Panel>
      ) : (
        <FieldRows fields={fields} onRename={setRenamed} />
      )}
      {isCreating && <NewContactFieldDialog onClose={() => setCreating(false)} />}
      {renamed && <RenameContactFieldDialog field={renamed} onClose={() => setRenamed(null)} />}
    </SettingsBlock>
  )
}
