import IconButton from '@mui/material/IconButton'
import { type ChangeEvent, type Ref, useRef, useState } from 'react'
import AttachFileRounded from '~icons/ic/round-attach-file'
import { KeyHint } from '../../../../components/key-hint.tsx'
import { lazyPart } from '../../../../components/layout/lazy-part.tsx'
import { type AttachChoice, attachChoices } from './attach-choices.ts'

interface Props {
  buttonRef: Ref<HTMLButtonElement>
  disabled: boolean
  onFiles: (files: readonly File[], asDocument: boolean) => void
}

const AttachMenu = lazyPart(async () => (await import('./attach-menu.tsx')).AttachMenu)

export const AttachButton = ({ buttonRef, disabled, onFiles }: Props) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const inputs = useRef<Partial<Record<AttachChoice, HTMLInputElement | null>>>({})
  const onPicked = (event: ChangeEvent<HTMLInputElement>, asDocument: boolean) => {
    onFiles([...(event.target.files ?? [])], asDocument)
    // Allows choosing the same file again.
    event.target.value = ''
  }
  return (
    <>
      <KeyHint title="Anexar" keys={['Ctrl', 'O']}>
        <span>
          <IconButton
            ref={buttonRef}
            aria-label="Anexar"
            aria-haspopup="menu"
            aria-expanded={anchor !== null}
            color="secondary"
            disabled={disabled}
            onClick={(event) => setAnchor(event.currentTarget)}
            sx={{ width: 44, height: 44 }}
          >
            <AttachFileRounded />
          </IconButton>
        </span>
      </KeyHint>
      {attachChoices.map(({ name, label, accept }) => (
        <input
          key={name}
          ref={(element) => {
            inputs.current[name] = element
          }}
          type="file"
          hidden
          multiple={name !== 'camera'}
          accept={accept}
          capture={name === 'camera' ? 'environment' : undefined}
          aria-label={label}
          onChange={(event) => onPicked(event, name === 'document')}
        />
      ))}
      {anchor && (
        <AttachMenu
          anchor={anchor}
          onClose={() => setAnchor(null)}
          onChoose={(name) => inputs.current[name]?.click()}
        />
      )}
    </>
  )
}
