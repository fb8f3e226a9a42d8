import Avatar from '@mui/material/Avatar'
import { initials } from '../lib/format/format.ts'

const sizes = {
  small: ['var(--target-small)', 'caption'],
  medium: ['var(--avatar)', 'subtitle2'],
  large: ['var(--portrait)', 'h1'],
} as const

type Props = {
  name: string | null
  phone?: string | null
  photo?: string | null
  size?: keyof typeof sizes
}

/** Decorative: the name is always beside it. */
export const PersonAvatar = ({ name, phone = null, photo, size = 'medium' }: Props) => {
  const [side, typography] = sizes[size]
  return (
    <Avatar
      aria-hidden="true"
      alt=""
      src={photo ? (size === 'large' ? photo : `${photo}?size=64`) : undefined}
      sx={{
        width: side,
        height: side,
        bgcolor: 'primarySoft',
        color: 'primary.main',
        typography,
        fontWeight: 600,
        // A selected row has the circle's own colour.
        '[aria-selected="true"] &': { bgcolor: 'surface' },
      }}
    >
      {initials(name, phone)}
    </Avatar>
  )
}
