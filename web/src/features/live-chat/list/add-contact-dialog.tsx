import FormHelperText from '@mui/material/FormHelperText'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import Typography from '@mui/material/Typography'
import type { ContactAdded } from '@prosa/contracts/http/contacts'
import { useId, useState } from 'react'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { isPhoneComplete, maskPhone, phoneDigits } from '../../../lib/format/phone-mask.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { useAddContact } from '../api.ts'

const invalidPhone = 'Por favor, insira um número de telefone válido (10 ou 11 dígitos)'

const refused = 'Erro ao adicionar contato. Tente novamente.'

interface Props {
  onClose: () => void
  onAdded: (added: ContactAdded) => void
}

/** Also opens WhatsApp with the number in a new tab. */
export const AddContactDialog = ({ onClose, onAdded }: Props) => {
  const id = useId()
  const command = useAddContact()
  const form = useForm(useState({ phone: '' }), {
    command,
    toInput: ({ phone }) => phone,
    check: ({ phone }) => ({ phone: isPhoneComplete(phone) ? undefined : invalidPhone }),
    onDone: (added) => {
      onAdded(added)
      window.open(`https://wa.me/55${form.values.phone}`, '_blank', 'noopener,noreferrer')
    },
  })
  const { value: digits, onChange, error } = form.bind('phone')
  const refusal = error ?? (command.error && !form.isEdited('phone') ? refused : null)
  return (
    <FormDialog
      title="Adicionar Contato"
      form={form}
      submit="Adicionar e Chamar"
      submitting="Adicionando..."
      canSubmit={digits !== ''}
      onClose={onClose}
    >
      <div>
        <Typography component="label" htmlFor={id} variant="subtitle2" sx={{ display: 'block', pb: 1 }}>
          Telefone
        </Typography>
        <OutlinedInput
          id={id}
          fullWidth
          autoFocus
          value={maskPhone(digits)}
          onChange={(event) => onChange(phoneDigits(event.target.value))}
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
      </div>
    </FormDialog>
  )
}
