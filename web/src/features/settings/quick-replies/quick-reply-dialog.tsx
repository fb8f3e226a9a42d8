import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { maximumTextLength } from '@prosa/contracts/values/lengths'
import { type SubmitEvent, useId, useState } from 'react'
import { Field } from '../../../components/field.tsx'
import { TextAreaField } from '../../../components/text-area-field.tsx'
import { ApiProblem } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.tsx'
import { useAddQuickReply, useChangeQuickReply } from './api.ts'

const required = 'Atalho e conteúdo são obrigatórios'

const refusedAt = (error: unknown, field: 'shortcut' | 'content'): string | undefined => {
  if (!(error instanceof ApiProblem)) return undefined
  if (field === 'shortcut' && error.type === 'shortcut_taken') return error.title
  return error.errorOf(field)
}

export const QuickReplyDialog = ({ reply, onClose }: { reply?: QuickReply | undefined; onClose: () => void }) => {
  const [shortcut, setShortcut] = useState(reply?.shortcut ?? '')
  const [content, setContent] = useState(reply?.content ?? '')
  const [isActive, setIsActive] = useState(reply?.isActive ?? true)
  const [tried, setTried] = useState(false)
  const titleId = useId()
  const toast = useToast()
  const add = useAddQuickReply()
  const change = useChangeQuickReply()
  const { error, isPending, reset } = reply ? change : add

  const isChanged =
    shortcut !== (reply?.shortcut ?? '') || content !== (reply?.content ?? '') || isActive !== (reply?.isActive ?? true)
  const draft = { shortcut: shortcut.trim().replace(/^\/+/, ''), content: content.trim(), isActive }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    setTried(true)
    if (draft.shortcut === '' || draft.content === '')
      return toast({ title: 'Erro', description: required, kind: 'error' })
    if (reply) change.mutate({ id: reply.id, ...draft }, { onSuccess: onClose })
    else add.mutate(draft, { onSuccess: onClose })
  }
  const write = (set: (value: string) => void) => (value: string) => {
    set(value)
    if (error) reset()
  }

  return (
    <Dialog
      open
      // A click on the backdrop must not discard input.
      onClose={(_event, reason) => (reason === 'backdropClick' && isChanged ? undefined : onClose())}
      maxWidth="sm"
      fullWidth
      aria-labelledby={titleId}
    >
      <DialogTitle id={titleId}>{reply ? 'Editar Resposta Rápida' : 'Nova Resposta Rápida'}</DialogTitle>
      <form onSubmit={submit} noValidate>
        <DialogContent sx={{ display: 'grid', gap: 4 }}>
          <Field
            label="Atalho"
            name="shortcut"
            placeholder="Ex: pix"
            help="No bate-papo, digite / e o atalho para usar esta resposta."
            maxLength={41}
            autoFocus
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={shortcut}
            onChange={write(setShortcut)}
            error={tried && draft.shortcut === '' ? 'Informe o atalho.' : refusedAt(error, 'shortcut')}
          />
          <TextAreaField
            label="Conteúdo"
            name="content"
            placeholder="Ex: Nossa chave Pix é o CNPJ da loja. Assim que pagar, me mande o comprovante por aqui."
            help="Onde você escrever {nome} vai o primeiro nome do contato, e {empresa} vira o nome da sua empresa."
            maxLength={maximumTextLength}
            value={content}
            onChange={write(setContent)}
            error={tried && draft.content === '' ? 'Escreva o conteúdo.' : refusedAt(error, 'content')}
          />
          <FormControlLabel
            control={<Switch checked={isActive} onChange={(_event, checked) => setIsActive(checked)} />}
            label={isActive ? 'Ativo: aparece no bate-papo' : 'Inativo: não aparece no bate-papo'}
            sx={{ minHeight: 'var(--target)' }}
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" variant="contained" disabled={isPending}>
            {reply ? 'Salvar' : 'Criar'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
