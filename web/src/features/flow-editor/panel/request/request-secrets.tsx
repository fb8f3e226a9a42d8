import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { maximumFlowSecretLength, maximumFlowSecrets } from '@prosa/contracts/flows/flow-limits'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import DeleteIcon from '~icons/ic/round-delete-outline'
import { CopyButton } from '../../../../components/copy-button.tsx'
import { ConfirmDialog } from '../../../../components/forms/confirm-dialog.tsx'
import { Field } from '../../../../components/forms/field.tsx'
import { PasswordField } from '../../../../components/forms/password-field.tsx'
import { Notice } from '../../../../components/notices/notice.tsx'
import { refusalOr } from '../../../../lib/http/http.ts'
import { flowSecretsQuery, useRemoveSecret, useStoreSecret } from './api.ts'
import { Part } from './request-lists.tsx'

const NewSecret = ({ onClose }: { onClose: () => void }) => {
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const store = useStoreSecret()
  const canStore = name !== '' && value !== '' && !store.isPending
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Field
        label="Nome do segredo"
        help="Como chave_do_estoque. O nome de um que já existe troca o valor dele."
        maxLength={40}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={(text) => setName(text.toLowerCase().replaceAll(' ', '_'))}
      />
      <PasswordField
        label="Valor do segredo"
        name="flow-secret"
        help="Fica cifrado e não é mostrado nunca mais."
        autoComplete="new-password"
        value={value}
        onChange={(text) => setValue(text.slice(0, maximumFlowSecretLength))}
      />
      {store.error && <Notice kind="error">{refusalOr(store.error, 'O segredo não pôde ser guardado.')}</Notice>}
      <Box sx={{ display: 'flex', gap: 2 }}>
        <Button
          variant="contained"
          disabled={!canStore}
          onClick={() => store.mutate({ name, value }, { onSuccess: onClose })}
        >
          Guardar segredo
        </Button>
        <Button color="inherit" onClick={onClose}>
          Cancelar
        </Button>
      </Box>
    </Box>
  )
}

/** The account's, for all flows. */
export const RequestSecrets = () => {
  const { data = [], error } = useQuery(flowSecretsQuery)
  const [isAdding, setIsAdding] = useState(false)
  const [removing, setRemoving] = useState<string | null>(null)
  const remove = useRemoveSecret()
  return (
    <Part title="Segredos" help="Chaves e senhas da conta, para cabeçalhos, corpo e endereço de qualquer fluxo.">
      {error && <Notice kind="error">{refusalOr(error, 'Os segredos não puderam ser lidos.')}</Notice>}
      {data.length > 0 && (
        <Box component="ul" aria-label="Segredos" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {data.map(({ name }) => (
            <Box component="li" key={name} sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
              <Box
                component="code"
                sx={{ flex: 1, minWidth: 0, fontFamily: 'var(--mono)', fontSize: '0.9em', overflowWrap: 'anywhere' }}
              >
                {`{{segredo:${name}}}`}
              </Box>
              <CopyButton
                text={`{{segredo:${name}}}`}
                what="o segredo"
                about={name}
                done="Copiado: cole onde ele vai"
              />
              <IconButton aria-label={`Excluir o segredo ${name}`} color="secondary" onClick={() => setRemoving(name)}>
                <DeleteIcon />
              </IconButton>
            </Box>
          ))}
        </Box>
      )}
      {isAdding ? (
        <NewSecret onClose={() => setIsAdding(false)} />
      ) : (
        data.length < maximumFlowSecrets && (
          <Button variant="outlined" onClick={() => setIsAdding(true)} sx={{ justifySelf: 'start' }}>
            Novo segredo
          </Button>
        )
      )}
      <ConfirmDialog
        open={removing !== null}
        title="Excluir segredo?"
        sentence={`As requisições que usam ${removing ?? ''} passam a dar errado, também as de fluxos publicados.`}
        confirm="Excluir"
        destructive
        pending={remove.isPending}
        onCancel={() => setRemoving(null)}
        onConfirm={() => remove.mutate(removing ?? '', { onSettled: () => setRemoving(null) })}
      />
    </Part>
  )
}
