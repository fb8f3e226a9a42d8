import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import type { KeyScope } from '@prosa/contracts/values/key'
import { keyScopes, keyScopeWords, platformScopes } from '@prosa/contracts/values/key-scopes'
import { useState } from 'react'
import { useCreateKey } from '../../lib/account/api-keys.ts'
import { plainDate } from '../../lib/format/format.ts'
import { useForm } from '../../lib/forms/use-form.ts'
import { serverNow } from '../../lib/http/server-clock.ts'
import { ChoiceGroup } from '../forms/choice-group.tsx'
import { Field } from '../forms/field.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { Notice } from '../notices/notice.tsx'
import { expiryChoices, isOfPublished, labelOf } from './key-words.ts'

const dayMs = 24 * 60 * 60 * 1000
const usualDays = 90

interface ScopesProps {
  offered: readonly KeyScope[]
  chosen: readonly KeyScope[]
  error: string | undefined
  onChange: (scopes: KeyScope[]) => void
}

const Scopes = ({ offered, chosen, error, onChange }: ScopesProps) => (
  <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, display: 'grid', gap: 2 }}>
    <Typography component="legend" variant="subtitle2" sx={{ mb: 1 }}>
      O que ela abre
    </Typography>
    {offered.map((scope) => (
      <FormControlLabel
        key={scope}
        control={
          <Checkbox
            name="scopes"
            checked={chosen.includes(scope)}
            onChange={(_, checked) => onChange(checked ? [...chosen, scope] : chosen.filter((each) => each !== scope))}
          />
        }
        label={
          <>
            {labelOf(scope)}
            <Typography variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
              {keyScopeWords[scope].sentence}
            </Typography>
          </>
        }
        sx={{ alignItems: 'flex-start', '& .MuiCheckbox-root': { mt: -2 } }}
      />
    ))}
    {error && (
      <Typography role="alert" variant="caption" sx={{ color: 'danger' }}>
        {error}
      </Typography>
    )}
  </Box>
)

const PersonalChoice = ({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) => (
  <Box sx={{ display: 'grid', gap: 2 }}>
    <FormControlLabel
      control={<Checkbox checked={checked} onChange={(_, on) => onChange(on)} />}
      label="Incluir os dados pessoais dos meus contatos"
    />
    <Typography variant="caption" sx={{ color: 'text.secondary' }}>
      Vale para eventos e tabelas. Sem isso, nomes, telefones e textos ficam de fora, e cada contato é um pseudônimo que
      só vale na sua conta.
    </Typography>
    {checked && (
      <Notice kind="warning">
        Quem tiver esta chave lê nomes, telefones e mensagens. Fica no seu histórico que você pediu isso, quando, e cada
        leitura. Do que sair do Prosa, quem cuida é você: se um contato pedir para ser apagado, apague também as cópias.
      </Notice>
    )}
  </Box>
)

interface Props {
  ofPlatform: boolean
  onClose: () => void
  onCreated: (name: string, secret: string) => void
}

export const CreateKeyDialog = ({ ofPlatform, onClose, onCreated }: Props) => {
  const values = useState({ name: '', scopes: ['streams'] as KeyScope[], days: usualDays as number, personal: false })
  const form = useForm(values, {
    command: useCreateKey(ofPlatform),
    toInput: ({ name, scopes, days, personal }) => ({
      ...{ name: name.trim(), scopes, expiresInDays: days, withPersonal: personal && isOfPublished(scopes) },
    }),
    check: ({ name, scopes }) => ({
      name: name.trim() === '' ? 'Dê um nome à chave.' : undefined,
      scopes: scopes.length === 0 ? 'Escolha pelo menos uma coisa que ela abre.' : undefined,
    }),
    onDone: ({ key }) => onCreated(form.values.name.trim(), key),
  })
  const { scopes, days, personal } = form.values
  const until = new Date((serverNow() ?? Date.now()) + days * dayMs).toISOString()
  return (
    <FormDialog title="Criar chave de API" maxWidth="sm" form={form} submit="Criar chave" onClose={onClose}>
      <Field
        label="Nome"
        help="Diga que programa vai usar, por exemplo 'Painel de vendas'."
        maxLength={80}
        autoComplete="off"
        autoFocus
        {...form.bind('name')}
      />
      <Scopes
        offered={ofPlatform ? platformScopes : keyScopes}
        chosen={scopes}
        error={form.errorOf('scopes')}
        onChange={(next) => form.set({ scopes: next })}
      />
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Typography variant="subtitle2">Vale por</Typography>
        <ChoiceGroup
          label="Vale por"
          choices={expiryChoices.map((each) => ({ value: each.days as number, label: each.label }))}
          value={days}
          onChange={(next) => form.set({ days: next })}
        />
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          Até {plainDate(until)}. Você pode revogar antes.
        </Typography>
      </Box>
      {ofPlatform ? (
        <Notice kind="info">Ela lê os dados de todas as contas, sem nada que diga quem é alguém.</Notice>
      ) : (
        isOfPublished(scopes) && <PersonalChoice checked={personal} onChange={(on) => form.set({ personal: on })} />
      )}
    </FormDialog>
  )
}
