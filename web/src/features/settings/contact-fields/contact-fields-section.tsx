import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { ContactField } from '@prosa/contracts/http/contact-details'
import { answerTypeNames } from '@prosa/contracts/values/answers/answer-type'
import { maximumContactFields } from '@prosa/contracts/values/lengths'
import { useState } from 'react'
import AddIcon from '~icons/ic/round-add'
import {
  NewContactFieldDialog,
  RenameContactFieldDialog,
} from '../../../components/contact-fields/contact-field-dialog.tsx'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { NotReadPanel } from '../../../components/notices/not-read-panel.tsx'
import { useQueryThen } from '../../../components/past/moment-shown.tsx'
import { OwnWhyButton } from '../../../components/why/own-why.tsx'
import { contactFieldsQuery, useDeleteContactField } from '../../../lib/account/contact-fields.ts'
import { plural } from '../../../lib/format/format.ts'
import { call } from '../../../lib/http/call.ts'
import { RemovableRows } from '../removable-rows.tsx'
import { SettingsBlock } from '../settings-block.tsx'

const FieldRows = ({ fields, onRename }: { fields: ContactField[]; onRename: (field: ContactField) => void }) => (
  <RemovableRows
    name="Campos de contatos"
    summary={`${plural(fields.length, 'campo', 'campos')} de até ${maximumContactFields}. Nos textos de fluxos e respostas rápidas, o que está entre chaves vira o valor do contato.`}
    rows={fields}
    edit={{ title: 'Mudar o nome', labelOf: (name) => `Mudar o nome de ${name}`, onEdit: onRename }}
    remove={useDeleteContactField()}
    removalSentence="O campo sai de todos os contatos, com o que guardam nele. Textos que o usam ficam com um vazio no lugar."
  >
    {({ id, name, type, variable }) => (
      <>
        <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
          <Typography>{name}</Typography>
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
            {`${answerTypeNames[type]} · {${variable}}`}
          </Typography>
        </Box>
        <OwnWhyButton of={{ kind: 'contactField', field: 'name', part: id }} what={`Campo ${name}`} />
      </>
    )}
  </RemovableRows>
)

export const ContactFieldsSection = () => {
  const {
    data: fields,
    error,
    isPending,
    refetch,
  } = useQueryThen(contactFieldsQuery, (em, signal) => call('GET /api/contact-fields', { query: { em }, signal }))
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
