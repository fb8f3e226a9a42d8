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

export const CardGrid = ({ children }: { children: ReactNode }) => (
  <Box component="ul" sx={grid}>
    {children}
  </Box>
)

export const CardGridSkeleton = ({ cards, height = 'var(--card-height)' }: { cards: number; height?: string }) => (
  <Box role="status" aria-label="Carregando..." sx={grid}>
    {Array.from({ length: cards }, (_, card) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a place is its number
      <Skeleton key={card} variant="rounded" sx={{ height }} />
    ))}
  </Box>
)

export const GridCard = ({ labelledBy, children }: { labelledBy: string; children: ReactNode }) => (
  <Box
    component="li"
    aria-labelledby={labelledBy}
    sx={{ ...panelStyle, display: 'flex', flexDirection: 'column', gap: 3, p: 4, minWidth: 0 }}
  >
    {children}
  </Box>
)
