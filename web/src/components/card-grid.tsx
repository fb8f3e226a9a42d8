import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import type { ReactNode } from 'react'
import { panelStyle } from './panel.tsx'

const grid = {
  display: 'grid',
  gap: 4,
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(var(--card-width), 100%), 1fr))',
  m: 0,
  p: 0,
  listStyle: 'none',
} as const

/** Cards side by side, as many as there is room for. */
export const CardGrid = ({ children }: { children: ReactNode }) => (
  <Box component="ul" sx={grid}>
    {children}
  </Box>
)

/** The places of so many cards that are being read, as high as most of them will be. */
export const CardGridSkeleton = ({ cards, height = 'var(--card-height)' }: { cards: number; height?: string }) => (
  <Box role="status" aria-label="Carregando..." sx={grid}>
    {Array.from({ length: cards }, (_, card) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a place is its number
      <Skeleton key={card} variant="rounded" sx={{ height }} />
    ))}
  </Box>
)

/** One card of the grid; `labelledBy` is the id of its heading. */
export const GridCard = ({ labelledBy, children }: { labelledBy: string; children: ReactNode }) => (
  <Box
    component="li"
    aria-labelledby={labelledBy}
    sx={{ ...panelStyle, display: 'flex', flexDirection: 'column', gap: 3, p: 4, minWidth: 0 }}
  >
    {children}
  </Box>
)
