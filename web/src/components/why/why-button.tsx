import ButtonBase from '@mui/material/ButtonBase'
import { useState } from 'react'
import { lazyPart } from '../layout/lazy-part.tsx'
import type { WhyTarget } from './why-target.ts'

const WhyPopover = lazyPart(async () => (await import('./why-popover.tsx')).WhyPopover)

type Props = {
  of: WhyTarget
  /** For screen readers: 'acesso até, de Marina Alves'. */
  what: string
  /** What is read on it, in a row of several. */
  children?: string
  /** Reads as an administrator, of any tenant. */
  asAdmin?: boolean
}

/** Opens the event that set the value beside it. */
export const WhyButton = ({ of, what, children = 'Por quê?', asAdmin = false }: Props) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <ButtonBase
        aria-label={`Por quê? ${what}`}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => {
          // Rows open something of their own.
          event.stopPropagation()
          setAnchor(event.currentTarget)
        }}
        sx={{
          minWidth: 'var(--target-small)',
          minHeight: 24,
          px: 1,
          borderRadius: 'var(--radius-control)',
          color: 'text.secondary',
          font: 'var(--text-meta)',
          textDecoration: 'underline dotted',
          whiteSpace: 'nowrap',
          '&:hover, &:focus-visible': { color: 'primary.main' },
        }}
      >
        {children}
      </ButtonBase>
      {anchor && <WhyPopover of={of} asAdmin={asAdmin} anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  )
}
