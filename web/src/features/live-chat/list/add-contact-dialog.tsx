import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormHelperText from '@mui/material/FormHelperText'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import Typography from '@mui/material/Typography'
import type { ContactAdded } from '@prosa/contracts/http/contacts'
import { type FormEvent, useId, useState } from 'react'
import { ApiProblem } from '../../../lib/http.ts'
import { isPhoneComplete, maskPhone, phoneDigits } from '../../../lib/phone-mask.ts'
import { useAddContact } from '../api.ts'

const invalidPhone = 'Por favor, insira um número de telefone válido (10 ou 11 dígitos)'

const failureOf = (error: unknown): string =>
  (error instanceof ApiProblem && error.errorOf('phone')) || 'Erro ao adicionar contato. Tente novamente.'

const titleId = 'add-contact-title'

interface Props {
  open: boolean
  onClose: () => void
  onAdded: (added: ContactAdded) => void
}

const AddContactForm = ({ onClose, onAdded }: Omit<Props, 'open'>) => {
  const [digits, setDigits] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const id = useId()
  const adding = useAddContact()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPhoneComplete(digits)) {
      setRefusal(invalidPhone)
      return
    }
    setRefusal(null)
    adding.mutate(digits, {
      onSuccess: (added) => {
        onAdded(added)
        window.open(`https://wa.me/55${digits}`, '_blank', 'noopener,noreferrer')
      },
      onError: (error) => setRefusal(failureOf(error)),
    })
  }

  return (
    <form onSubmit={submit} noValidate>
      <DialogTitle id={titleId}>Adicionar Contato</DialogTitle>
      <DialogContent>
        <Typography component="label" htmlFor={id} variant="subtitle2" sx={{ display: 'block', pb: 1 }}>
          Telefone
        </Typography>
        <OutlinedInput
          id={id}
          fullWidth
          autoFocus
          value={maskPhone(digits)}
          onChange={(event) => {
            setDigits(phoneDigits(event.target.value))
            setRefusal(null)
          }}
          error={refusal !== null}
          placeholder="(11) 98877-6655"
          startAdornment={<InputAdornment position="start">+55</InputAdornment>}
          slotProps={{
            input: { inputMode: 'tel', autoComplete: 'off', 'aria-describedby': `${id}-hint ${id}-refusal` },
          }}
        />
        <FormHelperText id={`${id}-hint`}>
          Somente números brasileiros são aceitos. O prefixo +55 é adicionado automaticamente.
        </FormHelperText>
        <FormHelperText id={`${id}-refusal`} error role="alert" sx={{ minHeight: '1lh' }}>
          {refusal}
        </FormHelperText>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Cancelar</Button>
        <Button type="submit" variant="contained" disabled={digits === '' || adding.isPending}>
          {adding.isPending ? 'Adicionando...' : 'Adicionar e Chamar'}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Also opens WhatsApp with the number in a new tab. */
export const AddContactDialog = ({ open, onClose, onAdded }: Props) => (
  <Dialog open={open} onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={titleId}>
    <AddContactForm onClose={onClose} onAdded={onAdded} />
  </Dialog>
)
