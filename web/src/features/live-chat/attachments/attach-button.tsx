import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { type ChangeEvent, type Ref, useRef, useState } from 'react'
import AttachFileRounded from '~icons/ic/round-attach-file'
import DescriptionRounded from '~icons/ic/round-description'
import ImageRounded from '~icons/ic/round-image'
import PhotoCameraRounded from '~icons/ic/round-photo-camera'
import { KeyHint } from '../../../components/key-hint.tsx'

interface Props {
  buttonRef: Ref<HTMLButtonElement>
  disabled: boolean
  onFiles: (files: readonly File[], asDocument: boolean) => void
}

const choices = [
  { name: 'media', label: 'Fotos, vídeos e áudios', accept: 'image/*,video/*,audio/*', Icon: ImageRounded },
  { name: 'document', label: 'Documento', accept: undefined, Icon: DescriptionRounded },
  { name: 'camera', label: 'Câmera', accept: 'image/*', Icon: PhotoCameraRounded },
] as const

type Choice = (typeof choices)[number]['name']

/** The paper clip: pictures and sounds as such, anything as a document, on a phone the camera. */
export const AttachButton = ({ buttonRef, disabled, onFiles }: Props) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const inputs = useRef<Partial<Record<Choice, HTMLInputElement | null>>>({})
  const onPicked = (event: ChangeEvent<HTMLInputElement>, asDocument: boolean) => {
    onFiles([...(event.target.files ?? [])], asDocument)
    // The same file may be chosen again.
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
      {choices.map(({ name, label, accept }) => (
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
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'top', horizontal: 'left' }}
        transformOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      >
        {choices.map(({ name, label, Icon }) => (
          <MenuItem
            key={name}
            onClick={() => {
              setAnchor(null)
              inputs.current[name]?.click()
            }}
            sx={name === 'camera' ? { '@media (pointer: fine)': { display: 'none' } } : undefined}
          >
            <ListItemIcon>
              <Icon aria-hidden />
            </ListItemIcon>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
