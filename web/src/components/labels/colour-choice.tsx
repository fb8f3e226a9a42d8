import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { type LabelColour, labelColours } from '@prosa/contracts/values/label-colour'
import { useId } from 'react'
import CheckIcon from '~icons/ic/round-check'
import { colourNames } from '../../lib/account/labels.ts'

interface Props {
  value: LabelColour
  onChange: (colour: LabelColour) => void
}

/** Radio group: arrow keys move the choice. */
export const ColourChoice = ({ value, onChange }: Props) => {
  const id = useId()
  return (
    <Box role="radiogroup" aria-labelledby={id}>
      <Typography id={id} variant="subtitle2" component="p" sx={{ pb: 1 }}>
        Cor: {colourNames[value]}
      </Typography>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(5, max-content)', gap: 2 }}>
        {labelColours.map((colour) => (
          <Box
            key={colour}
            component="label"
            title={colourNames[colour]}
            sx={{
              position: 'relative',
              display: 'grid',
              placeItems: 'center',
              width: 'var(--target)',
              height: 'var(--target)',
              cursor: 'pointer',
              borderRadius: 'var(--radius-control)',
              border: '2px solid',
              borderColor: colour === value ? `var(--label-${colour})` : 'transparent',
              color: `var(--label-${colour})`,
              bgcolor: `var(--label-${colour}-soft)`,
              '&:focus-within': { outline: '2px solid var(--info)', outlineOffset: '2px' },
            }}
          >
            <Box
              component="input"
              type="radio"
              name={id}
              checked={colour === value}
              aria-label={colourNames[colour]}
              onChange={() => onChange(colour)}
              sx={{ position: 'absolute', inset: 0, m: 0, opacity: 0, cursor: 'pointer' }}
            />
            {colour === value ? (
              <CheckIcon aria-hidden />
            ) : (
              <Box
                aria-hidden
                sx={{ width: 'var(--dot)', height: 'var(--dot)', borderRadius: '50%', bgcolor: 'currentColor' }}
              />
            )}
          </Box>
        ))}
      </Box>
    </Box>
  )
}
