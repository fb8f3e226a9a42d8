import Avatar from '@mui/material/Avatar'
import { initials } from '../lib/format.ts'

type Props = { name: string | null; phone?: string | null; small?: boolean }

/** The initials of a person in a calm circle. Decoration: the name always stands beside it. */
export const PersonAvatar = ({ name, phone = null, small = false }: Props) => (
  <Avatar
    aria-hidden="true"
    sx={{
      width: small ? 'var(--target-small)' : 'var(--avatar)',
      height: small ? 'var(--target-small)' : 'var(--avatar)',
      bgcolor: 'primarySoft',
      color: 'primary.main',
      typography: small ? 'caption' : 'subtitle2',
      fontWeight: 600,
      // A selected row has the circle's own colour.
      '[aria-selected="true"] &': { bgcolor: 'surface' },
    }}
  >
    {initials(name, phone)}
  </Avatar>
)
