import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { maximumTextLength } from '@prosa/contracts/values/lengths'
import { useState } from 'react'
import { CompanyNameField } from '../../../components/company-name-field.tsx'
import { Field } from '../../../components/forms/field.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { TextAreaField } from '../../../components/forms/text-area-field.tsx'
import { useForm } from '../../../lib/forms/use-form.ts'
import { useToast } from '../../../lib/toast.ts'
import { type QuickReplyDraft, useSaveQuickReply } from './api.ts'

const required = 'Atalho e conteúdo são obrigatórios'

const draftOf = ({ shortcut, content, isActive }: QuickReplyDraft): QuickReplyDraft => ({
  shortcut: shortcut.trim().replace(/^\/+/, ''),
  content: content.trim(),
  isActive,
})

export const QuickReplyDialog = ({ reply, onClose }: { reply?: QuickReply | undefined; onClose: () => void }) => {
  const toast = useToast()
  const { shortcut = '', content = '', isActive = true } = reply ?? {}
  const form = useForm(useState({ shortcut, content, isActive }), {
    command: useSaveQuickReply(reply?.id),
    toInput: draftOf,
    check: (values) => {
      const draft = draftOf(values)
      return {
        shortcut: draft.shortcut === '' ? 'Informe o atalho.' : undefined,
        content: draft.content === '' ? 'Escreva o conteúdo.' : undefined,
      }
    },
    fieldOf: ({ type }) => (type === 'shortcut_taken' ? 'shortcut' : undefined),
    onRefused: () => toast({ title: 'Erro', description: required, kind: 'error' }),
    onDone: onClose,
  })
  return (
    <FormDialog
      title={reply ? 'Editar Resposta Rápida' : 'Nova Resposta Rápida'}
      maxWidth="sm"
      form={form}
      submit={reply ? 'Salvar' : 'Criar'}
      onClose={onClose}
    >
      <Field
        label="Atalho"
        placeholder="Ex: pix"
        help="No bate-papo, digite / e o atalho para usar esta resposta."
        maxLength={41}
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.bind('shortcut')}
      />
      <TextAreaField
        label="Conteúdo"
        placeholder="Ex: Nossa chave Pix é o CNPJ da loja. Assim que pagar, me mande o comprovante por aqui."
        help="Onde você escrever {nome} vai o primeiro nome do contato, e {empresa} vira o nome da sua empresa. Um campo do contato vai pela variável que Campos de contatos mostra."
        maxLength={maximumTextLength}
        {...form.bind('content')}
      />
      <CompanyNameField text={form.values.content} />
      <FormControlLabel
        control={<Switch checked={form.values.isActive} onChange={(_event, isActive) => form.set({ isActive })} />}
        label={form.values.isActive ? 'Ativo: aparece no bate-papo' : 'Inativo: não aparece no bate-papo'}
        sx={{ minHeight: 'var(--target)' }}
      />
    </FormDialog>
  )
}
