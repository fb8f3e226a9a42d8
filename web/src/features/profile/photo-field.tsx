import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { maximumPhotoBytes } from '@prosa/contracts/values/photo'
import { type ChangeEvent, useId, useRef, useState } from 'react'
import { sentenceOf } from '../../lib/http/http.ts'
import { useChangePhoto, useRemovePhoto } from './api.ts'

/** The server checks the bytes. */
const faultOf = ({ size }: File): string | null => {
  if (size === 0) return 'O arquivo está vazio.'
  return size > maximumPhotoBytes ? 'A foto é grande demais: o máximo é 5 MB.' : null
}

export const PhotoField = ({ hasPhoto }: { hasPhoto: boolean }) => {
  const [fault, setFault] = useState<string | null>(null)
  const change = useChangePhoto()
  const remove = useRemovePhoto()
  const input = useRef<HTMLInputElement>(null)
  const noteId = useId()
  const isBusy = change.isPending || remove.isPending
  const failed = change.error ?? remove.error
  const error = fault ?? (failed && sentenceOf(failed, 'Não foi possível trocar a foto. Tente de novo em instantes.'))

  const begin = () => {
    setFault(null)
    change.reset()
    remove.reset()
  }
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    // Lets the same file be chosen again.
    target.value = ''
    if (!file) return
    begin()
    const found = faultOf(file)
    if (found) setFault(found)
    else change.mutate(file)
  }

  return (
    <Box sx={{ display: 'grid', gap: 2, mt: 3, justifyItems: 'start' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button
          variant="outlined"
          color="inherit"
          disabled={isBusy}
          aria-describedby={noteId}
          onClick={() => input.current?.click()}
        >
          {change.isPending ? 'Enviando...' : 'Alterar foto'}
        </Button>
        {hasPhoto && (
          <Button
            color="inherit"
            disabled={isBusy}
            onClick={() => {
              begin()
              remove.mutate()
            }}
          >
            {remove.isPending ? 'Removendo...' : 'Remover foto'}
          </Button>
        )}
      </Box>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Foto do perfil"
        accept="image/jpeg,image/png,image/gif"
        onChange={choose}
      />
      <p id={noteId} className={error ? 'field-error' : 'field-help'} role={error ? 'alert' : undefined}>
        {error ?? 'JPG, PNG ou GIF. Máximo 5MB.'}
      </p>
    </Box>
  )
}
