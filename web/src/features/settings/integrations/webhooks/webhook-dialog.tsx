import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import Typography from '@mui/material/Typography'
import type { WebhookSettings, WebhookShown } from '@prosa/contracts/http/webhooks'
import { maximumWebhookAddressLength } from '@prosa/contracts/values/webhook'
import { useState } from 'react'
import { Field } from '../../../../components/forms/field.tsx'
import { FormDialog } from '../../../../components/forms/form-dialog.tsx'
import { FormSummary } from '../../../../components/forms/form-summary.tsx'
import { useForm } from '../../../../lib/forms/use-form.ts'
import { useSaveWebhook } from './api.ts'
import { TypesField } from './types-field.tsx'

interface Values extends Required<WebhookSettings> {}

const draftOf = ({ name, address, ...values }: Values): WebhookSettings => ({
  ...values,
  name: name.trim(),
  address: address.trim(),
})

interface Props {
  webhook?: WebhookShown | undefined
  onClose: () => void
  onSecret: (secret: string) => void
}

export const WebhookDialog = ({ webhook, onClose, onSecret }: Props) => {
  const { name = '', address = '', types = [], withPersonal = false } = webhook ?? {}
  const form = useForm(useState<Values>({ name, address, types, withPersonal }), {
    command: useSaveWebhook(webhook?.id),
    toInput: draftOf,
    check: (values) => {
      const draft = draftOf(values)
      return {
        name: draft.name === '' ? 'Dê um nome.' : undefined,
        address: draft.address === '' ? 'Diga o endereço.' : undefined,
        types: draft.types.length === 0 ? 'Escolha ao menos um tipo de evento.' : undefined,
      }
    },
    fieldOf: ({ type }) => (type.startsWith('webhook_address') ? 'address' : undefined),
    failed: 'O webhook não foi salvo. Tente de novo.',
    onDone: ({ secret }) => {
      onClose()
      if (secret !== undefined) onSecret(secret)
    },
  })
  return (
    <FormDialog
      title={webhook ? 'Editar webhook' : 'Novo webhook'}
      maxWidth="sm"
      form={form}
      submit={webhook ? 'Salvar' : 'Criar'}
      onClose={onClose}
    >
      <FormSummary sentence={form.summary} />
      <Field
        label="Nome"
        placeholder="Ex: Planilha de vendas"
        maxLength={80}
        autoFocus
        autoComplete="off"
        {...form.bind('name')}
      />
      <Field
        label="Endereço"
        placeholder="https://exemplo.com.br/prosa"
        help="O Prosa envia cada evento por POST, e espera uma resposta 2xx em até 10 segundos."
        type="url"
        maxLength={maximumWebhookAddressLength}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.bind('address')}
      />
      <TypesField value={form.values.types} error={form.errorOf('types')} onChange={(types) => form.set({ types })} />
      <div>
        <FormControlLabel
          control={
            <Checkbox
              checked={form.values.withPersonal}
              onChange={(_event, withPersonal) => form.set({ withPersonal })}
            />
          }
          label="Enviar também dados pessoais"
          sx={{ minHeight: 'var(--target)' }}
        />
        <FormHelperText sx={{ m: 0 }}>
          Nomes, telefones e textos das mensagens. Sem isto vão códigos no lugar deles. Quem marcou e quando fica no
          histórico; do que for enviado, quem recebe cuida.
        </FormHelperText>
      </div>
      {webhook && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          O que já está na fila sai com o endereço novo.
        </Typography>
      )}
    </FormDialog>
  )
}
