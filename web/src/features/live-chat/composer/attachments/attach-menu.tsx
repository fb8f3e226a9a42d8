import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import DescriptionRounded from '~icons/ic/round-description'
import ImageRounded from '~icons/ic/round-image'
import PhotoCameraRounded from '~icons/ic/round-photo-camera'
import { type AttachChoice, attachChoices } from './attach-choices.ts'

const icons = { media: ImageRounded, document: DescriptionRounded, camera: PhotoCameraRounded }

interface Props {
  anchor: Element
  onChoose: (choice: AttachChoice) => void
  onClose: () => void
}

export const AttachMenu = ({ anchor, onChoose, onClose }: Props) => (
  <Menu
    open
    anchorEl={anchor}
    onClose={onClose}
    anchorOrigin={{ vertical: 'top', horizontal: 'left' }}
    transformOrigin={{ vertical: 'bottom', horizontal: 'left' }}
  >
    {attachChoices.map(({ name, label }) => {
      const Icon = icons[name]
      return (
        <MenuItem
          key={name}
          onClick={() => {
            onClose()
            onChoose(name)
          }}
          sx={name === 'camera' ? { '@media (pointer: fine)': { display: 'none' } } : undefined}
        >
          <ListItemIcon>
            <Icon aria-hidden />
          </ListItemIcon>
          {label}
        </MenuItem>
      )
    })}
  </Menu>
)
